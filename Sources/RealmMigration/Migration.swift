import Columns
import RealmModel

/// The migration engine: takes a snapshot to a target schema in the phases and the order of Realm Core.
public struct Migration {
    /// What to do.
    public let request: MigrationRequest
    private let store: any SegmentStore
    private let limits: RowGroupLimits

    /// Prepares a migration; nothing is read yet.
    ///
    /// - Parameters:
    ///   - request: what to do.
    ///   - store: holds the source's segments and takes the new ones.
    ///   - limits: the size of new row groups.
    public init(_ request: MigrationRequest, store: any SegmentStore, limits: RowGroupLimits = .standard) {
        self.request = request
        self.store = store
        self.limits = limits
    }

    /// Checks what can be known without the objects: the target schema, the version, and what the mode permits.
    public func check() throws(MigrationError) {}

    /// Does the migration.
    ///
    /// - Parameters:
    ///   - script: the migration function, called at most once; nil for "no script", which Realm treats otherwise
    ///     than a script that does nothing.
    ///   - progress: is told of every row group.
    /// - Throws: `MigrationError`, `ColumnError`, what the store throws, and what the script throws. The source is
    ///   never changed.
    public func run(
        script: ((MigrationTransaction) throws -> Void)?, progress: @escaping (MigrationProgress) -> Void = { _ in }
    ) throws -> MigrationResult {
        throw MigrationError(nil, "being built")
    }
}
