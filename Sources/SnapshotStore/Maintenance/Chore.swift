import Postgres
import StoreCore

/// A task that one of all processes does from time to time, by its name in the table `chore`.
enum Chore: String {
    case sweep
    case retention
    case figures
    case counting
}

extension SnapshotStore.Maintenance {
    /// Takes the next round of a chore, unless another process has it, or had one lately.
    func takeTurn(at chore: Chore) throws -> Bool {
        try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE chore SET held_until = now() + \(MaintenanceTurn.hold.inSeconds) * interval '1 second'
                WHERE name = \(chore.rawValue) AND held_until < now()
                """) == 1
        }
    }

    /// Keeps the round for another while.
    func hold(_ chore: Chore, backlog: Int) throws {
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE chore SET held_until = now() + \(MaintenanceTurn.hold.inSeconds) * interval '1 second', backlog = \(backlog)
                WHERE name = \(chore.rawValue)
                """)
        }
    }

    /// Ends the round; the next begins after an interval.
    func end(_ chore: Chore, next interval: Duration) throws {
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE chore SET held_until = now() + \(interval.inSeconds) * interval '1 second', backlog = 0, ended_at = now()
                WHERE name = \(chore.rawValue)
                """)
        }
    }
}
