import RealmModel

/// Goes through the leaves of a B+tree, one at a time.
struct LeafCursor {
    private let image: Image
    private var frames: [(node: Node, next: Int)] = []
    private var pending: Node?

    /// Starts before the first leaf.
    init(root: Node, in image: Image) {
        self.image = image
        pending = root
    }

    /// The next leaf; nil after the last.
    mutating func next() throws(InputError) -> Node? {
        while true {
            if let node = pending {
                pending = nil
                guard node.isInner else { return node }
                // Millions of children that are missing may take no bytes.
                guard frames.count < BPlusTree.depthLimit, node.layout == .bits, node.count >= 2,
                    node.count == 2 || node.width >= 8
                else {
                    throw node.damaged("an inner node of a B+tree")
                }
                frames.append((node, 1))
            }
            guard let last = frames.indices.last else { return nil }
            let (node, index) = frames[last]
            if index < node.count - 1 {
                frames[last].next += 1
                pending = try image.requiredChild(index, of: node, "a child of a B+tree")
            } else {
                frames.removeLast()
            }
        }
    }
}
