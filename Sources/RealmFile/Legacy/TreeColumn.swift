import Columns
import RealmModel

/// A column that is a B+tree, read from its first row to its last.
final class TreeColumn {
    private let decoder: any ColumnDecoder
    private let root: Node
    private var cursor: LeafCursor
    private var row = 0
    private var leafCount = 0

    init(root: Node, _ decoder: any ColumnDecoder, in image: Image) {
        self.decoder = decoder
        self.root = root
        cursor = LeafCursor(root: root, in: image)
    }

    /// Opens the next leaf where the last was read to its end.
    ///
    /// - Returns: the rows left in the leaf; 0 after the last.
    func prepare() throws(InputError) -> Int {
        while row == leafCount {
            guard let leaf = try cursor.next() else { return 0 }
            leafCount = try decoder.open(leaf)
            guard leafCount <= BPlusTree.leafLimit else { throw leaf.damaged("a leaf of \(leafCount) elements") }
            row = 0
        }
        return leafCount - row
    }

    /// How many of the next rows, some of them passed over, fit into so many bytes.
    func rowsFitting(in bytes: Int) throws(InputError) -> Int {
        try decoder.rowsFitting(in: bytes, from: row)
    }

    /// Appends the next rows, no more than `prepare` returned.
    func append(_ count: Int) throws(InputError) {
        try decoder.append(row..<row + count)
        row += count
    }

    var byteCount: Int { decoder.byteCount }

    func take() -> ColumnArray { decoder.take() }

    /// The number of rows that the root says there are.
    func rowCount() throws(InputError) -> Int {
        guard root.isInner else { return try decoder.open(root) }
        guard let count = try root.tagged(at: root.count - 1).flatMap({ Int(exactly: $0) }), count >= 0 else {
            throw root.damaged("the number of rows")
        }
        return count
    }
}
