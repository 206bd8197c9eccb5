import Columns
import Postgres
import RealmModel
import StoreCore

/// How much a sweep removed.
public struct SweepReport: Hashable, Sendable {
    /// Batches that were removed whole.
    public var batches = 0
    /// Segments and columns of batches that stay.
    public var segments = 0
}

extension SnapshotStore.Maintenance {
    /// Takes the next round of removing what nothing names any more, unless another process has it or had one lately.
    public func takeSweep(every interval: Duration) throws -> MaintenanceTurn? {
        guard try takeTurn(at: .sweep) else { return nil }
        return MaintenanceTurn(.sweep, every: interval, in: self, try SweepRound(store))
    }

    /// Removes batches whose owner is gone, and segments and columns that no snapshot names, in one go.
    ///
    /// Never what is being written: a staged batch is given up only when its upload gave no sign of life for the grace
    /// period or its attempt lost its lease, by a change of its state that a commit conflicts with. Never what is being
    /// read: what snapshots named goes only when it has been garbage for the grace period and no reader of the realm
    /// has a pin (`ReaderPin`). Any number of processes may sweep at once; what one stops at the next goes on with.
    @discardableResult
    public func sweep() throws -> SweepReport {
        var round = try SweepRound(store)
        return try round.finish()
    }
}
