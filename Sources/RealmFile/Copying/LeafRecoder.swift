import Columns
import RealmModel

/// Decodes leaves that can't be copied as they are, one at a time.
final class LeafRecoder {
    /// Bytes of a leaf's values, past which the file is decoded row group by row group.
    private static let byteLimit = 16 << 20

    let image: Image
    private let decoder: any ColumnDecoder

    init(_ decoder: any ColumnDecoder, in image: Image) {
        self.decoder = decoder
        self.image = image
    }

    /// The values of a leaf of a cluster.
    ///
    /// - Throws: `InputError`; `uncopied` where they take much memory or have a text that is none.
    func array(of leaf: Node, count: Int) throws(InputError) -> ColumnArray {
        guard try decoder.open(leaf) == count else {
            throw leaf.damaged("a leaf of another number of values than \(count)")
        }
        var row = 0
        while row < count {
            let fitting = max(min(try decoder.rowsFitting(in: Self.byteLimit, from: row), count - row), 1)
            try append(row..<row + fitting)
            row += fitting
        }
        return decoder.take()
    }

    /// The elements of a list.
    ///
    /// - Parameter root: of a tree of leaves that the decoder reads.
    func elements(of root: Node) throws(InputError) -> ColumnArray {
        try BPlusTree.forEachLeaf(of: root, in: image) { leaf throws(InputError) in
            let count = try decoder.open(leaf)
            guard count <= decoder.leafLimit else { throw leaf.damaged("a leaf of \(count) elements") }
            try append(0..<count)
            return count
        }
        return decoder.take()
    }

    private func append(_ rows: Range<Int>) throws(InputError) {
        try decoder.append(rows)
        guard decoder.byteCount <= Self.byteLimit else { throw .uncopied("a leaf of many bytes") }
        guard image.repairedTexts == 0 else { throw .uncopied("a text that is no valid UTF-8") }
    }
}
