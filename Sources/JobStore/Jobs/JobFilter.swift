import Postgres
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
    /// The state.
    public var state: JobState?

    /// A filter that shows all jobs unless something is set.
    public init(
        app: String? = nil, realm: String? = nil, state: JobState? = nil, among visible: VisibleApps = .all,
        realms: VisibleRealms? = nil
    ) {
        self.visible = visible
        self.realms = realms
        self.app = app
        self.realm = realm
        self.state = state
    }

    /// The condition of the state, which the statement names rather than a parameter: indexes have jobs of some states alone.
    var stateCondition: StaticString {
        switch state {
        case nil: ""
        case .queued: " AND state = 'queued'"
        case .running: " AND state = 'running'"
        case .succeeded: " AND state = 'succeeded'"
        case .failed: " AND state = 'failed'"
        case .cancelled: " AND state = 'cancelled'"
        }
    }
}

extension PostgresStatement.Interpolation {
    /// Appends the table of jobs, or those of its rows that are of some realms.
    mutating func appendInterpolation(jobsOf realms: VisibleRealms?) {
        guard let realms else { return appendLiteral("job") }
        appendLiteral("(")
        appendInterpolation(eachRangeOf: realms.names)
        appendLiteral("SELECT * FROM job WHERE app_name = ")
        appendInterpolation(realms.app)
        appendInterpolation(and: "realm_name", isInRangeOf: realms.names)
        // OFFSET keeps the order and the limit of the list out of the query.
        appendLiteral(" OFFSET 0) AS found) AS job")
    }
}
