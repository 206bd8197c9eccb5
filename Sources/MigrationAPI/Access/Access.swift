import AccessStore
import JobStore
import RealmModel
import StoreCore

/// The things that the sender of a request may see and do.
///
/// A thing that the sender may not see is answered like one that is not there; an operation on a visible thing that it may
/// not do, with 403.
struct Access: Hashable, Sendable {
    /// The key that came with the request, or made the token that came; nil where none is needed.
    let key: RealmModel.UUID?
    /// The name of that key.
    let keyName: String
    /// The scopes of the key, or of the token.
    let scopes: Set<KeyScope>
    /// Where it permits that.
    let apps: VisibleApps
    /// The token that came in place of a key; nil for a key.
    let token: RealmModel.UUID?
    /// The realms of that token; nil for a key, which has all of its apps.
    let realms: VisibleRealms?
    /// The session that came in place of its key; nil for a key or a token that came itself.
    let session: RealmModel.UUID?

    /// Nothing: for operations that need no key.
    static let none = Access(key: nil, scopes: [], apps: .named([]))

    init(
        key: RealmModel.UUID?, keyName: String = "", scopes: Set<KeyScope>, apps: VisibleApps,
        session: RealmModel.UUID? = nil
    ) {
        self.key = key
        self.keyName = keyName
        self.scopes = scopes
        self.apps = apps
        self.session = session
        token = nil
        realms = nil
    }

    init(_ key: APIKey) {
        self.init(key: key.id, keyName: key.name, scopes: key.scopes, apps: key.apps)
    }

    init(_ session: Session) {
        let key = session.key
        self.init(key: key.id, keyName: key.name, scopes: key.scopes, apps: key.apps, session: session.id)
    }

    init(_ token: RealmToken) {
        key = token.maker
        keyName = token.makerName
        scopes = token.scopes
        apps = .named([token.app])
        self.token = token.id
        session = nil
        realms = VisibleRealms(app: token.app, names: token.realms)
    }

    /// The token or the key that came with the request, itself or as a session; limits and idempotency go by it.
    var credential: RealmModel.UUID? { token ?? key }

    /// The thing that ends the access with its own end: the session, the token or the key; event streams go by it.
    var holder: RealmModel.UUID? { session ?? credential }

    /// Refuses an operation that is not for tokens, where one came, and one that the key or the token does not permit.
    func check(_ requirement: Requirement, _ tokens: TokenBound) throws(APIError) {
        if token != nil && tokens == .refused { throw .notForTokens }
        try check(requirement)
    }

    /// Refuses what the key does not permit.
    func check(_ requirement: Requirement) throws(APIError) {
        switch requirement {
        case .noKey, .anyKey: break
        case .scope(let scope): if !has(scope) { throw .scopeMissing(scope) }
        case .deviceOr(let scope): if !has(scope) && !has(.device) { throw .scopeMissing(scope) }
        }
    }

    /// Whether the key or the token permits what a scope permits.
    func has(_ scope: KeyScope) -> Bool {
        scopes.contains(scope) || scope == .device && scopes.isSuperset(of: [.read, .write, .migrate])
    }

    /// Whether an app of a name, there or not, may be seen with all that is in it.
    func sees(_ app: String) -> Bool { apps.contains(app) }

    /// Whether a job may be looked at.
    ///
    /// A device sees those that devices of its key have asked for, whose scripts are declared ones.
    func sees(_ job: Job) -> Bool {
        guard sees(job.app) else { return false }
        if scopes.contains(.read) { return true }
        guard case .migration(let order) = job.order, let key else { return false }
        return order.request.deviceKey == key
    }

    /// An error as it may be told: a job that has a token's realm may be a fleet's, which has others, too.
    func shown(_ error: any Error) -> any Error {
        if realms != nil, case StoreError.migrationActive = error { APIError.migrationActive } else { error }
    }

    /// The tokens that may be seen: those that the key has made and, where it has the scope `admin`, all of its apps.
    ///
    /// - Throws: `unauthorized` where no key came.
    func visibleTokens() throws(APIError) -> VisibleTokens {
        guard let key else { throw .unauthorized(isKeyGiven: false) }
        return scopes.contains(.admin) ? .of(apps, orMadeBy: key) : .made(by: key)
    }
}

/// An operation's requirement of a key.
enum Requirement: Hashable, Sendable {
    /// Nothing, not even that there is one.
    case noKey
    /// That there is one, whatever its scopes: the operation asks for those that it needs.
    case anyKey
    case scope(KeyScope)
    /// The scope `device`, or another one.
    case deviceOr(KeyScope)

    static let read = Requirement.scope(.read)
    static let write = Requirement.scope(.write)
    static let migrate = Requirement.scope(.migrate)
    static let admin = Requirement.scope(.admin)
}
