import AccessStore
import HTTPServer
import RealmModel
import Threads

/// Tells what a bearer key or token (RFC 6750) or a browser's session gives access to.
///
/// The database knows the keys, the tokens and the sessions; those that it knew a moment ago are remembered by their digests, so that most requests need not
/// ask. A key that is removed by this process opens no door from then on, one that another removes a second longer.
final class BearerKeys: Sendable {
    private struct Remembered {
        var digest: [UInt8]
        var access: Access
        var until: ContinuousClock.Instant
    }

    /// How long a key that was removed elsewhere, or expired, may go on to open doors.
    private static let memory = Duration.seconds(1)
    private static let capacity = 256

    private let access: AccessStore
    private let cookie: SessionCookie
    private let remembered = Mutex<[Remembered]>([])

    init(_ access: AccessStore, cookie: SessionCookie) {
        self.access = access
        self.cookie = cookie
    }

    /// The key or the token in a request's `Authorization` or, where there is no such field, the secret of the session in its cookie;
    /// nil where there is neither.
    func secret(of head: HTTPRequestHead) -> String? {
        guard let field = head.fields["Authorization"] else { return cookie.secret(in: head.fields["Cookie"]) }
        // By a cookie alone: nobody looks at the origin of a bearer's requests.
        guard let key = Self.key(in: field), !key.isEmpty, !key.hasPrefix(Session.mark) else { return nil }
        return key
    }

    /// The key of an `Authorization` field; nil where it is of another scheme.
    static func key(in field: String?) -> String? {
        guard let field, let space = field.utf8.firstIndex(of: 0x20) else { return nil }
        guard field[..<space].isToken("bearer") else { return nil }
        return String(Substring(field.utf8[space...].drop { $0 == 0x20 }))
    }

    /// The access that the key gave a moment ago; nil where nobody has asked.
    ///
    /// Does not block.
    func remembered(_ key: String) -> Access? {
        let digest = SHA256.digest(Array(key.utf8))
        let now = ContinuousClock.now
        return remembered.withLock { remembered in
            remembered.reduce(nil) { $1.until > now && Self.isEqual($1.digest, digest) ? $1.access : $0 }
        }
    }

    /// The access that the key gives.
    ///
    /// - Throws: `unauthorized`, `sessionEnded` where the database does not know it.
    func access(_ key: String) throws -> Access {
        let known: Access? =
            if key.hasPrefix(RealmToken.mark) {
                try access.tokens.find(authenticating: key).map { Access($0) }
            } else if key.hasPrefix(Session.mark) {
                try access.sessions.find(authenticating: key).map { Access($0) }
            } else {
                try access.keys.find(authenticating: key).map { Access($0) }
            }
        guard let access = known else {
            throw key.hasPrefix(Session.mark) ? APIError.sessionEnded : APIError.unauthorized(isKeyGiven: true)
        }
        remember(SHA256.digest(Array(key.utf8)), access)
        return access
    }

    /// Refuses a request whose key, token or session has ended since it was let in.
    ///
    /// - Throws: `unauthorized`, `sessionEnded`; what the database throws.
    func requireStill(_ head: HTTPRequestHead, for requirement: Requirement) throws {
        guard requirement != .noKey, let key = secret(of: head), remembered(key) == nil else { return }
        _ = try access(key)
    }

    /// Forgets what a key, with its tokens and sessions, or one of these gives access to, since it was removed.
    func forget(_ id: RealmModel.UUID) {
        remembered.withLock { $0.removeAll { $0.access.key == id || $0.access.holder == id } }
    }

    /// Forgets the tokens of an app that was deleted: another of its name has none of them.
    func forgetTokens(ofApp name: String) {
        remembered.withLock { $0.removeAll { $0.access.realms?.app.hasSameBytes(as: name) ?? false } }
    }

    private func remember(_ digest: [UInt8], _ access: Access) {
        let now = ContinuousClock.now
        remembered.withLock { remembered in
            remembered.removeAll { $0.until <= now || $0.digest == digest }
            if remembered.count >= Self.capacity { remembered.removeFirst() }
            remembered.append(Remembered(digest: digest, access: access, until: now + Self.memory))
        }
    }

    /// Takes the same time wherever the two differ.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        // In parentheses: Swift gives | and ^ the same precedence.
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
