import Columns
import RealmModel

/// Decoded segments of a realm that is edited, the most recently used within a budget of memory.
final class ArrayCache {
    private let store: any SegmentStore
    private let byteLimit: Int
    private var entries: [SegmentID: Entry] = [:]
    private var byteCount = 0
    private var clock = 0

    private struct Entry {
        var array: ColumnArray
        var byteCount: Int
        var lastUse: Int
    }

    /// - Parameter byteLimit: bytes of decoded values kept beyond the one that was asked for last.
    init(store: any SegmentStore, byteLimit: Int) {
        self.store = store
        self.byteLimit = byteLimit
    }

    /// Whether a segment's array is at hand.
    func contains(_ segment: Segment) -> Bool {
        guard case .stored(let id, _) = segment.content else { return true }
        return entries[id] != nil
    }

    /// A segment's array, where it is at hand.
    func array(of segment: Segment) -> ColumnArray? {
        guard case .stored(let id, _) = segment.content, let index = entries.index(forKey: id) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].array
    }

    /// Reads a segment that is not at hand, and keeps its array; one of a single value takes no time to make again.
    func load(_ segment: Segment, as type: ColumnType) throws -> ColumnArray {
        let array = try store.read(segment, as: type)
        clock += 1
        if case .stored(let id, _) = segment.content { insert(array, as: id) }
        return array
    }

    /// Hears that a segment is behind the reader of its column, and lets go of it where half of the memory is taken:
    /// the rest is for readers that come back.
    func leaveBehind(_ segment: Segment) {
        guard case .stored(let id, _) = segment.content, byteCount > byteLimit / 2,
            let entry = entries.removeValue(forKey: id)
        else { return }
        byteCount -= entry.byteCount
    }

    private func insert(_ array: ColumnArray, as id: SegmentID) {
        let size = array.byteCount
        while byteCount + size > byteLimit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            byteCount -= oldest.value.byteCount
            entries[oldest.key] = nil
        }
        entries[id] = Entry(array: array, byteCount: size, lastUse: clock)
        byteCount += size
    }
}
