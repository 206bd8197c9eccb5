import RealmModel

extension SnapshotDelta {
    /// What another declared schema makes of a snapshot: the schema, and all objects of the classes that it shows otherwise.
    ///
    /// For changes of the schema alone: no object came, went or changed.
    public init(schemaOf before: Snapshot, to after: Snapshot) {
        let changed = after.declared.classes.filter { declared in
            guard !declared.isEmbedded, let stored = before[declared.name], stored.objectCount > 0 else { return false }
            return before.declared[declared.name]?.persistedProperties != declared.persistedProperties
        }
        self.init(
            changesSchema: before.declared != after.declared,
            classes: changed.map { ClassDelta($0.name, isWhole: true) })
    }
}
