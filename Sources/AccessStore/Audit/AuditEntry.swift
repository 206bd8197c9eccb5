import RealmModel
import StoreCore

/// One thing that somebody did, or tried to do.
public struct AuditEntry: Hashable, Sendable {
    /// A UUIDv7 of when it was begun.
    public var id: RealmModel.UUID
    /// When it was begun.
    public var at: Timestamp
    /// With which key.
    public var key: RealmModel.UUID
    /// The key's name at that time.
    public var keyName: String
    /// With which token of that key; nil where it was the key itself.
    public var token: RealmModel.UUID?
    /// In which app; nil where it concerns none, or one that nobody knows any more.
    public var app: String?
    /// The operation's name.
    public var operation: String
    /// The path of the request.
    public var path: String
    /// The request's id.
    public var requestID: String
    /// The status that was answered; nil where nobody was answered.
    public var status: Int?
    /// The job that the path names, by which the app is found; not kept.
    public var job: RealmModel.UUID?

    /// Says what was begun.
    public init(
        id: RealmModel.UUID, at: Timestamp, key: RealmModel.UUID, keyName: String, token: RealmModel.UUID? = nil,
        app: String?, operation: String, path: String, requestID: String, status: Int? = nil,
        job: RealmModel.UUID? = nil
    ) {
        self.id = id
        self.at = at
        self.key = key
        self.keyName = keyName
        self.token = token
        self.app = app
        self.operation = operation
        self.path = path
        self.requestID = requestID
        self.status = status
        self.job = job
    }
}

/// Which entries a list has.
public struct AuditFilter: Hashable, Sendable {
    /// The app whose entries are listed; nil for all.
    public var app: String?
    /// The key whose entries are listed; nil for all.
    public var key: RealmModel.UUID?
    /// From this time on; nil from the beginning.
    public var since: Timestamp?
    /// The apps whose entries may be seen; entries that concern no app are seen by those who see all.
    public var visible: VisibleApps

    /// Takes all that may be seen, unless said otherwise.
    public init(
        app: String? = nil, key: RealmModel.UUID? = nil, since: Timestamp? = nil, among visible: VisibleApps = .all
    ) {
        self.app = app
        self.key = key
        self.since = since
        self.visible = visible
    }
}
