import AccessStore
import HTTPServer
import RealmModel
import Threads

/// Tells what a bearer key or token (RFC 6750) gives access to.
///
/// The database knows the keys and the tokens; those that it knew a moment ago are remembered by their digests, so that most requests need not
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
    private let remembered = Mutex<[Remembered]>([])

    init(_ access: AccessStore) {
        self.access = access
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

    /// The access that the key gives; nil where the database does not know it.
    func access(_ key: String) throws -> Access? {
        let known: Access? =
            key.hasPrefix(RealmToken.mark)
            ? try access.tokens.find(authenticating: key).map { Access($0) }
            : try access.keys.find(authenticating: key).map { Access($0) }
        guard let access = known else { return nil }
        remember(SHA256.digest(Array(key.utf8)), access)
        return access
    }

    /// Refuses a request whose key or token has ended since it was let in.
    ///
    /// - Parameter field: the `Authorization` field.
    /// - Throws: `unauthorized`; what the database throws.
    func requireStill(_ field: String?, for requirement: Requirement) throws {
        guard requirement != .noKey, let key = Self.key(in: field), remembered(key) == nil else { return }
        guard try access(key) != nil else { throw APIError.unauthorized(isKeyGiven: true) }
    }

    /// Forgets what a key, with its tokens, or a token gives access to, since it was removed.
    func forget(_ id: RealmModel.UUID) {
        remembered.withLock { $0.removeAll { $0.access.key == id || $0.access.token == id } }
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
