import Columns
import RealmEditing
import RealmModel

/// Takes objects out of a class whose primary key other objects have; what linked to them links to those then.
struct DuplicateResolution {
    let realm: WorkingRealm
    let stored: WorkingClass

    /// The objects of each value that several have, by their keys, ascending.
    ///
    /// None of a column that nobody has written to: a primary key of a new type, or a new one, is the same in all objects until a
    /// script says what it is, and there is no choosing among those.
    func groups(in column: WorkingColumn) throws -> [[Int64]] {
        guard column.constant == nil else { return [] }
        return try PrimaryKeyDuplicates.groups(in: stored, column)
    }

    /// Keeps one object of each value.
    func keep(_ choice: ([Int64]) -> Int64?, in column: WorkingColumn) throws {
        var replacements: [Int64: Int64] = [:]
        for keys in try groups(in: column) {
            guard let kept = choice(keys) else { continue }
            for key in keys where key != kept { replacements[key] = kept }
        }
        try replace(replacements)
    }

    /// Deletes objects, and has what linked to them link to others.
    ///
    /// - Parameter replacements: the keys of the objects that stay by those that go.
    func replace(_ replacements: [Int64: Int64]) throws {
        guard !replacements.isEmpty else { return }
        for origin in realm.classes {
            for column in origin.columns where mayLink(column) { try relink(column, of: origin, replacements) }
        }
        for key in replacements.keys.sorted() { try realm.delete(key, from: stored) }
    }

    private func mayLink(_ column: WorkingColumn) -> Bool {
        guard column.constant == nil else { return false }
        return column.property.type == .mixed || column.property.objectType?.hasSameBytes(as: stored.name) == true
    }

    private func relink(_ column: WorkingColumn, of origin: WorkingClass, _ replacements: [Int64: Int64]) throws {
        func links(_ value: Value) -> Bool {
            switch value {
            case .link(let key): replacements[key.value] != nil
            case .typedLink(let name, let key):
                name.hasSameBytes(as: stored.name) && replacements[key.value] != nil
            case .list(let elements): elements.contains(where: links)
            case .dictionary(let entries): entries.contains { links($0.value) }
            default: false
            }
        }
        func relinked(_ value: Value) -> Value {
            switch value {
            case .link(let key): .link(replacements[key.value].map { ObjectKey($0) } ?? key)
            case .typedLink(let name, let key):
                links(value) ? .typedLink(className: name, replacements[key.value].map { ObjectKey($0) } ?? key) : value
            case .list(let elements): .list(elements.map(relinked))
            case .dictionary(let entries): .dictionary(entries.map { DictionaryEntry($0.key, relinked($0.value)) })
            default: value
            }
        }
        try origin.forEachObject { position, _ in
            let value = try origin.value(column, at: position)
            guard links(value) else { return }
            var changed = relinked(value)
            if column.property.collection == .set, case .list(let elements) = changed {
                changed = .list(ValueOrder.sortedUnique(elements))
            }
            try origin.set(changed, in: column, at: position)
        }
    }
}
