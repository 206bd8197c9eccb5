import RealmModel

/// A sequence of elements in a tree of leaves, REALM_FORMAT section 5.
enum BPlusTree {
    /// The deepest tree that is followed; two levels of inner nodes already hold a thousand million elements.
    static let depthLimit = 8
    /// The most elements of a leaf, and children of an inner node, that any Realm writes.
    static let leafLimit = 1000

    /// Hands every leaf to a function, in order, which returns the leaf's number of elements.
    ///
    /// - Returns: the number of elements of the tree.
    @discardableResult
    static func forEachLeaf(
        of root: Node, in image: Image, depth: Int = 0, _ body: (Node) throws(InputError) -> Int
    ) throws(InputError) -> Int {
        guard root.isInner else { return try body(root) }
        guard depth < depthLimit, root.layout == .bits, root.count >= 2 else {
            throw root.damaged("an inner node of a B+tree")
        }
        var total = 0
        for index in 1..<root.count - 1 {
            let child = try image.requiredChild(index, of: root, "a child of a B+tree")
            total += try forEachLeaf(of: child, in: image, depth: depth + 1, body)
        }
        guard try root.tagged(at: root.count - 1) == Int64(total) else {
            throw root.damaged("a B+tree holds another number of elements than it says")
        }
        return total
    }
}
