import struct Synchronization.Atomic

/// How many bytes of whole answers a server holds until their clients have taken them.
///
/// Each request's own memory is its handler's to bound; what clients leave unread adds up, and is bounded here.
final class HeldBytes: Sendable {
    /// Smaller answers are not counted: connections are limited, too.
    static let least = 1 << 20

    private let limit: Int
    private let held = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// Counts an answer, for as long as the claim lives; nil where there is no room for it.
    func claim(_ bytes: Int) -> Claim? {
        guard held.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit else {
            held.wrappingSubtract(bytes, ordering: .relaxed)
            return nil
        }
        return Claim(bytes, of: self)
    }

    final class Claim: Sendable {
        private let bytes: Int
        private let account: HeldBytes

        fileprivate init(_ bytes: Int, of account: HeldBytes) {
            (self.bytes, self.account) = (bytes, account)
        }

        deinit { account.held.wrappingSubtract(bytes, ordering: .relaxed) }
    }
}
