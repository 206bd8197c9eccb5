import RealmModel
import Threads

/// A number of places for work that takes much; who finds none free is told when it is its turn, and takes no thread
/// meanwhile.
///
/// A place that becomes free goes to the key that has the fewest, of those who wait; of one key's to who waits longest. Spare places
/// are for keys that have none, so that one key's work, however long it takes, keeps no other's waiting.
final class Slots: Sendable {
    private struct State {
        let count: Int
        let spare: Int
        var nextTicket = 0
        /// The tickets that have a place, and whose they are.
        var taken: [Int: RealmModel.UUID?] = [:]
        var waiting: [(ticket: Int, key: RealmModel.UUID?, wake: @Sendable () -> Void)] = []

        func places(of key: RealmModel.UUID?) -> Int { taken.values.count { $0 == key } }

        func hasPlace(for key: RealmModel.UUID?) -> Bool {
            taken.count < count || key != nil && taken.count < count + spare && places(of: key) == 0
        }
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: places for all, at least 1.
    ///   - spare: further ones, for keys that have none.
    init(_ count: Int, spare: Int = 0) {
        state = Mutex(State(count: max(1, count), spare: spare))
    }

    /// Stands in line for a place, which is given back when the turn is let go of.
    ///
    /// - Parameters:
    ///   - key: who stands there.
    ///   - wake: called once when the turn has come later than at once; must not block.
    func turn(of key: RealmModel.UUID? = nil, _ wake: @escaping @Sendable () -> Void) -> Turn {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            if state.hasPlace(for: key) {
                state.taken[state.nextTicket] = .some(key)
            } else {
                state.waiting.append((state.nextTicket, key, wake))
            }
            return state.nextTicket
        }
        return Turn(ticket: ticket, slots: self)
    }

    /// A place in the line, and then among those that work.
    final class Turn: Sendable {
        private let ticket: Int
        private let slots: Slots

        fileprivate init(ticket: Int, slots: Slots) {
            self.ticket = ticket
            self.slots = slots
        }

        deinit { slots.leave(ticket) }

        /// Whether the work may begin.
        var hasCome: Bool { slots.state.withLock { $0.taken.keys.contains(ticket) } }

        /// Gives the place to the next in line; later calls do nothing.
        func end() { slots.leave(ticket) }
    }

    private func leave(_ ticket: Int) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.taken.removeValue(forKey: ticket) != nil else {
                state.waiting.removeAll { $0.ticket == ticket }
                return nil
            }
            let next = state.waiting.indices.min {
                (state.places(of: state.waiting[$0].key), $0) < (state.places(of: state.waiting[$1].key), $1)
            }
            guard let next, state.hasPlace(for: state.waiting[next].key) else { return nil }
            let chosen = state.waiting.remove(at: next)
            state.taken[chosen.ticket] = .some(chosen.key)
            return chosen.wake
        }
        wake?()
    }
}
