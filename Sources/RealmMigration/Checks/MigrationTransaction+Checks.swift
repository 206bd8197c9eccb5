import Columns
import RealmEditing

extension MigrationTransaction {
    /// A realm before and after a migration, both as they are: every change is refused.
    ///
    /// - Parameter store: has the columns of both.
    public convenience init(
        comparing old: Snapshot, with new: Snapshot, in store: any SegmentStore, limits: RowGroupLimits = .standard
    ) {
        let context = WorkingContext(store: store, limits: limits, memory: .standard)
        self.init(
            old: WorkingRealm(old, context: context), new: WorkingRealm(new, context: context), target: new.declared,
            oldSchemaVersion: old.schemaVersion ?? .max, newSchemaVersion: new.schemaVersion ?? .max, isReadOnly: true)
    }
}
