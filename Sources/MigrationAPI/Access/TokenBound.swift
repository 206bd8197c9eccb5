/// How an operation keeps to the realms of a token (`POST /v1/tokens`).
///
/// It is checked before the operation is asked, and before its body is read. An operation that declares none concerns an app as a
/// whole, or the service, and refuses tokens.
enum TokenBound: Hashable, Sendable {
    /// It does not: only keys may ask for it.
    case refused
    /// Its path names the app and the realm, and what else it names belongs to that realm.
    case realm
    /// Its path names snapshots, by these parameters.
    case snapshots([String])
    /// Its path names a job, which is of one realm.
    case job
    /// It is a list that asks for what `Access.realms` has, and for nothing else; an app that its path names is the token's.
    case list

    /// Its path names a snapshot.
    static let snapshot = TokenBound.snapshots(["snapshot"])
}
