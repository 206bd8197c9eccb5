import Columns
import RealmModel
import Threads

/// The turns of one key's hosts.
struct KeyHostTurns: HostTurns {
    let slots: Slots
    let key: RealmModel.UUID?

    /// How often who waits looks whether it still has to.
    private static let interval = Duration.milliseconds(100)

    func wait(looking look: () throws -> Void) throws -> AnyObject {
        let signal = Monitor(false)
        let turn = slots.turn(of: key) { signal.change { $0 = true } }
        while !turn.hasCome {
            signal.wait(timeout: Self.interval) { $0 }
            try look()
        }
        return turn
    }
}
