import Columns
import RealmModel

/// The rows of a table that keeps its objects in clusters.
final class ClusterRows: RowSource {
    private let table: Table
    private let image: Image
    private let columns: [any ColumnDecoder]
    private var cursor: ClusterCursor
    private var cluster: Cluster?
    private(set) var repairedTexts: [Int]

    /// Makes a decoder for each column.
    init(_ table: Table, root: Int64, in image: Image, targets: LinkTargets) throws(InputError) {
        self.table = table
        self.image = image
        let factory = ColumnDecoderFactory(image: image, targets: targets)
        var columns: [any ColumnDecoder] = []
        for (index, column) in table.columns.enumerated() {
            columns.append(
                try table.located(index) { () throws(InputError) in try factory.decoder(of: column) })
        }
        self.columns = columns
        repairedTexts = columns.map { _ in 0 }
        cursor = ClusterCursor(
            root: try table.located(nil) { () throws(InputError) in try image.node(at: root) }, in: image)
    }

    func nextRun() throws(InputError) -> Int? {
        cluster = try table.located(nil) { () throws(InputError) in try cursor.next() }
        guard let cluster else { return nil }
        for index in columns.indices {
            try table.located(index) { () throws(InputError) in try open(index, of: cluster) }
        }
        return cluster.count
    }

    private func open(_ index: Int, of cluster: Cluster) throws(InputError) {
        let leaf = try cluster.leaf(ofColumn: table.columns[index].key.leafIndex, in: image)
        let count = try columns[index].open(leaf)
        guard count == cluster.count else {
            throw leaf.damaged("a leaf of \(count) values for \(cluster.count) objects")
        }
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int {
        var rows = Int.max
        for index in columns.indices {
            let fitting = try table.located(index) { () throws(InputError) in
                try columns[index].rowsFitting(in: bytes, from: row)
            }
            rows = min(rows, fitting)
        }
        return rows
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        for index in columns.indices {
            do {
                try append(rows, toColumn: index)
            } catch {
                throw error.within(
                    className: table.className ?? table.name, property: table.columns[index].name,
                    key: key(of: error, in: rows, ofColumn: index))
            }
        }
    }

    private func append(_ rows: Range<Int>, toColumn index: Int) throws(InputError) {
        let before = image.repairedTexts
        try columns[index].append(rows)
        let repaired = image.repairedTexts - before
        try table.checkRepairs(repaired, ofColumn: index)
        repairedTexts[index] += repaired
    }

    /// The key of the object whose value can't be decoded, found by decoding the rows once more, one by one.
    private func key(of error: InputError, in rows: Range<Int>, ofColumn index: Int) -> Int64? {
        for row in rows {
            do {
                try append(row..<row + 1, toColumn: index)
            } catch let again {
                // Another error is one of rows that have been read twice.
                guard again == error, let cluster else { return nil }
                var keys: [Int64] = [0]
                do {
                    try keys.withUnsafeMutableBufferPointer { keys throws(InputError) in
                        try cluster.copyKeys(row..<row + 1, to: keys)
                    }
                } catch {
                    // The first error is told; that the keys are damaged, too, is no more than why it names none.
                    return nil
                }
                return keys[0]
            }
        }
        return nil
    }

    func copyKeys(_ rows: Range<Int>, to keys: UnsafeMutableBufferPointer<Int64>) throws(InputError) {
        try table.located(nil) { () throws(InputError) in try cluster?.copyKeys(rows, to: keys) }
    }

    var byteCount: Int { columns.reduce(0) { $0 + $1.byteCount } }

    func take() -> [ColumnArray] { columns.map { $0.take() } }
}
