import Postgres
import StoreCore

/// A task that one of all processes does from time to time, by its name in the table `chore`.
enum Chore: String {
    case sweep
    case retention
}

extension SnapshotStore.Maintenance {
    /// Whether it is this process's turn at a chore: nobody has had one for as long as they are apart.
    func takeTurn(at chore: Chore, every interval: Duration) throws -> Bool {
        try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE chore SET held_until = now() + \(interval.inSeconds) * interval '1 second'
                WHERE name = \(chore.rawValue) AND held_until < now()
                """) == 1
        }
    }
}
