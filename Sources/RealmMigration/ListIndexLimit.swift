import RealmEditing
import RealmModel

/// The length that Realm sets the entries of an indexed list of strings: its index keeps them whole.
struct ListIndexLimit {
    private let stored: WorkingClass
    private let column: WorkingColumn

    init(_ stored: WorkingClass, _ column: WorkingColumn) {
        self.stored = stored
        self.column = column
    }

    /// Reads the lists, where they have a general index.
    ///
    /// - Throws: `MigrationError` for the first entry, in order of the objects, that is too long.
    func check() throws {
        let property = column.property
        guard property.index == .general, property.collection == .list, property.type == .string,
            column.constant == nil
        else { return }
        try stored.forEachObject { position, key in
            guard case .list(let elements) = try stored.value(column, at: position) else { return }
            for case .string(let text) in elements where text.utf8.count > RealmLimits.listIndexBytes {
                throw MigrationError.longListEntry(
                    stored.name, property.name, key: ObjectKey(key), byteCount: text.utf8.count)
            }
        }
    }
}
