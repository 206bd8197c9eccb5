import Columns
import RealmModel

/// The links that lead to one class, in a scratch store, apart by the run of row groups that they lead to.
///
/// All links are read once, however many runs there are.
struct LinkSpill {
    /// Links of a block: a block of each run is in memory while links are read.
    private static let blockLinks = 2048

    private struct Block {
        var origins: [Int64] = []
        var keys: [Int64] = []
    }

    private let store: any SegmentStore
    /// The blocks of each column of backlinks and each run, in order of the origins' keys.
    private var blocks: [[[(origins: Segment, keys: Segment)]]] = []

    /// Reads the links.
    ///
    /// - Parameters:
    ///   - target: the class, by its place in the snapshot.
    ///   - windows: the runs of all row groups of the class.
    ///   - scans: one a column of backlinks.
    init(
        to target: Int, _ groups: [RowGroup], in windows: [Range<Int>], from scans: [LinkScan],
        store: any SegmentStore
    ) throws {
        self.store = store
        let windowOfGroup = windows.enumerated().flatMap { repeatElement($0.offset, count: $0.element.count) }
        for scan in scans {
            var open = [Block](repeating: Block(), count: windows.count)
            blocks.append(Array(repeating: [], count: windows.count))
            for group in scan.reader.rowGroups.indices {
                try scan.reader.willRead([scan.source.propertyIndex], inGroup: group)
                let originKeys = try scan.reader.keys(inGroup: group)
                try scan.forEachLink(inGroup: group) { row, linked, key in
                    guard linked == target else { return }
                    guard let found = groups[...].index(of: key) else { throw scan.brokenLink(key: originKeys[row]) }
                    let window = windowOfGroup[found]
                    open[window].origins.append(originKeys[row])
                    open[window].keys.append(key)
                    if open[window].keys.count == Self.blockLinks { try write(&open[window], ofWindow: window) }
                }
            }
            for window in windows.indices where !open[window].keys.isEmpty {
                try write(&open[window], ofWindow: window)
            }
        }
    }

    private mutating func write(_ block: inout Block, ofWindow window: Int) throws {
        let count = block.keys.count
        blocks[blocks.count - 1][window].append(
            (
                origins: try store.write(ColumnArray(count: count, values: .int(block.origins))),
                keys: try store.write(ColumnArray(count: count, values: .int(block.keys)))
            ))
        block.origins.removeAll(keepingCapacity: true)
        block.keys.removeAll(keepingCapacity: true)
    }

    /// Hands over the links of a column of backlinks to a run, in order of the origins' keys.
    func forEachLink(column: Int, window: Int, _ body: (_ origin: Int64, _ key: Int64) throws -> Void) throws {
        for block in blocks[column][window] {
            guard case .int(let origins) = try store.read(block.origins, as: ColumnType(.int)).values,
                case .int(let keys) = try store.read(block.keys, as: ColumnType(.int)).values
            else { throw ColumnError.damaged(what: "a block of links", offset: 0) }
            for (origin, key) in zip(origins, keys) { try body(origin, key) }
        }
    }
}
