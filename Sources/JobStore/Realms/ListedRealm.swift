import Postgres
import RealmFleet
import RealmModel
import SnapshotStore
import StoreCore

/// A realm as lists have it: with what stands out of its current snapshot and its jobs.
public struct ListedRealm: Hashable, Sendable {
    /// The realm.
    public var realm: Realm
    /// Its current snapshot; nil before the first upload.
    public var current: Current?
    /// The job that was made last of those that had the realm, its own or, in a list of all realms, a fleet's; nil where there
    /// is none.
    public var lastJob: LastJob?

    /// The main figures of a realm's current snapshot.
    public struct Current: Hashable, Sendable {
        /// The schema version; nil where the realm was never given one.
        public var schemaVersion: UInt64?
        /// Its objects, embedded ones included.
        public var objectCount: Int
        /// Bytes of the segments that it names.
        public var storedBytes: Int
    }

    /// A job in short.
    public struct LastJob: Hashable, Sendable {
        /// A UUIDv7.
        public var id: RealmModel.UUID
        /// Where it stands; of a fleet's job, which has many realms, how this one fared.
        public var state: JobState
    }
}

/// Which realms a list shows: those that agree with everything that is set.
public struct RealmFilter: Hashable, Sendable {
    /// The schema version of the current snapshot.
    public var version: VersionCondition?
    /// Labels that they have.
    public var labels: [String: String]
    /// The realms that the list may show; nil for all.
    public var names: RealmNames?

    /// All, unless something is set.
    public init(version: VersionCondition? = nil, labels: [String: String] = [:], among names: RealmNames? = nil) {
        self.version = version
        self.labels = labels
        self.names = names
    }

    /// Whether the snapshots need not be read to know which realms there are.
    var isOfFew: Bool { version == nil || !labels.isEmpty }
}

extension ListedRealm {
    init(row: PostgresRow, app: String) throws {
        realm = try Realm(row: row, app: app)
        if realm.currentSnapshot != nil {
            let counts = try row.document("object_counts", as: StoredCounts.self).counts
            current = Current(
                schemaVersion: try row.optional("schema_version", as: StoredVersion.self)?.number,
                objectCount: counts.reduce(0) { $0 + $1.count }, storedBytes: try row.value("stored_bytes"))
        }
        lastJob = try row.optional("job_id", as: RealmModel.UUID.self).map { id in
            guard let state = JobState(rawValue: try row.value("state")) else {
                throw StoreError.damaged("a job's state")
            }
            return LastJob(id: id, state: state)
        }
    }
}

extension JobStore {
    /// The current snapshots of realms that are chosen by them: where few are at a version, all snapshots are read once.
    private static let snapshots: StaticString = "snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id"

    /// The current snapshot of each realm of a page: the plan does not know how short pages are, and must not read all snapshots.
    private static let snapshotOfEach: StaticString = """
        LATERAL (
            SELECT schema_version, object_counts, stored_bytes FROM snapshot
            WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1
        ) AS s ON true
        """

    /// The realms of an app by name, with the last job of each.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func realms(
        in app: String, _ filter: RealmFilter = RealmFilter(), _ page: PageRequest = PageRequest()
    ) throws -> Page<ListedRealm> {
        let after = try Cursor.key(.realms, page) ?? ""
        return try pool.withConnection { connection in
            let app = try SnapshotStore.Apps.app(app, connection)
            let rows = try connection.query(
                """
                SELECT r.*, j.job_id, j.state FROM (
                    \(eachRangeOf: filter.names)
                    SELECT \(unsafeSQL: Realm.columns), s.schema_version, s.object_counts, s.stored_bytes
                    FROM \(realmsOf: app.id, having: filter.labels) r
                    LEFT JOIN \(unsafeSQL: filter.isOfFew ? Self.snapshotOfEach : Self.snapshots)
                    WHERE r.app_id = \(app.id) AND r.name > \(after) \(and: "r.name", isInRangeOf: filter.names)
                        \(and: "s.schema_version", meets: filter.version)\(and: "r.labels", has: filter.labels)
                        -- A realm without a snapshot stands at no version.
                        AND (r.current_id IS NOT NULL OR \(filter.version == nil))
                    ORDER BY r.name LIMIT \(page.rowLimit)
                    \(endOf: filter.names, orderedBy: "name", limit: page.rowLimit)
                ) AS r LEFT JOIN LATERAL (
                    (SELECT job_id, state, created_at FROM job
                    WHERE app_name = \(app.name) AND realm_name = r.name AND app_id = r.app_id AND realm_id = r.realm_id
                    ORDER BY created_at DESC, job_id DESC LIMIT 1)
                    UNION ALL
                    -- Fleet by fleet from the newest: each knows its realms by their ids.
                    (SELECT own.job_id, CASE m.state
                            WHEN 'pending' THEN 'queued' WHEN 'running' THEN 'running' WHEN 'failed' THEN 'failed'
                            ELSE 'succeeded' END, own.created_at
                    FROM fleet f JOIN fleet_member m USING (app_id, fleet_id) JOIN job own ON own.job_id = m.job_id
                    WHERE f.app_id = r.app_id AND m.realm_id = r.realm_id
                        -- Fleets are of other realms, too, than those that the list may show.
                        AND \(filter.names == nil)
                    ORDER BY f.created_at DESC, f.fleet_id DESC LIMIT 1)
                    ORDER BY created_at DESC, job_id DESC LIMIT 1
                ) AS j ON true
                ORDER BY r.name
                """)
            return try Page(
                rows, page, .realms, item: { try ListedRealm(row: $0, app: app.name) }, key: \.realm.name)
        }
    }
}

extension PostgresStatement.Interpolation {
    /// Appends `AND`, and that a schema version is one that is meant; nothing where there is no condition.
    ///
    /// - Parameter column: a version; null is below all others.
    mutating func appendInterpolation(and column: StaticString, meets condition: VersionCondition?) {
        guard let condition else { return }
        appendLiteral(" AND coalesce(")
        appendInterpolation(unsafeSQL: column)
        switch condition.relation {
        case .less: appendLiteral(", -1) < ")
        case .lessOrEqual: appendLiteral(", -1) <= ")
        case .greater: appendLiteral(", -1) > ")
        case .greaterOrEqual: appendLiteral(", -1) >= ")
        case .equal: appendLiteral(", -1) = ")
        case .notEqual: appendLiteral(", -1) <> ")
        }
        appendInterpolation(StoredVersion(condition.version))
    }

    /// Appends the table of realms, or those of its rows that have some names or the first of some labels, each of which is looked up;
    /// by a label in the order of their names.
    ///
    /// The digest may be another label's as well: the labels themselves are to be compared besides.
    mutating func appendInterpolation(
        realmsOf app: RealmModel.UUID, having labels: [String: String], named names: PostgresArray<String>? = nil
    ) {
        if let names {
            appendLiteral("(SELECT named.* FROM (SELECT DISTINCT unnest(")
            appendInterpolation(names)
            appendLiteral(")) AS wanted (name) CROSS JOIN LATERAL (SELECT * FROM realm WHERE app_id = ")
            appendInterpolation(app)
            return appendLiteral(" AND name = wanted.name LIMIT 1) AS named) AS")
        }
        guard let (name, value) = labels.min(by: { $0.key < $1.key }) else { return appendLiteral("realm") }
        appendLiteral(
            """
            (
                SELECT l.app_id, l.realm_id, l.realm_name AS name, kind, current_id, created_at, development_mode, is_terminated,
                    unsynced_count, recovery_id, retired, representation, labels
                FROM realm_label l CROSS JOIN LATERAL (
                    SELECT * FROM realm WHERE app_id = l.app_id AND realm_id = l.realm_id LIMIT 1
                ) AS labelled
                WHERE l.app_id =\u{20}
            """)
        appendInterpolation(app)
        appendLiteral(" AND l.label = label_digest(")
        appendInterpolation(name)
        appendLiteral(", ")
        appendInterpolation(value)
        appendLiteral(")) AS")
    }

    /// Appends `AND`, and that a realm has labels; nothing where there are none.
    mutating func appendInterpolation(and column: StaticString, has labels: [String: String]) {
        guard !labels.isEmpty else { return }
        appendLiteral(" AND ")
        appendInterpolation(unsafeSQL: column)
        appendLiteral(" @> (")
        appendInterpolation(RealmLabels(labels).json)
        appendLiteral("::text)::jsonb")
    }
}
