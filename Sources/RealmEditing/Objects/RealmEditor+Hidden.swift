import RealmModel

/// Properties of embedded objects that a view does not show; the objects go with each value that is written in their place.
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
    ///   - declared: has the defaults of what the view does not show, for objects that take no other's place.
    package func keepHidden(
        of held: Value, in value: Value, of className: String, declared: Schema
    ) throws {
        switch value {
        case .link(let new):
            var old: ObjectKey?
            if case .link(let key) = held { old = key }
            try keepHidden(of: old, in: new, of: className, declared)
        case .list(let news):
            var olds: [Value] = []
            if case .list(let elements) = held { olds = elements }
            for (place, new) in news.enumerated() {
                let old = olds.indices.contains(place) ? olds[place] : .null
                try keepHidden(of: old, in: new, of: className, declared: declared)
            }
        case .dictionary(let news):
            var olds: [NameKey: Value] = [:]
            if case .dictionary(let entries) = held { for entry in entries { olds[name: entry.key] = entry.value } }
            for new in news {
                try keepHidden(of: olds[name: new.key] ?? .null, in: new.value, of: className, declared: declared)
            }
        default: break
        }
    }

    private func keepHidden(
        of old: ObjectKey?, in new: ObjectKey, of className: String, _ declared: Schema
    ) throws {
        guard old != new, let stored = realm[className], let to = try stored.position(of: new.value) else { return }
        let from = try old.flatMap { try stored.position(of: $0.value) }
        let shown = view.schema[className]
        for column in stored.columns {
            let name = column.property.name
            let target = column.property.objectType.flatMap { realm[$0] }.flatMap { $0.kind == .embedded ? $0 : nil }
            let held = try from.map { try stored.value(column, at: $0) }
            if shown?.property(named: name) != nil {
                guard let target else { continue }
                let made = try stored.value(column, at: to)
                try keepHidden(of: held ?? .null, in: made, of: target.name, declared: declared)
            } else if let held, let from {
                try stored.set(held, in: column, at: to)
                // An object that the old one owned would go with it.
                if target != nil { try stored.set(column.property.initialValue, in: column, at: from) }
            } else if let value = declared[className]?.property(named: name)?.defaultValue {
                try stored.set(value, in: column, at: to)
            }
        }
        view.noteLinks()
    }
}
