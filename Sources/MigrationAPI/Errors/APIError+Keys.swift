import AccessStore
import Problems

/// Keys: who asks, for what, how often.
extension APIError {
    /// No key was given, or none that is known.
    static func unauthorized(isKeyGiven: Bool) -> APIError {
        APIError(
            .unauthorized,
            isKeyGiven ? "The key is not known." : "A key is needed, as Authorization: Bearer KEY.",
            fields: [
                "WWW-Authenticate": "Bearer realm=\"realmshift\"" + (isKeyGiven ? ", error=\"invalid_token\"" : "")
            ])
    }

    /// A browser's session is over.
    static let sessionEnded = APIError(.sessionEnded, "The session has ended: sign in again.")

    /// A page of another origin may have sent a request with the cookie that a browser adds by itself.
    static let foreignOrigin = APIError(
        .foreignOrigin,
        "A session is for the service's own pages: the request does not come from one, by Sec-Fetch-Site and Origin.")

    /// A cookie would travel in the clear.
    static let sessionNeedsHTTPS = APIError(
        .sessionNeedsHTTPS,
        "A session needs HTTPS, except on the machine itself: serve with --tls-cert and --tls-key, or say by --public-url "
            + "which https address the proxy in front has.")

    /// The key does not permit the operation.
    static func scopeMissing(_ scope: KeyScope) -> APIError {
        APIError(.scopeMissing, "The key has not the scope \(scope.rawValue).")
    }

    /// The operation is about more than realms, and a token has nothing else.
    static let notForTokens = APIError(
        .notForTokens,
        "The operation is about more than realms, which are all that a token opens: it needs a key.")

    /// The key gives access to some apps, and the operation is about all of them.
    static let allAppsMissing = APIError(
        .scopeMissing,
        "The figures are of all apps together: a key needs the scope \(KeyScope.read.rawValue) and no apps of its own.")

    /// The key sends more requests than it may; another is answered after a time.
    static func rateLimited(untilNext: Duration) -> APIError {
        APIError(
            .rateLimited, "The key has sent as many requests as it may for now.",
            fields: ["Retry-After": "\(max(1, untilNext.wholeSeconds))"])
    }
}
