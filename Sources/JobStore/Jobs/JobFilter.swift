import Postgres
import RealmModel
import StoreCore

/// Which jobs a list shows: those that agree with everything that is set.
public struct JobFilter: Hashable, Sendable {
    /// The apps that the list may show.
    public var visible: VisibleApps
    /// The realms that the list may show, whose jobs alone it has; nil for all jobs of the apps.
    public var realms: VisibleRealms?
    /// The app's name.
    public var app: String?
    /// The realm's name.
    public var realm: String?
    /// Their states; empty for all.
    public var states: Set<JobState>
    /// Their kinds; empty for all.
    public var kinds: Set<JobKind> = []
    /// The fleet whose realms they migrate.
    public var fleet: RealmModel.UUID?
    /// From this time on, by when they were made.
    public var since: Timestamp?
    /// Before this time.
    public var until: Timestamp?

    /// A filter that shows all jobs unless something is set.
    public init(
        app: String? = nil, realm: String? = nil, state: JobState? = nil, among visible: VisibleApps = .all,
        realms: VisibleRealms? = nil
    ) {
        self.visible = visible
        self.realms = realms
        self.app = app
        self.realm = realm
        states = state.map { [$0] } ?? []
    }

    /// The most jobs that a page looks at, in the list's order; nil where an index leads to those that fit.
    var lookLimit: Int? {
        guard realms == nil, app == nil || realm == nil else { return nil }
        let isOfIndex = states.count == 1 && states.isSubset(of: [.queued, .running, .failed])
        let isOfAll = states.isEmpty && kinds.isEmpty && fleet == nil && app == nil && visible == .all
        return isOfIndex || isOfAll ? nil : 20_000
    }
}

/// The order of a list of jobs.
public enum JobOrderOfList: String, Hashable, Sendable, CaseIterable {
    case newest = "-createdAt"
    case oldest = "createdAt"

    /// The columns whose order it is, as ORDER BY has them.
    var columns: StaticString {
        self == .newest ? "created_at DESC, job_id DESC" : "created_at, job_id"
    }
}

extension PostgresStatement.Interpolation {
    /// Appends the table of jobs, or those of its rows that a page looks at: of some realms, or the first behind a place.
    mutating func appendInterpolation(
        jobsOf filter: JobFilter, by order: JobOrderOfList, after place: (time: Timestamp, id: RealmModel.UUID)
    ) {
        if let realms = filter.realms {
            appendLiteral("(")
            appendInterpolation(eachRangeOf: realms.names)
            appendLiteral("SELECT * FROM job WHERE app_name = ")
            appendInterpolation(realms.app)
            appendInterpolation(and: "realm_name", isInRangeOf: realms.names)
            // OFFSET keeps the order and the limit of the list out of the query.
            return appendLiteral(" OFFSET 0) AS found) AS job")
        }
        guard let limit = filter.lookLimit else { return appendLiteral("job") }
        appendLiteral("(SELECT * FROM job WHERE ")
        appendInterpolation(jobsBehind: place, by: order, of: filter)
        appendLiteral(" ORDER BY ")
        appendInterpolation(unsafeSQL: order.columns)
        appendLiteral(" LIMIT ")
        appendInterpolation(limit)
        appendLiteral(") AS job")
    }

    /// Appends that a job follows a place in a list, and was made in the time that is meant.
    mutating func appendInterpolation(
        jobsBehind place: (time: Timestamp, id: RealmModel.UUID), by order: JobOrderOfList, of filter: JobFilter
    ) {
        appendLiteral(order == .newest ? "(created_at, job_id) < (" : "(created_at, job_id) > (")
        appendInterpolation(place.time)
        appendLiteral(", ")
        appendInterpolation(place.id)
        appendLiteral(")")
        if let since = filter.since {
            appendLiteral(" AND created_at >= ")
            appendInterpolation(since)
        }
        guard let until = filter.until else { return }
        appendLiteral(" AND created_at < ")
        appendInterpolation(until)
    }

    /// Appends `AND`, and all that a job has to agree with besides its time.
    mutating func appendInterpolation(andJobIsOf filter: JobFilter) {
        appendInterpolation(and: "app_name", is: filter.app)
        appendInterpolation(and: "realm_name", is: filter.realm)
        appendInterpolation(and: "fleet_id", is: filter.fleet)
        appendInterpolation(and: "app_name", isOneOf: filter.visible.names)
        appendInterpolation(
            and: "kind", isOneOf: filter.kinds.isEmpty ? nil : PostgresArray(filter.kinds.map(\.rawValue).sorted()))
        guard !filter.states.isEmpty else { return }
        // The statement names the states rather than a parameter: indexes have jobs of some states alone.
        let names = JobState.allCases.filter(filter.states.contains).map { "'\($0.rawValue)'" }
        appendLiteral(
            names.count == 1 ? " AND state = \(names[0])" : " AND state IN (\(names.joined(separator: ", ")))")
    }
}
