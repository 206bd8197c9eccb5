import Postgres
import RealmModel
import StoreCore
import Threads

/// A thing of an app that is not what it was: made, changed or gone.
public enum AppChange: Hashable, Sendable {
    /// A realm, its labels or its snapshots.
    case realm(String)
    /// Many realms.
    case realms
    /// A declared schema version.
    case version(UInt64)
    /// A fleet.
    case fleet(RealmModel.UUID)
    /// A job that was removed, with its kind, and its realm or fleet where it is of one; other changes of jobs are told of by the jobs.
    case removedJob(RealmModel.UUID, kind: String, realm: String?, fleet: RealmModel.UUID?)
    /// The figures of jobs that ended, which come to the database some seconds after the jobs.
    case figures

    /// The words of a notification; no name has a space.
    var text: String {
        switch self {
        case .realm(let name): "realm \(name)"
        case .realms: "realms"
        case .version(let number): "version \(number)"
        case .fleet(let id): "fleet \(id)"
        case .removedJob(let id, let kind, let realm, let fleet):
            "job \(id) \(kind) \(realm ?? "-") \(fleet.map { "\($0)" } ?? "-")"
        case .figures: "figures"
        }
    }

    /// The meaning of such words; nil for those of a newer program.
    init?(words: [Substring]) {
        switch (words.first, words.count) {
        case ("realms", 1): self = .realms
        case ("figures", 1): self = .figures
        case ("realm", 2): self = .realm(String(words[1]))
        case ("version", 2):
            guard let number = UInt64(words[1]) else { return nil }
            self = .version(number)
        case ("fleet", 2):
            guard let id = RealmModel.UUID(String(words[1])) else { return nil }
            self = .fleet(id)
        case ("job", 5):
            guard let id = RealmModel.UUID(String(words[1])) else { return nil }
            self = .removedJob(
                id, kind: String(words[2]), realm: words[3] == "-" ? nil : String(words[3]),
                fleet: RealmModel.UUID(String(words[4])))
        default: return nil
        }
    }
}

/// Changes that the other processes are to be told of: noting one takes no time, and all of a moment are told together.
final class PendingAppChanges: Sendable {
    /// Realms of an app that are told by name at once, at most.
    private static let mostRealms = 200

    private let changes = Mutex<[String: Set<AppChange>]>([:])

    func note(_ change: AppChange, of app: String) {
        changes.withLock { _ = $0[app, default: []].insert(change) }
    }

    /// Those that were noted since the last time.
    func take() -> [(app: String, change: AppChange)] {
        let taken = changes.withLock { changes in
            defer { changes = [:] }
            return changes
        }
        return taken.flatMap { app, changes -> [(app: String, change: AppChange)] in
            guard changes.count > Self.mostRealms else { return changes.map { (app, $0) } }
            let others = changes.filter { if case .realm = $0 { false } else { true } }
            return others.union([.realms]).map { (app, $0) }
        }
    }
}

extension JobStore {
    /// Notes that something of an app has changed, for those who follow the app; `tellAppChanges` tells them.
    public func note(_ change: AppChange, of app: String) { appChanges.note(change, of: app) }

    /// Tells the listeners of all processes what was noted; a hint, as with jobs.
    package func tellAppChanges() {
        let changes = appChanges.take()
        guard !changes.isEmpty else { return }
        _ = try? pool.withConnection { connection in
            try connection.query(
                """
                -- By the app's id: another service in the same database may have an app of the name.
                SELECT pg_notify('realmshift_app', a.app_id || ' ' || told.words), set_config('synchronous_commit', 'off', true)
                FROM unnest(\(PostgresArray(changes.map(\.app))), \(PostgresArray(changes.map(\.change.text)))) AS told (name, words)
                JOIN app a USING (name)
                """)
        }
    }

    /// Where some jobs stand that belong to some apps, by app; those that are gone are left out.
    public func changedJobs(
        _ ids: [RealmModel.UUID], of apps: [RealmModel.UUID]
    ) throws -> [ChangedJob] {
        guard !ids.isEmpty, !apps.isEmpty else { return [] }
        return try pool.withConnection { connection in
            try connection.query(
                """
                SELECT job_id, app_id, kind, realm_name, fleet_id, state FROM job
                WHERE job_id = ANY(\(PostgresArray(ids))) AND app_id = ANY(\(PostgresArray(apps)))
                """
            ).map { row in
                ChangedJob(
                    id: try row.value("job_id"), app: try row.value("app_id"), kind: try row.value("kind"),
                    realm: try row.optional("realm_name"), fleet: try row.optional("fleet_id"),
                    state: try row.value("state"))
            }
        }
    }
}

/// A job for those who follow its app.
public struct ChangedJob: Hashable, Sendable {
    /// The job.
    public var id: RealmModel.UUID
    /// The app.
    public var app: RealmModel.UUID
    /// The kind, which this program may not know.
    public var kind: String
    /// The realm's name, where it is of one.
    public var realm: String?
    /// The fleet, where it is of one.
    public var fleet: RealmModel.UUID?
    /// Where it stands.
    public var state: String

    /// Says where a job stands.
    public init(
        id: RealmModel.UUID, app: RealmModel.UUID, kind: String, realm: String?, fleet: RealmModel.UUID?, state: String
    ) {
        (self.id, self.app, self.kind, self.realm) = (id, app, kind, realm)
        (self.fleet, self.state) = (fleet, state)
    }
}

extension JobStore {
    /// Looks at some apps: where their fleets stand that are at work, and which apps are not there any more.
    ///
    /// One statement for all: it is asked twice a second.
    public func look(at apps: [RealmModel.UUID]) throws -> FollowedApps {
        var found = FollowedApps()
        guard !apps.isEmpty else { return found }
        let ids = PostgresArray(apps)
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, fleet_id, concat_ws('-', state, pending, running, succeeded, failed, unchanged, undone, kept) AS revision
                FROM fleet WHERE app_id = ANY(\(ids)) AND (state IN ('canary', 'running', 'undoing') OR running > 0)
                UNION ALL SELECT followed.app_id, NULL, NULL
                FROM unnest(\(ids)) AS followed (app_id) LEFT JOIN app USING (app_id) WHERE app.app_id IS NULL
                """)
        }
        for row in rows {
            let app: RealmModel.UUID = try row.value("app_id")
            if let fleet: RealmModel.UUID = try row.optional("fleet_id") {
                found.fleets[FleetAtWork(app: app, id: fleet)] = try row.value("revision")
            } else {
                found.gone.insert(app)
            }
        }
        return found
    }
}

/// The state of apps that somebody follows.
public struct FollowedApps: Hashable, Sendable {
    /// Where the fleets stand that are at work: a text for each, which is another whenever that is another.
    public var fleets: [FleetAtWork: String]
    /// The apps that were removed.
    public var gone: Set<RealmModel.UUID>

    /// Says what was found.
    public init(fleets: [FleetAtWork: String] = [:], gone: Set<RealmModel.UUID> = []) {
        (self.fleets, self.gone) = (fleets, gone)
    }
}

/// A fleet that is at work, for those who follow its app.
public struct FleetAtWork: Hashable, Sendable {
    /// The app.
    public var app: RealmModel.UUID
    /// The fleet.
    public var id: RealmModel.UUID

    /// Names a fleet.
    public init(app: RealmModel.UUID, id: RealmModel.UUID) { (self.app, self.id) = (app, id) }
}
