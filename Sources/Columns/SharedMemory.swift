import RealmModel
import Synchronization

/// The bytes that budgets hold together, such as those of all requests that a service works on.
///
/// An owner's budgets hold at most half of it, and the last eighth is for budgets that hold little. Where budgets want more than
/// there is, the one that holds most waits for the others, and has the preference until its end: those that it competes with
/// get no more than little, and are soon out of its way. So of many that begin at once one goes on, however often the others
/// are tried again.
public final class SharedMemory: Sendable {
    /// The outcome of a claim.
    enum Claim: Hashable {
        case granted
        /// Refused for now: those that hold less have to end.
        case wait
        case refused
    }

    private struct Account {
        let owner: UUID?
        var bytes: Int
        /// With whom it competes for what it waits for, or has waited for.
        var preference: Rivals?
    }

    private enum Rivals {
        case all
        case ofOwner
    }

    private struct State {
        var accounts: [ObjectIdentifier: Account] = [:]

        /// The others, and those of them that have the same owner.
        func others(
            _ holder: ObjectIdentifier, of owner: UUID?
        ) -> (all: [ObjectIdentifier: Account], own: [ObjectIdentifier: Account]) {
            let all = accounts.filter { $0.key != holder }
            return (all, owner == nil ? [:] : all.filter { $0.value.owner == owner })
        }

        /// Whether another budget goes before one.
        func isSecond(_ holder: ObjectIdentifier, of owner: UUID?) -> Bool {
            let (all, own) = others(holder, of: owner)
            return all.values.contains { $0.preference == .all } || own.values.contains { $0.preference != nil }
        }

        /// Whether a budget holds more than each of those that it competes with, so that it must not be refused beside them.
        func isLargest(_ holder: ObjectIdentifier, of owner: UUID?, among rivals: Rivals) -> Bool {
            guard let bytes = accounts[holder]?.bytes else { return false }
            let others = others(holder, of: owner)
            let compared = rivals == .all ? others.all : others.own
            return !compared.isEmpty && compared.allSatisfy { ($0.value.bytes, $0.key) < (bytes, holder) }
        }
    }

    private let limit: Int
    /// Lets a moment pass for a budget that waits.
    let pause: @Sendable () -> Void
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

    /// The most bytes of a budget that holds little.
    private var little: Int { limit / 32 }
    /// The least bytes that a budget claims: most requests claim once.
    var step: Int { limit / 4096 }

    /// Counts bytes that a budget wants to hold beside those that it holds.
    func claim(_ bytes: Int, for holder: ObjectIdentifier, of owner: UUID?) -> Claim {
        state.withLock { state in
            let wanted = (state.accounts[holder]?.bytes ?? 0) + bytes
            let isLittle = wanted <= little
            let (all, own) = state.others(holder, of: owner)
            let fitsOwner = wanted + own.values.reduce(0) { $0 + $1.bytes } <= limit / 2
            let fitsAll = wanted + all.values.reduce(0) { $0 + $1.bytes } <= limit - (isLittle ? 0 : limit / 8)
            let isSecond = state.isSecond(holder, of: owner)
            if fitsOwner, fitsAll, isLittle || !isSecond {
                state.accounts[holder, default: Account(owner: owner, bytes: 0)].bytes = wanted
                return .granted
            }
            let rivals: Rivals = fitsAll ? .ofOwner : .all
            guard !fitsOwner || !fitsAll, !isSecond, state.isLargest(holder, of: owner, among: rivals) else {
                return .refused
            }
            state.accounts[holder]?.preference = rivals
            return .wait
        }
    }

    /// Gives back all that a budget holds.
    func giveBack(of holder: ObjectIdentifier) { _ = state.withLock { $0.accounts.removeValue(forKey: holder) } }
}
