import RealmModel

/// A column of backlinks, which is what it was where links and keys are, REALM_FORMAT section 13.2.
final class BacklinkColumnCopier: ColumnCopier {
    /// The column of the old file; nil where it has none, and no links.
    private let leafIndex: Int?
    private let image: Image
    private let output: NodeOutput
    private let sum: LinkSum
    private let scratch = CopyScratch()
    private let originScratch = CopyScratch()

    init(_ leafIndex: Int?, _ sum: LinkSum, in image: Image, to output: NodeOutput) {
        self.leafIndex = leafIndex
        self.sum = sum
        self.image = image
        self.output = output
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        guard let leafIndex else {
            return output.append(integers: [Int64](repeating: 0, count: keys.count), .hasRefs)
        }
        let leaf = try cluster.leaf(ofColumn: leafIndex, in: image).asIntegers("a leaf of backlinks")
        guard leaf.count == keys.count else { throw leaf.damaged("a leaf of another number of backlinks") }
        let cells = scratch.integers(of: leaf)
        for row in 0..<keys.count where cells[row] != 0 {
            if cells[row] & 1 == 1 {
                try add(CollectionOfOne(cells[row] >> 1), to: keys[row])
            } else {
                cells[row] = try append(try image.node(at: cells[row]), to: keys[row])
            }
        }
        return output.append(integers: UnsafeBufferPointer(cells), .hasRefs)
    }

    private func add(_ origins: some Sequence<Int64>, to target: Int64) throws(InputError) {
        guard origins.allSatisfy({ $0 >= 0 }) else { throw .uncopied("a link of a tombstone") }
        sum.add(backlinks: origins, of: target)
    }

    /// Appends the origins of an object to which more than one link leads.
    private func append(_ root: Node, to target: Int64) throws -> Int64 {
        guard root.isPlain(.bits, root.count), 2...BPlusTree.leafLimit ~= root.count else {
            return try repack(root, to: target)
        }
        try add(originScratch.integers(of: root), to: target)
        return output.append(root)
    }

    /// Appends origins in leaves of the usual size, wherever they were: a single array before format 24.
    private func repack(_ root: Node, to target: Int64) throws -> Int64 {
        var waiting: [Int64] = []
        var tree = BPlusTreeWriter(output)
        var count = 0
        try BPlusTree.forEachLeaf(of: root, in: image) { leaf throws(InputError) in
            let leaf = try leaf.asIntegers("a leaf of backlinks")
            // Millions of the same origin may take no bytes.
            guard leaf.width >= 8 || leaf.count <= BPlusTree.leafLimit else { throw .uncopied("a leaf of few bytes") }
            let origins = originScratch.integers(of: leaf)
            try add(origins, to: target)
            for origin in origins {
                if waiting.count == BPlusTree.leafLimit {
                    tree.add(leaf: output.append(integers: waiting), count: waiting.count)
                    waiting.removeAll(keepingCapacity: true)
                }
                waiting.append(origin)
            }
            count += leaf.count
            return leaf.count
        }
        guard count > 1 else { return waiting.first.map { NodeOutput.tagged($0) } ?? 0 }
        tree.add(leaf: output.append(integers: waiting), count: waiting.count)
        return tree.finish()
    }
}
