import RealmModel
import SnapshotStore

/// What whoever sends a request may see and do.
///
/// What may not be seen is answered as what is not there; what may be seen and not done, with 403.
struct Access: Hashable, Sendable {
    /// The key that came with the request; nil where none is needed.
    let key: RealmModel.UUID?
    /// What that key is called.
    let keyName: String
    /// What the key permits.
    let scopes: Set<KeyScope>
    /// Where it permits that.
    let apps: VisibleApps

    /// Nothing: for operations that need no key.
    static let none = Access(key: nil, scopes: [], apps: .named([]))

    init(key: RealmModel.UUID?, keyName: String = "", scopes: Set<KeyScope>, apps: VisibleApps) {
        self.key = key
        self.keyName = keyName
        self.scopes = scopes
        self.apps = apps
    }

    init(_ key: APIKey) {
        self.init(key: key.id, keyName: key.name, scopes: key.scopes, apps: key.apps)
    }

    /// Refuses an operation that the key does not permit.
    func check(_ requirement: Requirement) throws(APIError) {
        if case .scope(let scope) = requirement, !scopes.contains(scope) { throw .scopeMissing(scope) }
    }

    /// Whether an app of a name, there or not, may be seen with all that is in it.
    func sees(_ app: String) -> Bool { apps.contains(app) }
}

/// What an operation asks of a key.
enum Requirement: Hashable, Sendable {
    /// Nothing, not even that there is one.
    case noKey
    case scope(KeyScope)

    static let read = Requirement.scope(.read)
    static let write = Requirement.scope(.write)
    static let migrate = Requirement.scope(.migrate)
    static let admin = Requirement.scope(.admin)
}
