import RealmModel

/// What a view does not show of embedded objects, which go with each value that is written in their place.
extension RealmEditor {
    /// Gives embedded objects that take the place of others what these have in properties that the view does not show.
    ///
    /// Realm's sync does not delete a property from the database because a client's model lacks it. Objects of a list are matched
    /// by their places, those of a dictionary by their keys.
    ///
    /// - Parameters:
    ///   - held: what a property held, links to objects that are still there.
    ///   - value: what it is to hold, links to objects that were made for it.
    ///   - className: the embedded class.
    package func keepHidden(of held: Value, in value: Value, of className: String) throws {
        switch (held, value) {
        case (.link(let old), .link(let new)): try keepHidden(of: old, in: new, of: className)
        case (.list(let olds), .list(let news)):
            for (old, new) in zip(olds, news) { try keepHidden(of: old, in: new, of: className) }
        case (.dictionary(let olds), .dictionary(let news)):
            for new in news {
                guard let old = olds.first(where: { $0.key.hasSameBytes(as: new.key) }) else { continue }
                try keepHidden(of: old.value, in: new.value, of: className)
            }
        default: break
        }
    }

    private func keepHidden(of old: ObjectKey, in new: ObjectKey, of className: String) throws {
        guard old != new, let stored = realm[className], let from = try stored.position(of: old.value),
            let to = try stored.position(of: new.value)
        else { return }
        let shown = view.schema[className]
        for column in stored.columns {
            let target = column.property.objectType.flatMap { realm[$0] }.flatMap { $0.kind == .embedded ? $0 : nil }
            let value = try stored.value(column, at: from)
            guard shown?.property(named: column.property.name) == nil else {
                if let target { try keepHidden(of: value, in: try stored.value(column, at: to), of: target.name) }
                continue
            }
            try stored.set(value, in: column, at: to)
            // What the old object owned would go with it.
            if target != nil { try stored.set(column.property.initialValue, in: column, at: from) }
        }
        view.noteLinks()
    }
}
