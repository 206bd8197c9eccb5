import RealmModel
import Threads

/// A number of places for work that takes much; who finds none free is told when it is its turn, and takes no thread
/// meanwhile.
///
/// A place that becomes free goes to the key that has the fewest, of those who wait; of one key's to who waits longest.
final class Slots: Sendable {
    private struct State {
        var free: Int
        var nextTicket = 0
        /// The tickets that have a place, and whose they are.
        var taken: [Int: RealmModel.UUID?] = [:]
        var waiting: [(ticket: Int, key: RealmModel.UUID?, wake: @Sendable () -> Void)] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: at least 1.
    init(_ count: Int) {
        state = Mutex(State(free: max(1, count)))
    }

    /// Stands in line for a place, which is given back when the turn is let go of.
    ///
    /// - Parameters:
    ///   - key: who stands there.
    ///   - wake: called once when the turn has come later than at once; must not block.
    func turn(of key: RealmModel.UUID? = nil, _ wake: @escaping @Sendable () -> Void) -> Turn {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            if state.free > 0 {
                state.free -= 1
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
            var places: [RealmModel.UUID?: Int] = [:]
            for key in state.taken.values { places[key, default: 0] += 1 }
            let next = state.waiting.indices.min {
                (places[state.waiting[$0].key] ?? 0, $0) < (places[state.waiting[$1].key] ?? 0, $1)
            }
            guard let next else {
                state.free += 1
                return nil
            }
            let chosen = state.waiting.remove(at: next)
            state.taken[chosen.ticket] = .some(chosen.key)
            return chosen.wake
        }
        wake?()
    }
}
