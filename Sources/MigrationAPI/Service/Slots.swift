import RealmModel
import Threads

/// A number of places for work that takes much, such as threads or mebibytes; who finds too few free is told when it is its turn, and
/// takes no thread meanwhile.
///
/// Places that become free go to the key that has the fewest, of those who wait; of one key's to who waits longest. Spare places
/// are for keys that have none, so that one key's work, however long it takes, keeps no other's waiting. Half of them are also for
/// those among a key's parts, its tokens for instance, that have none: a key with many tokens takes the other half from nobody.
final class Slots: Sendable {
    private struct Holder {
        let key: RealmModel.UUID?
        let part: RealmModel.UUID?
        let places: Int
    }

    private struct State {
        let count: Int
        let spare: Int
        var nextTicket = 0
        /// Who has places, by ticket.
        var taken: [Int: Holder] = [:]
        var waiting: [(ticket: Int, holder: Holder, wake: @Sendable () -> Void)] = []

        func hasPlaces(for holder: Holder, behind others: Bool) -> Bool {
            let all = taken.values.reduce(holder.places) { $0 + $1.places }
            if all <= count, !others { return true }
            guard holder.key != nil else { return false }
            let ofKey = taken.values.filter { $0.key == holder.key }
            if ofKey.isEmpty { return all <= count + spare }
            return holder.part != nil && all <= count + spare / 2 && !ofKey.contains { $0.part == holder.part }
        }

        /// Gives free places to the next in line.
        mutating func admitNext() -> (@Sendable () -> Void)? {
            let ofKeys = taken.values.reduce(into: [:]) { $0[$1.key, default: 0] += $1.places }
            let ofParts = taken.values.reduce(into: [:]) { $0[$1.part, default: 0] += $1.places }
            let held = waiting.map { (ofKeys[$0.holder.key] ?? 0, ofParts[$0.holder.part] ?? 0) }
            let next = waiting.indices.min { (held[$0].0, held[$0].1, $0) < (held[$1].0, held[$1].1, $1) }
            guard let next, hasPlaces(for: waiting[next].holder, behind: false) else { return nil }
            let chosen = waiting.remove(at: next)
            taken[chosen.ticket] = chosen.holder
            return chosen.wake
        }
    }

    /// Places for all.
    let count: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: places for all, at least 1.
    ///   - spare: further ones, for keys that have none.
    init(_ count: Int, spare: Int = 0) {
        self.count = max(1, count)
        state = Mutex(State(count: self.count, spare: spare))
    }

    /// Stands in line for places, which are given back when the turn is let go of.
    ///
    /// - Parameters:
    ///   - key: who stands there.
    ///   - part: who it is among those who stand there for the key; nil where that does not count.
    ///   - places: from 1 up; as many as there are, where that is fewer.
    ///   - wake: called once when the turn has come later than at once; must not block.
    func turn(
        of key: RealmModel.UUID? = nil, part: RealmModel.UUID? = nil, places: Int = 1,
        _ wake: @escaping @Sendable () -> Void
    ) -> Turn {
        let places = min(max(1, places), count)
        let ticket = state.withLock { state in
            state.nextTicket += 1
            let holder = Holder(key: key, part: part, places: places)
            if state.hasPlaces(for: holder, behind: !state.waiting.isEmpty) {
                state.taken[state.nextTicket] = holder
            } else {
                state.waiting.append((state.nextTicket, holder, wake))
            }
            return state.nextTicket
        }
        return Turn(ticket: ticket, places: places, slots: self)
    }

    /// How many wait for places.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// A place in the line, and then the places that were asked for.
    final class Turn: Sendable {
        /// How many places were asked for.
        let places: Int
        private let ticket: Int
        private let slots: Slots

        fileprivate init(ticket: Int, places: Int, slots: Slots) {
            self.ticket = ticket
            self.places = places
            self.slots = slots
        }

        deinit { slots.leave(ticket) }

        /// Whether the work may begin.
        var hasCome: Bool { slots.state.withLock { $0.taken.keys.contains(ticket) } }

        /// Gives the places to the next in line; later calls do nothing.
        func end() { slots.leave(ticket) }
    }

    private func leave(_ ticket: Int) {
        let woken = state.withLock { state -> [@Sendable () -> Void] in
            if state.taken.removeValue(forKey: ticket) == nil { state.waiting.removeAll { $0.ticket == ticket } }
            var woken: [@Sendable () -> Void] = []
            while let wake = state.admitNext() { woken.append(wake) }
            return woken
        }
        for wake in woken { wake() }
    }
}
