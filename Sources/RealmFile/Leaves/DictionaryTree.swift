import RealmModel

/// One dictionary: string keys and mixed values, REALM_FORMAT section 11.
struct DictionaryTree {
    private let root: Node
    private let image: Image
    private let targets: LinkTargets

    init(_ root: Node, in image: Image, targets: LinkTargets) {
        self.root = root
        self.image = image
        self.targets = targets
    }

    /// The entries in bytewise order of their keys.
    func entries(depth: Int) throws(InputError) -> [DictionaryEntry] {
        let repaired = image.repairedTexts
        var entries =
            image.formatVersion >= FormatVersion.dictionaryTrees
            ? try pairedTrees(depth: depth) : try clusters(depth: depth)
        guard !entries.isSortedByKey else { return entries }
        entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        guard image.repairedTexts == repaired || entries.isSortedByKey else {
            throw root.damaged("keys of a dictionary that are no valid UTF-8, and the same without what is none")
        }
        return entries
    }

    /// Formats 23 and 24: a B+tree of keys beside one of values.
    private func pairedTrees(depth: Int) throws(InputError) -> [DictionaryEntry] {
        let root = try root.asIntegers("a dictionary")
        guard let keyTree = try image.child(0, of: root), let valueTree = try image.child(1, of: root) else {
            return []
        }
        var keys: [String] = []
        try BPlusTree.forEachLeaf(of: keyTree, in: image) { node throws(InputError) in try append(node, to: &keys) }
        let values = try MixedLeaf.values(of: valueTree, in: image, targets: targets, depth: depth)
        guard keys.count == values.count else {
            throw root.damaged("a dictionary of \(keys.count) keys and \(values.count) values")
        }
        return zip(keys, values).map { DictionaryEntry($0, $1) }
    }

    /// Formats 21 and 22: a table of its own, with the keys in column 0 and the values in column 1.
    private func clusters(depth: Int) throws(InputError) -> [DictionaryEntry] {
        var entries: [DictionaryEntry] = []
        var cursor = ClusterCursor(root: root, in: image)
        while let cluster = try cursor.next() {
            var keys: [String] = []
            _ = try append(try cluster.leaf(ofColumn: 0, in: image), to: &keys)
            let values = try MixedLeaf(try cluster.leaf(ofColumn: 1, in: image), in: image, targets: targets)
            guard keys.count == cluster.count, values.count == cluster.count else {
                throw cluster.node.damaged("the columns of a dictionary do not agree")
            }
            for (index, key) in keys.enumerated() {
                entries.append(DictionaryEntry(key, try values.value(at: index, depth: depth)))
            }
        }
        return entries
    }

    private func append(_ leaf: Node, to keys: inout [String]) throws(InputError) -> Int {
        let strings = try ByteLeaf(leaf, of: .string, in: image)
        guard strings.count <= BPlusTree.leafLimit else { throw leaf.damaged("a leaf of \(strings.count) keys") }
        for index in 0..<strings.count {
            guard let key = try strings.text(at: index) else { throw leaf.damaged("a key of a dictionary is null") }
            keys.append(key)
        }
        return strings.count
    }
}

extension [DictionaryEntry] {
    fileprivate var isSortedByKey: Bool {
        zip(self, dropFirst()).allSatisfy { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
