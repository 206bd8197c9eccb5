import RealmModel

/// Some rows of a table, at most 256, whose keys are known.
struct RescuedBlock {
    /// The rows, counted in their leaf.
    var rows: [Int]
    /// Their keys, which ascend.
    var keys: [Int64]
    /// Whether bytes that say which objects these are are doubtful.
    var isSuspect = false
}

/// The rows of a table of a damaged file, block by block, the same at each reading.
protocol RescuedRows: AnyObject {
    /// Whether the node that says how many rows there are was found to be one of something else, as far as was read.
    var isCountLost: Bool { get }

    /// Goes to the next block; nil after the last.
    ///
    /// - Parameter report: hears of objects between the last block and this one that are lost; nil after the first reading.
    func next(_ report: UnsafeMutablePointer<RescueReport.Class>?) -> RescuedBlock?

    /// Starts on the leaves of some columns.
    func open(_ columns: [Int])

    /// How many rows of the block's leaf, from one on, fit into so many bytes in each of some columns; at least 1.
    func rowsFitting(in bytes: Int, from row: Int, _ columns: [Int]) -> Int

    /// The cells of rows of the block's leaf; the column is open.
    func cells(of column: Int, _ rows: Range<Int>) -> RescuedCells

    /// The rows whose cells stand in doubtful bytes, counted from the first of them.
    func suspects(of column: Int, _ rows: Range<Int>) -> [Int]
}

/// The rows of a table that keeps its objects in clusters.
final class RescuedClusters: RescuedRows {
    private let stored: [StoredColumn]
    private let image: Image
    private let columns: [RescuedColumn]
    private var scan: ClusterScan
    private var cluster: Cluster?
    private var lastKey: Int64 = -1
    private let root: Int64
    private(set) var isCountLost = false

    init(
        _ stored: [StoredColumn], _ properties: [Property], root: Int64, in image: Image, targets: LinkTargets
    ) {
        self.stored = stored
        self.image = image
        self.root = root
        columns = zip(stored, properties).map {
            RescuedColumn($0, property: $1, in: image, targets: targets)
        }
        scan = ClusterScan(root: root, in: image)
    }

    func next(_ report: UnsafeMutablePointer<RescueReport.Class>?) -> RescuedBlock? {
        while !image.isSpent, let piece = scan.next() {
            switch piece {
            case .gap(let keys): report?.pointee.loseKeys(keys)
            case .cluster(let cluster, let keys, _) where isForeign(cluster):
                report?.pointee.loseKeys(keys)
                if cluster.node.offset == Int(root) { isCountLost = true }
            case .cluster(let cluster, let keys, let isSuspect):
                self.cluster = cluster
                var block = block(of: cluster, within: keys, report)
                block.isSuspect = isSuspect
                if !block.rows.isEmpty { return block }
            }
        }
        cluster = nil
        return nil
    }

    /// Whether a leaf is one of another class, or of another tree: most of its nodes are none of the columns that the class has in their
    /// places, or it has no places for them.
    private func isForeign(_ cluster: Cluster) -> Bool {
        var (fitting, others) = (0, 0)
        for (column, place) in zip(columns, stored.map(\.key.leafIndex)) {
            guard place + 1 < cluster.node.count else {
                others += 1
                continue
            }
            if let leaf = try? cluster.leaf(ofColumn: place, in: image), column.count(of: leaf) == cluster.count {
                fitting += 1
            } else if let ref = try? cluster.node.reference(at: place + 1), (try? image.uncheckedHeader(at: ref)) != nil
            {
                others += 1
            }
        }
        return others > fitting
    }

    private func block(
        of cluster: Cluster, within range: KeyRanges.KeyRange,
        _ report: UnsafeMutablePointer<RescueReport.Class>?
    ) -> RescuedBlock {
        var keys = [Int64?](repeating: nil, count: cluster.count)
        for row in keys.indices {
            guard let relative = try? cluster.relativeKeys?.unsigned(at: row) ?? UInt64(row) else { continue }
            let key = Int64(bitPattern: cluster.keyOffset &+ relative)
            if key > lastKey, key >= range.first, key <= range.last { keys[row] = key }
        }
        let rows = AscendingKeys.rows(of: keys)
        if rows.count < keys.count {
            report?.pointee.lose(keys.count - rows.count, within: range, .keyOutOfOrder)
        }
        let block = RescuedBlock(rows: rows, keys: rows.compactMap { keys[$0] })
        lastKey = block.keys.last ?? lastKey
        return block
    }

    func open(_ indexes: [Int]) {
        guard let cluster else { return }
        for index in indexes {
            columns[index].open(
                try? cluster.leaf(ofColumn: stored[index].key.leafIndex, in: image), count: cluster.count)
        }
    }

    func rowsFitting(in bytes: Int, from row: Int, _ indexes: [Int]) -> Int {
        indexes.reduce(Int.max) { min($0, columns[$1].rowsFitting(in: bytes, from: row)) }
    }

    func cells(of column: Int, _ rows: Range<Int>) -> RescuedCells { columns[column].read(rows) }

    func suspects(of column: Int, _ rows: Range<Int>) -> [Int] { columns[column].suspects(rows) }
}
