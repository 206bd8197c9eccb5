import RealmModel
import SnapshotStore

/// The order of a migration job: what was asked for, of which realm, what that runs, and what came of it.
public struct MigrationOrder: Hashable, Sendable {
    /// The realm's name.
    public var realm: String
    /// The snapshot that is migrated: the realm's current one when the job was made.
    public var sourceSnapshot: RealmModel.UUID
    /// The snapshot that the migration made, or the source where nothing changed; nil for a dry run, and before the end.
    public var resultSnapshot: RealmModel.UUID?
    /// The source's schema version; nil where it has none.
    public var fromVersion: UInt64?
    /// The request; in lists without the schema and the migration that came along.
    public var request: Request
    /// The plan; nil in lists, and for jobs that older programs enqueued.
    public var plan: Plan?

    /// Whether nothing else changes the realm before the job ends: so in a local realm.
    ///
    /// Additions to the schema of a synced one go beside the changes of its clients, and are made of whatever is current when
    /// they are committed. A rehearsal changes nothing, and nothing waits for it.
    public let isExclusive: Bool

    let realmID: RealmModel.UUID

    /// The schema version to reach.
    public var toVersion: UInt64 { request.targetVersion }

    /// Orders a migration of a snapshot, which has to be its realm's current one still when an exclusive job is inserted.
    ///
    /// - Parameters:
    ///   - request: what is asked for; was checked against the snapshot.
    ///   - plan: what that comes to.
    public init(_ request: Request, plan: Plan?, of source: SnapshotInfo) {
        realm = source.realm
        sourceSnapshot = source.id
        fromVersion = source.schemaVersion
        self.request = request
        self.plan = plan
        isExclusive = source.realmKind == .local && !request.dryRun
        realmID = source.realmID
    }
}
