import Columns
import RealmModel

/// Decodes lists and sets: for each row a B+tree of leaves of the element's type, REALM_FORMAT section 11.
final class ListDecoder: ColumnDecoder {
    /// Rows that are decoded before their size is looked at.
    static let rowsAtOnce = 32

    private let elements: any ColumnDecoder
    private let isInSubtable: Bool
    private let isSet: Bool
    private let image: Image
    private var leaf: Node?
    private var ends = CellBuffer<Int32>()

    /// - Parameters:
    ///   - isInSubtable: whether each row refers to the list of columns of a table of its own, as lists of primitive values
    ///     did before format 10.
    ///   - isSet: whether the elements are those of sets, which have none twice and an order.
    init(_ elements: any ColumnDecoder, in image: Image, isInSubtable: Bool = false, isSet: Bool = false) {
        self.elements = elements
        self.isSet = isSet
        self.isInSubtable = isInSubtable
        self.image = image
    }

    var count: Int { ends.count }
    var byteCount: Int { ends.count * 4 + elements.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asIntegers("a leaf of collections")
        return leaf.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int { Self.rowsAtOnce }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            if let root = try root(of: row, in: leaf) { try appendElements(of: root) }
            ends.append(Int32(truncatingIfNeeded: elements.count))
        }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, values: .list(offsets: ends.takeOffsets(), elements: elements.take()))
    }

    private func root(of row: Int, in leaf: Node) throws(InputError) -> Node? {
        guard let root = try image.child(row, of: leaf) else { return nil }
        return isInSubtable ? try image.child(0, of: root.asIntegers("the columns of a subtable")) : root
    }

    private func appendElements(of root: Node) throws(InputError) {
        try BPlusTree.forEachLeaf(of: root, in: image) { leaf throws(InputError) in
            let count = try elements.open(leaf)
            guard count <= elements.leafLimit else { throw leaf.damaged("a leaf of \(count) elements") }
            let repaired = image.repairedTexts
            try elements.append(0..<count)
            // Without what is no text, two of them may be the same, and the order another.
            guard !isSet || image.repairedTexts == repaired else {
                throw leaf.damaged("a set has a text that is no valid UTF-8")
            }
            // Eight truth values are one byte.
            guard max(elements.byteCount, elements.count) <= Int(Int32.max) else { throw .rowTooLarge }
            return count
        }
    }
}
