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
}
