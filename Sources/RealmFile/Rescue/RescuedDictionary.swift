import RealmModel

/// The readable part of a dictionary of formats since 23 that can't be read as a whole: the entries whose key and value can
/// both be read.
struct RescuedDictionary {
    private let column: StoredColumn
    private let image: Image
    private let targets: LinkTargets

    init(_ column: StoredColumn, in image: Image, targets: LinkTargets) {
        self.column = column
        self.image = image
        self.targets = targets
    }

    /// The entries in bytewise order of their keys, and how many can't be read; nil where that is all.
    func entries(of root: Node) -> (entries: [DictionaryEntry], lost: Int)? {
        guard image.formatVersion >= FormatVersion.dictionaryTrees, root.layout == .bits,
            let keyTree = try? image.child(0, of: root), let valueTree = try? image.child(1, of: root)
        else { return nil }
        var keys: [Int: String] = [:]
        forEachLeaf(of: keyTree) { node, start in
            guard let leaf = try? ByteLeaf(node, of: .string, in: image), leaf.count <= BPlusTree.leafLimit else {
                return nil
            }
            for index in 0..<leaf.count { keys[start + index] = try? leaf.text(at: index) }
            return leaf.count
        }
        var found: [DictionaryEntry] = []
        forEachLeaf(of: valueTree) { node, start in
            guard let leaf = try? MixedLeaf(node, in: image, targets: targets), leaf.count <= BPlusTree.leafLimit else {
                return nil
            }
            for index in 0..<leaf.count {
                guard let key = keys[start + index], var value = try? leaf.value(at: index),
                    (try? DictionaryDecoder.declare(&value, as: column, in: root)) != nil
                else { continue }
                found.append(DictionaryEntry(key, value))
            }
            return leaf.count
        }
        let total = max(size(of: keyTree) ?? 0, size(of: valueTree) ?? 0, keys.count)
        found.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        // Keys that are no valid UTF-8 may have become the same.
        var seen: Set<NameKey> = []
        found = found.filter { seen.insert(name: $0.key) }
        return found.isEmpty ? nil : (found, max(total - found.count, 1))
    }

    private func size(of tree: Node) -> Int? {
        guard tree.isInner, let total = try? tree.tagged(at: tree.count - 1) else { return nil }
        return (0...Int64(image.bytes.count)).contains(total) ? Int(total) : nil
    }

    /// Calls with the leaves of a tree of one or two levels whose place among the elements is known.
    ///
    /// - Parameter body: gets a leaf and the number of elements before it, and returns its own; nil where it can't be read.
    private func forEachLeaf(of tree: Node, _ body: (Node, Int) -> Int?) {
        guard tree.isInner else {
            _ = body(tree, 0)
            return
        }
        guard tree.layout == .bits, tree.count > 2, tree.width >= 8 else { return }
        let size = (try? tree.tagged(at: 0)).flatMap { (1...Int64(BPlusTree.leafLimit)).contains($0) ? Int($0) : nil }
        var start: Int? = 0
        for index in 1..<tree.count - 1 {
            // Each leaf but the last has as many elements as the tree says.
            if let size { start = (index - 1) * size }
            guard let known = start else { return }
            guard let leaf = try? image.requiredChild(index, of: tree, "a child of a B+tree"), !leaf.isInner else {
                start = nil
                continue
            }
            start = body(leaf, known).map { known + $0 }
        }
    }
}
