import Postgres
import RealmFleet
import RealmModel
import SnapshotStore
import StoreCore

/// Lists of realms.
extension JobStore {
    /// The current snapshots of realms that are chosen by them: where few are at a version, all snapshots are read once.
    fileprivate static let snapshots: StaticString =
        "snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id"

    /// The current snapshot of each realm of a page: the plan does not know how short pages are, and must not read all snapshots.
    fileprivate static let snapshotOfEach: StaticString = """
        LATERAL (
            SELECT schema_version, object_counts, stored_bytes FROM snapshot
            WHERE app_id = r.app_id AND snapshot_id = r.current_id LIMIT 1
        ) AS s ON true
        """

    /// Realms whose last jobs a page asks for, where that decides which it has.
    fileprivate static let jobLookLimit = 1_000

    /// The realms of an app, with the last job of each.
    ///
    /// A page looks at a bounded number of realms where something is looked for that no index leads to: it may end early then, and the
    /// next one goes on.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func realms(
        in app: String, _ filter: RealmFilter = RealmFilter(), by order: RealmOrder = .name,
        _ page: PageRequest = PageRequest()
    ) throws -> Page<ListedRealm> {
        let after = try RealmPlace(page, order)
        return try pool.withConnection { connection in
            let app = try SnapshotStore.Apps.app(app, connection)
            let limit = filter.lastJob.isEmpty ? page.rowLimit : max(Self.jobLookLimit, page.rowLimit)
            let rows = try connection.query(
                """
                WITH r AS (\(realmsOf: app, filter, by: order, after: after, limit: limit))
                SELECT found.*, looked.looked_count, looked.last_name, looked.last_id FROM (
                    SELECT count(*) AS looked_count, \(lastIn: order) FROM r
                ) AS looked LEFT JOIN (
                    SELECT r.*, j.job_id, j.state FROM r LEFT JOIN \(lastJobOfRealm: app.name, among: filter.names) ON true
                    WHERE true \(and: "coalesce(j.state, 'none')", isOneOf: filter.lastJobNames)
                    ORDER BY r.\(unsafeSQL: order.columnAndDirection) LIMIT \(page.rowLimit)
                ) AS found ON true
                ORDER BY found.\(unsafeSQL: order.columnAndDirection)
                """)
            let found = try rows.filter { try $0.optional("name", as: String.self) != nil }
            var listed = try Page(
                found, page, .realms, item: { try ListedRealm(row: $0, app: app.name) },
                key: { RealmPlace($0.realm, order).text })
            if listed.next == nil, let row = rows.first {
                listed.next = try end(of: row, app, filter, by: order, after: after, limit: limit, connection)
                    .map { Cursor.text(.realms, $0.text) }
            }
            if page.wantsTotal { listed.total = try total(of: app, filter, connection) }
            return listed
        }
    }

    /// One realm as lists have it.
    ///
    /// - Parameter names: those that the reader may see; of jobs of fleets nothing is said to who does not see all.
    /// - Throws: `StoreError.notFound` (app, realm).
    public func realm(_ name: String, in app: String, among names: RealmNames? = nil) throws -> ListedRealm {
        try pool.withConnection { connection in
            let row = try connection.query(
                """
                SELECT r.*, j.job_id, j.state FROM (
                    SELECT \(unsafeSQL: Realm.columns), s.schema_version, s.object_counts, s.stored_bytes
                    FROM realm r LEFT JOIN \(unsafeSQL: Self.snapshotOfEach)
                    WHERE r.app_id = (SELECT app_id FROM app WHERE name = \(app)) AND r.name = \(name) LIMIT 1
                ) AS r LEFT JOIN \(lastJobOfRealm: app, among: names) ON true
                """
            ).first
            guard let row else {
                _ = try SnapshotStore.Apps.app(app, connection)
                throw StoreError.notFound(.realm, name)
            }
            return try ListedRealm(row: row, app: app)
        }
    }

    /// The place at which a page stopped looking although the list goes on; nil where it came to its end.
    private func end(
        of row: PostgresRow, _ app: App, _ filter: RealmFilter, by order: RealmOrder, after: RealmPlace?,
        limit: Int, _ connection: PostgresConnection
    ) throws -> RealmPlace? {
        if try row.value("looked_count", as: Int.self) == limit {
            return order.isByName ? .name(try row.value("last_name")) : .id(try row.value("last_id"))
        }
        if filter.isByJob, order.isByName, filter.labels.isEmpty, filter.names == nil {
            return try connection.query(
                """
                SELECT name FROM (\(namesByJobOf: app, filter.lastJob)) AS r (name) WHERE true \(behind: after, in: order)
                ORDER BY \(unsafeSQL: order.columnAndDirection) LIMIT 1 OFFSET \(Self.jobLookLimit - 1)
                """
            ).first.map { .name(try $0.value("name")) }
        }
        guard let looked = filter.lookLimit(by: order) else { return nil }
        return try connection.query(
            """
            SELECT name, realm_id FROM realm r WHERE app_id = \(app.id) \(behind: after, in: order)
            ORDER BY \(unsafeSQL: order.columnAndDirection) LIMIT 1 OFFSET \(looked - 1)
            """
        ).first.map { order.isByName ? .name(try $0.value("name")) : .id(try $0.value("realm_id")) }
    }

    /// The realms of all pages, as far as they are counted.
    private func total(
        of app: App, _ filter: RealmFilter, _ connection: PostgresConnection
    ) throws -> ListTotal {
        let order = RealmOrder.name
        guard !filter.isOfNamesAlone else { return try totalByName(of: app, filter.part, connection) }
        let limit = filter.lastJob.isEmpty ? ListTotal.largest + 1 : Self.jobLookLimit
        let row = try connection.query(
            """
            WITH r AS (\(realmsOf: app, filter, by: order, after: nil, limit: limit, isCounted: true))
            SELECT count(*) AS found, (SELECT count(*) FROM r) AS looked_count, (SELECT max(name) FROM r) AS last_name,
                NULL::uuid AS last_id
            FROM r \(joiningLastJob: !filter.lastJob.isEmpty, of: app.name, among: filter.names)
            WHERE true \(and: "coalesce(j.state, 'none')", isOneOf: filter.lastJobNames)
            """)[0]
        let end = try end(of: row, app, filter, by: order, after: nil, limit: limit, connection)
        return ListTotal(found: try row.value("found"), isComplete: end == nil)
    }

    /// The realms that have a part in their names, which the index of names tells.
    private func totalByName(
        of app: App, _ part: String?, _ connection: PostgresConnection
    ) throws -> ListTotal {
        let looked = RealmFilter(part: part).lookLimit(by: .name) ?? ListTotal.largest + 1
        let row = try connection.query(
            """
            SELECT count(*) AS found FROM \(firstOf: app, "name", by: .name, after: nil, limit: looked) looked
            WHERE true \(and: "name", hasPart: part)
            """)[0]
        let found: Int = try row.value("found")
        guard part != nil else { return ListTotal(found: found) }
        let end = try connection.query(
            "SELECT FROM realm WHERE app_id = \(app.id) ORDER BY name LIMIT 1 OFFSET \(looked)")
        return ListTotal(found: found, isComplete: end.isEmpty)
    }
}

/// A place in a list of realms.
private enum RealmPlace {
    case name(String)
    case id(RealmModel.UUID)

    init(_ realm: Realm, _ order: RealmOrder) { self = order.isByName ? .name(realm.name) : .id(realm.id) }

    /// Where the page before ended; nil at the beginning.
    init?(_ page: PageRequest, _ order: RealmOrder) throws(StoreError) {
        guard let key = try Cursor.key(.realms, page) else { return nil }
        guard !order.isByName else {
            self = .name(key)
            return
        }
        guard let id = RealmModel.UUID(key) else { throw .invalidCursor }
        self = .id(id)
    }

    var text: String {
        switch self {
        case .name(let name): name
        case .id(let id): "\(id)"
        }
    }
}

extension RealmFilter {
    fileprivate var lastJobNames: PostgresArray<String>? {
        lastJob.isEmpty ? nil : PostgresArray(lastJob.map(\.rawValue).sorted())
    }
}

extension PostgresStatement.Interpolation {
    /// Appends the query for some realms of an app in an order, with their current snapshots.
    fileprivate mutating func appendInterpolation(
        realmsOf app: App, _ filter: RealmFilter, by order: RealmOrder, after: RealmPlace?, limit: Int,
        isCounted: Bool = false
    ) {
        appendInterpolation(eachRangeOf: filter.names)
        appendLiteral("SELECT ")
        appendInterpolation(unsafeSQL: isCounted ? "r.app_id, r.realm_id, r.name" : Realm.columns)
        appendLiteral(isCounted ? " FROM " : ", s.schema_version, s.object_counts, s.stored_bytes FROM ")
        appendInterpolation(lookedAtOf: app, filter, by: order, after: after, limit: limit)
        appendLiteral(" r")
        if !isCounted || filter.version != nil {
            appendLiteral(" LEFT JOIN ")
            appendInterpolation(unsafeSQL: filter.isOfFew ? JobStore.snapshotOfEach : JobStore.snapshots)
        }
        appendLiteral(" WHERE r.app_id = ")
        appendInterpolation(app.id)
        appendInterpolation(behind: after, in: order)
        appendInterpolation(and: "r.name", isInRangeOf: filter.names)
        appendInterpolation(and: "s.schema_version", meets: filter.version)
        appendInterpolation(and: "r.labels", has: filter.labels)
        appendInterpolation(and: "r.kind", is: filter.kind?.rawValue)
        appendInterpolation(and: "r.name", hasPart: filter.part)
        // A realm without a snapshot stands at no version.
        if filter.version != nil { appendLiteral(" AND r.current_id IS NOT NULL") }
        appendLiteral(" ORDER BY r.")
        appendInterpolation(unsafeSQL: order.columnAndDirection)
        appendLiteral(" LIMIT ")
        appendInterpolation(limit)
        appendInterpolation(endOf: filter.names, orderedBy: order.columnAndDirection, limit: limit)
    }

    /// Appends the table of realms, or those of its rows that a page looks at.
    private mutating func appendInterpolation(
        lookedAtOf app: App, _ filter: RealmFilter, by order: RealmOrder, after: RealmPlace?, limit: Int
    ) {
        if filter.isByJob, filter.labels.isEmpty, filter.names == nil {
            return appendInterpolation(realmsByJobOf: app, filter.lastJob, by: order, after: after)
        }
        if let version = filter.version, filter.isOfVersionsAlone {
            return appendInterpolation(realmsOf: app, at: version, by: order, after: after, limit: limit)
        }
        guard let looked = filter.lookLimit(by: order) else {
            return appendInterpolation(realmsOf: app.id, having: filter.labels)
        }
        guard filter.part != nil, order.isByName else {
            return appendInterpolation(firstOf: app, "*", by: order, after: after, limit: looked)
        }
        // The index of names is enough to tell which realms are to be read.
        appendLiteral("(SELECT whole.* FROM (SELECT name FROM ")
        appendInterpolation(firstOf: app, "name", by: order, after: after, limit: looked)
        appendLiteral(" looked WHERE true")
        appendInterpolation(and: "name", hasPart: filter.part)
        if filter.isOfNamesAlone {
            appendLiteral(" ORDER BY ")
            appendInterpolation(unsafeSQL: order.columnAndDirection)
            appendLiteral(" LIMIT ")
            appendInterpolation(limit)
        }
        appendLiteral(") AS named CROSS JOIN LATERAL (SELECT * FROM realm WHERE app_id = ")
        appendInterpolation(app.id)
        appendLiteral(" AND name = named.name LIMIT 1) AS whole) AS")
    }

    /// Appends the first realms that were counted at versions that are meant, and all that were not counted since they changed, which are few.
    private mutating func appendInterpolation(
        realmsOf app: App, at version: VersionCondition, by order: RealmOrder, after: RealmPlace?, limit: Int
    ) {
        appendLiteral("((")
        if order.isByName {
            appendLiteral("SELECT r.* FROM (")
            appendInterpolation(versionsOf: app)
            appendLiteral(") AS known (version) CROSS JOIN LATERAL (")
        }
        appendLiteral("SELECT r.* FROM realm r WHERE is_uncounted IS NULL AND app_id = ")
        appendInterpolation(app.id)
        appendInterpolation(and: "counted_version", meetsCounted: version)
        if order.isByName { appendLiteral(" AND counted_version = known.version") }
        appendInterpolation(behind: after, in: order)
        appendLiteral(" ORDER BY ")
        appendInterpolation(unsafeSQL: order.columnAndDirection)
        appendLiteral(" LIMIT ")
        appendInterpolation(limit)
        if order.isByName { appendLiteral(") AS r") }
        appendLiteral(") UNION ALL SELECT r.* FROM realm r WHERE is_uncounted AND app_id = ")
        appendInterpolation(app.id)
        appendLiteral(") AS")
    }

    /// Appends the versions that realms of an app were counted at, each by a step in an index.
    private mutating func appendInterpolation(versionsOf app: App) {
        appendLiteral("WITH RECURSIVE known (version) AS ((SELECT counted_version FROM realm WHERE app_id = ")
        appendInterpolation(app.id)
        appendLiteral(" AND is_uncounted IS NULL AND counted_version IS NOT NULL ORDER BY counted_version LIMIT 1)")
        appendLiteral(
            " UNION ALL SELECT next.* FROM known CROSS JOIN LATERAL (SELECT counted_version FROM realm WHERE app_id = ")
        appendInterpolation(app.id)
        appendLiteral(" AND is_uncounted IS NULL AND counted_version > known.version ORDER BY counted_version LIMIT 1)")
        appendLiteral(" AS next) SELECT version FROM known")
    }

    /// Appends `AND`, and that a name has a part, whatever the case of its letters; nothing where there is none.
    fileprivate mutating func appendInterpolation(and column: StaticString, hasPart part: String?) {
        guard let part else { return }
        appendLiteral(" AND strpos(lower(")
        appendInterpolation(unsafeSQL: column)
        appendLiteral("), lower(")
        appendInterpolation(part)
        appendLiteral(")) > 0")
    }

    fileprivate mutating func appendInterpolation(
        firstOf app: App, _ columns: StaticString, by order: RealmOrder, after: RealmPlace?, limit: Int
    ) {
        appendLiteral("(SELECT ")
        appendInterpolation(unsafeSQL: columns)
        appendLiteral(" FROM realm r WHERE app_id = ")
        appendInterpolation(app.id)
        appendInterpolation(behind: after, in: order)
        appendLiteral(" ORDER BY ")
        appendInterpolation(unsafeSQL: order.columnAndDirection)
        appendLiteral(" LIMIT ")
        appendInterpolation(limit)
        appendLiteral(") AS")
    }

    /// Appends the realms that have a job, or are in a fleet, that may be their last one: the first of them where they are by name.
    private mutating func appendInterpolation(
        realmsByJobOf app: App, _ states: Set<RealmFilter.LastJobState>, by order: RealmOrder, after: RealmPlace?
    ) {
        appendLiteral("(SELECT named.* FROM (SELECT name FROM (")
        appendInterpolation(namesByJobOf: app, states)
        appendLiteral(") AS r (name)")
        if order.isByName {
            appendLiteral(" WHERE true")
            appendInterpolation(behind: after, in: order)
            appendLiteral(" ORDER BY ")
            appendInterpolation(unsafeSQL: order.columnAndDirection)
            appendLiteral(" LIMIT ")
            appendInterpolation(JobStore.jobLookLimit)
        }
        appendLiteral(") AS wanted (name) CROSS JOIN LATERAL (SELECT * FROM realm WHERE app_id = ")
        appendInterpolation(app.id)
        appendLiteral(" AND name = wanted.name LIMIT 1) AS named) AS")
    }

    /// Appends a query for the names of realms that have a job, or are in a fleet, that may be their last one.
    fileprivate mutating func appendInterpolation(namesByJobOf app: App, _ states: Set<RealmFilter.LastJobState>) {
        var isFirst = true
        for state in RealmFilter.LastJobState.allCases where states.contains(state) {
            appendLiteral(isFirst ? "" : " UNION ")
            isFirst = false
            switch state {
            case .queued:
                appendLiteral(
                    "SELECT realm_name FROM job WHERE state = 'queued' AND realm_name IS NOT NULL AND app_id = ")
                appendInterpolation(app.id)
                // A realm that failed, and whose turn comes again.
                appendLiteral(
                    """
                     UNION SELECT m.realm_name FROM fleet f JOIN fleet_member m USING (app_id, fleet_id)
                    WHERE f.pending > 0 AND m.state = 'pending' AND m.job_id IS NOT NULL AND f.app_id =\u{20}
                    """)
                appendInterpolation(app.id)
            case .running:
                appendLiteral(
                    "SELECT realm_name FROM job WHERE state = 'running' AND realm_name IS NOT NULL AND app_id = ")
                appendInterpolation(app.id)
                appendLiteral(" UNION SELECT realm_name FROM fleet_member WHERE state = 'running' AND app_id = ")
                appendInterpolation(app.id)
            case .failed:
                appendLiteral(
                    "SELECT realm_name FROM job WHERE state = 'failed' AND realm_name IS NOT NULL AND app_name = ")
                appendInterpolation(app.name)
                appendLiteral(" UNION SELECT realm_name FROM fleet_member WHERE state = 'failed' AND app_id = ")
                appendInterpolation(app.id)
            case .cancelled:
                appendLiteral(
                    "SELECT realm_name FROM job WHERE state = 'cancelled' AND realm_name IS NOT NULL AND app_name = ")
                appendInterpolation(app.name)
                // A realm that a fleet has given back, and does not take again.
                appendLiteral(
                    """
                     UNION SELECT m.realm_name FROM fleet f JOIN fleet_member m USING (app_id, fleet_id)
                    WHERE f.pending > 0 AND f.state IN ('cancelled', 'undoing', 'undone') AND m.state = 'pending'
                        AND m.job_id IS NOT NULL AND f.app_id =\u{20}
                    """)
                appendInterpolation(app.id)
            case .kept:
                appendLiteral("SELECT realm_name FROM fleet_member WHERE state = 'kept' AND app_id = ")
                appendInterpolation(app.id)
            case .succeeded, .unchanged, .undone, .none: break
            }
        }
    }

    /// Appends `AND`, and that a realm follows a place; nothing at the beginning.
    fileprivate mutating func appendInterpolation(behind place: RealmPlace?, in order: RealmOrder) {
        guard let place else { return }
        appendLiteral(" AND r.")
        appendInterpolation(unsafeSQL: order.column)
        appendInterpolation(unsafeSQL: order.comparison)
        switch place {
        case .name(let name): appendInterpolation(name)
        case .id(let id): appendInterpolation(id)
        }
    }

    /// Appends the last of some realms in an order; no function has the greatest of ids.
    fileprivate mutating func appendInterpolation(lastIn order: RealmOrder) {
        switch order {
        case .name: appendLiteral("max(name) AS last_name, NULL::uuid AS last_id")
        case .nameReversed: appendLiteral("min(name) AS last_name, NULL::uuid AS last_id")
        case .createdAt: appendLiteral("NULL::text AS last_name, max(realm_id::text)::uuid AS last_id")
        case .createdAtReversed: appendLiteral("NULL::text AS last_name, min(realm_id::text)::uuid AS last_id")
        }
    }

    /// Appends a join with the last job of each realm, or with nothing.
    fileprivate mutating func appendInterpolation(
        joiningLastJob isWanted: Bool, of app: String, among names: RealmNames?
    ) {
        guard isWanted else { return }
        appendLiteral("LEFT JOIN ")
        appendInterpolation(lastJobOfRealm: app, among: names)
        appendLiteral(" ON true")
    }

    /// Appends the last job of a realm `r`, as `j`, with its effect on the realm.
    fileprivate mutating func appendInterpolation(lastJobOfRealm app: String, among names: RealmNames?) {
        appendLiteral("LATERAL ((SELECT job_id, ")
        appendInterpolation(unsafeSQL: Self.effectOfOwnJob)
        appendLiteral(" AS state, created_at FROM job own WHERE app_name = ")
        appendInterpolation(app)
        appendLiteral(
            """
             AND realm_name = r.name AND app_id = r.app_id AND realm_id = r.realm_id
            ORDER BY created_at DESC, job_id DESC LIMIT 1)
            UNION ALL
            -- Fleet by fleet from the newest: each knows its realms by their ids.
            (SELECT own.job_id, CASE
                    WHEN m.state = 'pending' AND f.state IN ('cancelled', 'undoing', 'undone') THEN 'cancelled'
                    WHEN m.state = 'pending' THEN 'queued' WHEN m.state = 'succeeded' AND m.result_id IS NULL THEN 'unchanged'
                    ELSE m.state END, own.created_at
            FROM fleet f JOIN fleet_member m USING (app_id, fleet_id) JOIN job own ON own.job_id = m.job_id
            WHERE f.app_id = r.app_id AND m.realm_id = r.realm_id
                -- Fleets are of other realms, too, than those that the list may show.
                AND\u{20}
            """)
        appendInterpolation(names == nil)
        appendLiteral(
            """
             ORDER BY f.created_at DESC, f.fleet_id DESC LIMIT 1)
            ORDER BY created_at DESC, job_id DESC LIMIT 1) AS j
            """)
    }

    /// The effect of a realm's own job on it.
    ///
    /// A migration that succeeds has a result: its source, where it changed nothing. That of a rehearsal is a preview until it is promoted.
    private static let effectOfOwnJob: StaticString = """
        CASE WHEN state = 'succeeded' AND kind = 'migration' AND EXISTS (
            SELECT FROM migration_job g LEFT JOIN snapshot made ON made.app_id = g.app_id AND made.snapshot_id = g.result_id
            WHERE g.app_id = own.app_id AND g.job_id = own.job_id AND (
                g.result_id IS NULL OR g.result_id = g.source_id OR made.preview_until IS NOT NULL
                OR made.snapshot_id IS NULL AND EXISTS (
                    SELECT FROM job_report p WHERE p.app_id = own.app_id AND p.job_id = own.job_id)))
        THEN 'unchanged' ELSE state END
        """
}
