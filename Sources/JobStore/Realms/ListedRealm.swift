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
        /// What it did to the realm, of the many of a fleet's job, too; never `none`.
        public var state: RealmFilter.LastJobState
    }
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
            guard let state = RealmFilter.LastJobState(rawValue: try row.value("state")) else {
                throw StoreError.damaged("a job's state")
            }
            return LastJob(id: id, state: state)
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
        appendLiteral(", -1)")
        appendInterpolation(is: condition)
    }

    /// Appends `AND`, and that a version is one that is meant.
    ///
    /// - Parameter column: a version; -1 is below all others. An index that has it is made use of.
    mutating func appendInterpolation(and column: StaticString, meetsCounted condition: VersionCondition) {
        appendLiteral(" AND ")
        appendInterpolation(unsafeSQL: column)
        appendInterpolation(is: condition)
    }

    private mutating func appendInterpolation(is condition: VersionCondition) {
        switch condition.relation {
        case .less: appendLiteral(" < ")
        case .lessOrEqual: appendLiteral(" <= ")
        case .greater: appendLiteral(" > ")
        case .greaterOrEqual: appendLiteral(" >= ")
        case .equal: appendLiteral(" = ")
        case .notEqual: appendLiteral(" <> ")
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
