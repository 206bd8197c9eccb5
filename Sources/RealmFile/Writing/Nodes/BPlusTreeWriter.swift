/// Appends the leaves of a B+tree and then its inner nodes, REALM_FORMAT section 5.
struct BPlusTreeWriter {
    private let output: NodeOutput
    private var leaves: [Int64] = []
    private var count = 0

    init(_ output: NodeOutput) {
        self.output = output
    }

    /// Appends a tree of elements whose leaves a function appends.
    static func append(count: Int, to output: NodeOutput, leaf: (Range<Int>) throws -> Int64) throws -> Int64 {
        guard count > BPlusTree.leafLimit else { return try leaf(0..<count) }
        var tree = BPlusTreeWriter(output)
        for start in stride(from: 0, to: count, by: BPlusTree.leafLimit) {
            let range = start..<min(start + BPlusTree.leafLimit, count)
            tree.add(leaf: try leaf(range), count: range.count)
        }
        return tree.finish()
    }

    /// Appends a tree of integers.
    static func append(integers cells: UnsafeBufferPointer<Int64>, to output: NodeOutput) -> Int64 {
        guard cells.count > BPlusTree.leafLimit else { return output.append(integers: cells) }
        var tree = BPlusTreeWriter(output)
        for start in stride(from: 0, to: cells.count, by: BPlusTree.leafLimit) {
            let leaf = UnsafeBufferPointer(rebasing: cells[start..<min(start + BPlusTree.leafLimit, cells.count)])
            tree.add(leaf: output.append(integers: leaf), count: leaf.count)
        }
        return tree.finish()
    }

    /// Takes a leaf; all but the last have `BPlusTree.leafLimit` elements.
    mutating func add(leaf ref: Int64, count: Int) {
        leaves.append(ref)
        self.count += count
    }

    /// Appends the inner nodes; there is at least one leaf.
    func finish() -> Int64 {
        var refs = leaves
        var perChild = BPlusTree.leafLimit
        while refs.count > 1 {
            refs = stride(from: 0, to: refs.count, by: BPlusTree.leafLimit).map { start in
                let children = refs[start..<min(start + BPlusTree.leafLimit, refs.count)]
                let total = min(children.count * perChild, count - start * perChild)
                return output.append(
                    integers: [NodeOutput.tagged(Int64(perChild))] + children + [NodeOutput.tagged(Int64(total))],
                    [.inner, .hasRefs])
            }
            perChild *= BPlusTree.leafLimit
        }
        return refs[0]
    }
}
