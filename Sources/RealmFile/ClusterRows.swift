import Columns
import RealmModel

/// The rows of a table that keeps its objects in clusters.
final class ClusterRows: RowSource {
    private let table: Table
    private let image: Image
    private let columns: [any ColumnDecoder]
    private var cursor: ClusterCursor
    private var cluster: Cluster?

    /// Makes a decoder for each column.
    init(_ table: Table, root: Int64, in image: Image, classNames: [Int64: String]) throws(InputError) {
        self.table = table
        self.image = image
        let factory = ColumnDecoderFactory(image: image, classNames: classNames)
        var columns: [any ColumnDecoder] = []
        for (index, column) in table.columns.enumerated() {
            columns.append(
                try table.located(index) { () throws(InputError) in try factory.decoder(of: column) })
        }
        self.columns = columns
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
            try table.located(index) { () throws(InputError) in try columns[index].append(rows) }
        }
    }

    func copyKeys(_ rows: Range<Int>, to keys: UnsafeMutableBufferPointer<Int64>) throws(InputError) {
        try table.located(nil) { () throws(InputError) in try cluster?.copyKeys(rows, to: keys) }
    }

    var byteCount: Int { columns.reduce(0) { $0 + $1.byteCount } }

    func take() -> [ColumnArray] { columns.map { $0.take() } }
}
