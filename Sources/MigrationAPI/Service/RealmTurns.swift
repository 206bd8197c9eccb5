import Threads

/// Lets those who change a realm do so one after the other, so that none works in vain; of each process for itself.
final class RealmTurns: Sendable {
    private struct Name: Hashable {
        let app: String
        let realm: String
    }

    private struct Line {
        weak var slots: Slots?
    }

    private let lines = Mutex<[Name: Line]>([:])

    /// The line of a realm, which goes when nobody stands in it.
    func of(realm: String, app: String) -> Slots {
        lines.withLock { lines in
            let name = Name(app: app, realm: realm)
            if let slots = lines[name]?.slots { return slots }
            if lines.count > 1000 { lines = lines.filter { $0.value.slots != nil } }
            let slots = Slots(1)
            lines[name] = Line(slots: slots)
            return slots
        }
    }
}
