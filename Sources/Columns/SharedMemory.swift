import RealmModel
import Synchronization

/// The bytes that budgets hold together, such as those of all requests that a service works on.
///
/// Each owner may hold half of what the others leave, so that there is always some for the next. Where budgets ask for more than
/// there is, the one that holds most waits for the others; these are refused, and what they held is soon free. So many that
/// begin at once don't all fail.
public final class SharedMemory: Sendable {
    /// What comes of a claim.
    enum Claim: Hashable {
        case granted
        /// Refused for now: the others that compete hold less, and have to end.
        case wait
        case refused
    }

    private struct Account {
        let owner: UUID?
        var bytes: Int
    }

    private struct State {
        var accounts: [ObjectIdentifier: Account] = [:]

        /// The bytes that a budget holds with its owner's others, and that all hold.
        func held(with holder: ObjectIdentifier, of owner: UUID?) -> (own: Int, all: Int) {
            accounts.reduce(into: (0, 0)) { held, entry in
                held.1 += entry.value.bytes
                if isOwn(entry, holder, owner) { held.0 += entry.value.bytes }
            }
        }

        /// Whether a budget holds more than each of the others that it competes with: all, or its owner's.
        func isLargest(_ holder: ObjectIdentifier, of owner: UUID?) -> Bool {
            guard let own = accounts[holder] else { return false }
            let others = accounts.filter { $0.key != holder }
            return [others, others.filter { isOwn($0, holder, owner) }].contains { others in
                !others.isEmpty && others.allSatisfy { ($0.value.bytes, $0.key) < (own.bytes, holder) }
            }
        }

        private func isOwn(
            _ entry: (key: ObjectIdentifier, value: Account), _ holder: ObjectIdentifier, _ owner: UUID?
        ) -> Bool { entry.key == holder || owner != nil && entry.value.owner == owner }
    }

    let pause: @Sendable () -> Void
    private let limit: Int
    private let state = Mutex(State())

    /// Memory that nobody holds.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are held at once.
    ///   - pause: lets a moment pass for a budget that waits: the others are on their way out, and tell nobody when they are.
    public init(limit: Int, pause: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.pause = pause
    }

    /// Counts bytes that a budget wants to hold beside those that it holds.
    func claim(_ bytes: Int, for holder: ObjectIdentifier, of owner: UUID?) -> Claim {
        state.withLock { state in
            let held = state.held(with: holder, of: owner)
            guard held.own + bytes <= (limit - (held.all - held.own)) / 2 else {
                return state.isLargest(holder, of: owner) ? .wait : .refused
            }
            state.accounts[holder, default: Account(owner: owner, bytes: 0)].bytes += bytes
            return .granted
        }
    }

    /// Gives back all that a budget holds.
    func giveBack(of holder: ObjectIdentifier) { _ = state.withLock { $0.accounts.removeValue(forKey: holder) } }
}
