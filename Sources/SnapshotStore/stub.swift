import Columns
import Postgres
import RealmModel
func stub<T>() throws -> T { throw StoreError.damaged("being built") }

public enum DatabaseSchema {
    /// Brings the service's tables up to date; safe to call from any number of processes at once.
    ///
    /// - Throws: `StoreError.databaseTooNew`, `PostgresError`.
    public static func upgrade(_ pool: PostgresPool) throws { try stub() as Void }
}

extension SnapshotStore {
    // MARK: Apps
    /// Makes an app, or finds it.
    public func putApp(_ name: String) throws -> (app: App, isNew: Bool) { try stub() }
    public func app(_ name: String) throws -> App { try stub() }
    /// By name.
    public func apps(_ page: PageRequest = PageRequest()) throws -> Page<App> { try stub() }
    /// Removes an app with everything in it; `migrationActive` while one of its realms is being migrated.
    public func deleteApp(_ name: String) throws { try stub() as Void }

    // MARK: Schema versions
    /// Declares a schema version; the same again is found, another one is `schemaVersionInUse`. Nothing is validated.
    public func putSchemaVersion(
        _ version: UInt64, of app: String, schema: Schema, migration: DeclaredMigration?
    ) throws -> (schemaVersion: SchemaVersion, isNew: Bool) { try stub() }
    public func schemaVersion(_ version: UInt64, of app: String) throws -> SchemaVersion { try stub() }
    /// Ascending.
    public func schemaVersions(of app: String, _ page: PageRequest = PageRequest()) throws -> Page<SchemaVersion> {
        try stub()
    }
    /// The greatest declared version below `version`; nil where there is none.
    public func schemaVersion(before version: UInt64, of app: String) throws -> SchemaVersion? { try stub() }
    /// The newest declared version; nil where there is none.
    public func newestSchemaVersion(of app: String) throws -> SchemaVersion? { try stub() }

    // MARK: Realms
    /// Makes a realm, or finds it; `realmKindInUse` where it is of the other kind.
    public func putRealm(_ name: String, in app: String, kind: RealmKind) throws -> (realm: Realm, isNew: Bool) {
        try stub()
    }
    public func realm(_ name: String, in app: String) throws -> Realm { try stub() }
    /// By name.
    public func realms(in app: String, _ page: PageRequest = PageRequest()) throws -> Page<Realm> { try stub() }
    /// Removes a realm with its snapshots and jobs; `migrationActive` while it is being migrated.
    public func deleteRealm(_ name: String, in app: String) throws { try stub() as Void }
    /// Makes an earlier snapshot the current one; `migrationActive`, `notFound(.snapshot)` for another realm's.
    public func restore(_ snapshot: RealmModel.UUID, in realm: String, of app: String) throws -> Realm { try stub() }

    // MARK: Snapshots
    /// Newest first.
    public func snapshots(of realm: String, in app: String, _ page: PageRequest = PageRequest()) throws -> Page<
        SnapshotInfo
    > { try stub() }
    public func snapshot(_ id: RealmModel.UUID) throws -> SnapshotInfo { try stub() }
    public func open(_ id: RealmModel.UUID) throws -> OpenSnapshot { try stub() }
    /// Removes a snapshot that is neither current nor being migrated.
    public func deleteSnapshot(_ id: RealmModel.UUID) throws { try stub() as Void }

    /// Starts an upload: `migrationActive` at once, so that no body is read in vain. A realm that is not there yet is
    /// made by the commit.
    public func beginUpload(to realm: String, in app: String) throws -> Upload { try stub() }

    // MARK: API keys
    /// Makes a key; the secret is to be seen this once.
    public func createAPIKey(named name: String) throws -> (key: APIKey, secret: String) { try stub() }
    /// The key of a secret; nil where there is none.
    public func apiKey(authenticating secret: String) throws -> APIKey? { try stub() }
    public func apiKeys(_ page: PageRequest = PageRequest()) throws -> Page<APIKey> { try stub() }
    public func deleteAPIKey(_ id: RealmModel.UUID) throws { try stub() as Void }

    // MARK: Service
    /// Asks the database for a sign of life, for `/readyz`.
    public func ping() throws { try stub() as Void }
    /// Jobs by state, for `/metrics`.
    public func jobCounts() throws -> [JobState: Int] { try stub() }
    /// Removes what nothing names any more.
    public func sweep() throws -> SweepReport { try stub() }
}

/// What a sweep removed.
public struct SweepReport: Hashable, Sendable {
    public var batches = 0
    public var segments = 0
}

/// One upload: a store to write to, then `commit` or `cancel`.
public final class Upload {
    /// Takes the realm's segments; reads what it took.
    public let store: PostgresSegmentStore
    /// The realm's current snapshot when the upload began.
    public let parent: RealmModel.UUID?

    init(store: PostgresSegmentStore, parent: RealmModel.UUID?) { self.store = store; self.parent = parent }

    /// Makes what was written the realm's current snapshot.
    ///
    /// - Parameter onlyIfCurrent: whether the realm's current snapshot has to be `parent` still (`realmChanged`).
    /// - Throws: `migrationActive`, `realmChanged`, `uploadExpired`.
    public func commit(_ snapshot: Snapshot, createdBy origin: SnapshotOrigin = .upload, onlyIfCurrent: Bool = false)
        throws -> SnapshotInfo
    { try stub() }

    /// Forgets what was written; also what happens to an upload that is let go of.
    public func cancel() {}
}

/// Segments in PostgreSQL.
public final class PostgresSegmentStore: SegmentStore {
    init() {}
    public func write(segment bytes: [UInt8]) throws -> SegmentID { try stub() }
    public func read(segment id: SegmentID) throws -> [UInt8] { try stub() }
    public func write(column segments: [Segment]) throws -> SegmentID { try stub() }
    public func read(column id: SegmentID) throws -> [Segment] { try stub() }
}
