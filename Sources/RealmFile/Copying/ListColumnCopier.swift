import Columns
import RealmModel

/// A column of lists or sets, list by list: those of one leaf as they are, others decoded and encoded.
final class ListColumnCopier: ColumnCopier {
    private let leafIndex: Int
    private let leaves: LeafCopier
    private let recoder: LeafRecoder
    private let writer: ColumnLeafWriter
    /// Of links: what is added to.
    private let sum: LinkSum?
    private let tally: LinkTally?
    private let scratch = CopyScratch()
    private let elementScratch = CopyScratch()

    init(
        _ column: StoredColumn, _ leaves: LeafCopier, _ recoder: LeafRecoder, _ sum: LinkSum?, _ tally: LinkTally?,
        _ writer: ColumnLeafWriter
    ) {
        leafIndex = column.key.leafIndex
        self.leaves = leaves
        self.recoder = recoder
        self.sum = sum
        self.tally = tally
        self.writer = writer
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        let leaf = try cluster.leaf(ofColumn: leafIndex, in: leaves.image).asIntegers("a leaf of collections")
        guard leaf.count == keys.count else { throw leaf.damaged("a leaf of another number of values") }
        let roots = scratch.integers(of: leaf)
        for row in 0..<keys.count where roots[row] != 0 {
            guard let ref = try leaf.reference(at: row) else { continue }
            roots[row] = try append(try leaves.image.node(at: ref), of: keys[row])
            try leaves.flush()
        }
        return leaves.output.append(integers: UnsafeBufferPointer(roots), .hasRefs)
    }

    /// Appends a list.
    ///
    /// - Returns: 0 for an empty one.
    private func append(_ root: Node, of key: Int64) throws -> Int64 {
        if !root.isInner, let copied = try appendLeaf(root, of: key) { return copied }
        let elements = try recoder.elements(of: root)
        guard elements.count > 0 else { return 0 }
        if let tally { try tally.add(elements: elements, of: key) }
        return try writer.append(elements: elements, 0..<elements.count)
    }

    private func appendLeaf(_ root: Node, of key: Int64) throws -> Int64? {
        if let sum { return try appendLinks(root, sum, of: key) }
        // An empty leaf may be one of another type: whoever decodes it sees that.
        guard let count = try leaves.count(of: root), 1...BPlusTree.leafLimit ~= count else { return nil }
        return try leaves.copy(root, count: count)
    }

    private func appendLinks(_ root: Node, _ sum: LinkSum, of key: Int64) throws -> Int64? {
        guard root.isPlain(.bits, root.count), 1...BPlusTree.leafLimit ~= root.count else { return nil }
        let targets = elementScratch.integers(of: root)
        guard targets.allSatisfy({ $0 >= 0 }) else { throw InputError.uncopied("a link to a tombstone") }
        sum.add(links: targets, of: key)
        return leaves.output.append(root)
    }
}
