import Threads

/// A number of places for work that takes much; who finds none free is told when it is its turn, and takes no thread
/// meanwhile.
final class Slots: Sendable {
    private struct State {
        var free: Int
        var nextTicket = 0
        var taken: Set<Int> = []
        var waiting: [(ticket: Int, wake: @Sendable () -> Void)] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: at least 1.
    init(_ count: Int) {
        state = Mutex(State(free: max(1, count)))
    }

    /// Stands in line for a place, which is given back when the turn is let go of.
    ///
    /// - Parameter wake: called once when the turn has come later than at once; must not block.
    func turn(_ wake: @escaping @Sendable () -> Void) -> Turn {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            if state.free > 0 {
                state.free -= 1
                state.taken.insert(state.nextTicket)
            } else {
                state.waiting.append((state.nextTicket, wake))
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
        var hasCome: Bool { slots.state.withLock { $0.taken.contains(ticket) } }

        /// Gives the place to the next in line; later calls do nothing.
        func end() { slots.leave(ticket) }
    }

    private func leave(_ ticket: Int) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.taken.remove(ticket) != nil else {
                state.waiting.removeAll { $0.ticket == ticket }
                return nil
            }
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            let next = state.waiting.removeFirst()
            state.taken.insert(next.ticket)
            return next.wake
        }
        wake?()
    }
}
