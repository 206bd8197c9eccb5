import Columns
import JobStore
import RealmModel
import RealmSync
import SnapshotStore

/// Some of the objects that a backfill goes through.
package struct PartnerBackfillPart {
    /// Their keys, ascending.
    package private(set) var keys: [Int64] = []
    /// The key up to which there is none but these.
    package private(set) var last: Int64

    /// The next objects; of row groups that their bytes have closed, those of one.
    package init(of plan: PartnerPlan, _ fill: Partner.Fill, atMost count: Int, in current: OpenSnapshot) throws {
        last = fill.end
        guard let stored = current.snapshot[plan.left.name], fill.key < fill.end else { return }
        let reader = try ClassReader(stored, store: current.store)
        for (number, group) in reader.rowGroups.enumerated() where group.lastKey.value > fill.key {
            guard group.firstKey.value <= fill.end else { return }
            for (row, key) in try reader.keys(inGroup: number).enumerated() where key > fill.key && key <= fill.end {
                guard group.deleted?[row] != true else { continue }
                keys.append(key)
                guard keys.count < count else {
                    last = key
                    return
                }
            }
            guard keys.isEmpty || group.rowCount >= RowGroupLimits.standard.rows else {
                last = min(group.lastKey.value, fill.end)
                return
            }
        }
    }
}
