import RealmModel

/// A leaf of the tree of objects: at most 256 objects, a leaf of values for each column.
struct Cluster {
    let node: Node
    /// The offset to which the keys in the leaf are relative.
    let keyOffset: UInt64
    /// The number of objects.
    let count: Int
    /// The relative keys; nil where they are 0, 1, 2, ….
    let relativeKeys: Node?

    /// The values of a column.
    func leaf(ofColumn leafIndex: Int, in image: Image) throws(InputError) -> Node {
        try image.requiredChild(leafIndex + 1, of: node, "a column of a cluster")
    }

    /// Writes the keys of some of the objects to memory for as many.
    func copyKeys(_ rows: Range<Int>, to keys: UnsafeMutableBufferPointer<Int64>) throws(InputError) {
        for (index, row) in rows.enumerated() {
            let relative = try relativeKeys?.unsigned(at: row) ?? UInt64(row)
            keys[index] = Int64(bitPattern: keyOffset &+ relative)
        }
    }
}

/// Goes through the leaves of a tree of objects in order of their keys, REALM_FORMAT section 9.
struct ClusterCursor {
    /// The most objects of a leaf, and children of an inner node.
    static let nodeLimit = 256
    static let depthLimit = 8
    /// The slots of an inner node before its children.
    static let headSlots = 3

    private struct Frame {
        let node: Node
        let keyOffset: UInt64
        let childOffsets: Node?
        let depth: Int64
        var next = 0
    }

    private let image: Image
    private var frames: [Frame] = []
    private var pending: (node: Node, keyOffset: UInt64)?

    /// Starts before the first leaf.
    init(root: Node, in image: Image) {
        self.image = image
        pending = (root, 0)
    }

    /// The next leaf; nil after the last.
    mutating func next() throws(InputError) -> Cluster? {
        while true {
            if let (node, keyOffset) = pending {
                pending = nil
                guard node.isInner else { return try Self.cluster(node, keyOffset: keyOffset, in: image) }
                try descend(into: node, keyOffset: keyOffset)
            }
            guard let last = frames.indices.last else { return nil }
            pending = try Self.nextChild(of: &frames[last], in: image)
            if pending == nil { frames.removeLast() }
        }
    }

    /// The number of objects of a tree, from its root alone.
    static func objectCount(root: Node, in image: Image) throws(InputError) -> Int {
        guard root.isInner else { return try cluster(root, keyOffset: 0, in: image).count }
        let root = try root.asIntegers("an inner node of a tree of objects")
        guard let count = Int(exactly: try root.tagged(at: 2) ?? 0), count >= 0 else {
            throw root.damaged("the number of objects")
        }
        return count
    }

    /// The leaf that a node is.
    static func cluster(_ node: Node, keyOffset: UInt64, in image: Image) throws(InputError) -> Cluster {
        let node = try node.asIntegers("a cluster")
        let keys =
            try node.integer(at: 0) & 1 == 0 ? image.child(0, of: node)?.asIntegers("the keys of a cluster") : nil
        var count = try keys == nil ? node.tagged(at: 0) ?? 0 : 0
        if let keys { count = Int64(keys.count) }
        guard (0...Int64(nodeLimit)).contains(count) else { throw node.damaged("a cluster of \(count) objects") }
        return Cluster(node: node, keyOffset: keyOffset, count: Int(count), relativeKeys: keys)
    }

    private mutating func descend(into node: Node, keyOffset: UInt64) throws(InputError) {
        let node = try node.asIntegers("an inner node of a tree of objects")
        let depth = try node.tagged(at: 1) ?? 0
        let above = frames.last?.depth ?? Int64(Self.depthLimit)
        guard (1..<above).contains(depth), node.count >= Self.headSlots, node.count <= Self.headSlots + Self.nodeLimit
        else { throw node.damaged("an inner node of a tree of objects") }
        let offsets = try image.child(0, of: node)?.asIntegers("the key offsets of a tree of objects")
        frames.append(Frame(node: node, keyOffset: keyOffset, childOffsets: offsets, depth: depth))
    }

    private static func nextChild(
        of frame: inout Frame, in image: Image
    ) throws(InputError) -> (node: Node, keyOffset: UInt64)? {
        let index = frame.next
        guard index < frame.node.count - headSlots else { return nil }
        frame.next += 1
        let child = try image.requiredChild(index + headSlots, of: frame.node, "a child of a tree of objects")
        let offset = try frame.childOffsets?.unsigned(at: index) ?? UInt64(index) << UInt64(8 * frame.depth)
        return (child, frame.keyOffset &+ offset)
    }
}
