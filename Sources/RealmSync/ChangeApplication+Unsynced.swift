import Columns
import RealmEditing
import RealmModel

extension ChangeApplication {
    /// The objects with links that clients have not seen: to objects that lacked a value, and have it now.
    func shownLinks() throws -> SnapshotDelta {
        let realm = editor.view.realm
        let owners = try realm.classes.flatMap { try realm.owners(linkingTo: $0.filledKeys, of: $0.name) }
        return ClearedObjects(owners).delta
    }

    /// The objects that were made or changed and lack a value that their class requires, by class and key.
    package func unsynced() throws -> [UnsyncedObject] {
        try touched.sorted { $0.key < $1.key }.flatMap { index, objects -> [UnsyncedObject] in
            guard let stored = editor.view.workingClass(index), stored.unsyncedCount > 0 else { return [] }
            return try objects.upserted.compactMap { try UnsyncedObject(key: $0, of: stored) }
        }
    }
}

extension UnsyncedObject {
    /// An object of a class that is edited; nil where it lacks nothing.
    fileprivate init?(key: Int64, of stored: WorkingClass) throws {
        guard let position = try stored.position(of: key), try stored.isUnsynced(at: position) else { return nil }
        let schema = stored.schema
        let missing = try LackableProperty.all(of: schema).compactMap { property in
            try property.missing(in: schema) { try stored.value(stored.columns[property.places[$0]], at: position) }
        }
        let primaryKey = try stored.primaryKey.flatMap { stored.column(named: $0) }.map {
            try stored.value($0, at: position)
        }
        self.init(
            className: stored.name, key: ObjectKey(key), primaryKey: primaryKey ?? .null, missing: missing)
    }
}
