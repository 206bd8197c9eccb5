import Columns
import RealmModel

/// A leaf of mixed values, REALM_FORMAT section 12; nested collections are B+trees of such leaves.
struct MixedLeaf {
    private static let typedLink: Int64 = 16

    private let composites: Node
    private let integers: Node?
    private let pairs: Node?
    private let bytes: ByteLeaf?
    private let references: Node?
    private let image: Image
    private let targets: LinkTargets

    /// Opens the parts of a leaf.
    init(_ node: Node, in image: Image, targets: LinkTargets) throws(InputError) {
        composites = try image.integers(0, of: node, "the types of a leaf of mixed values")
        integers = try image.child(1, of: node)?.asIntegers("the integers of a leaf of mixed values")
        pairs = try image.child(2, of: node)?.asIntegers("the pairs of a leaf of mixed values")
        let strings = try image.child(3, of: node)
        bytes = try strings.map { node throws(InputError) in try ByteLeaf(node, of: .string, in: image) }
        references = try image.child(4, of: node)?.asIntegers("the collections of a leaf of mixed values")
        self.image = image
        self.targets = targets
    }

    /// The number of values.
    var count: Int { composites.count }

    /// The value at an index.
    ///
    /// - Parameter depth: how many collections the leaf is nested in.
    func value(at index: Int, depth: Int = 0) throws(InputError) -> Value {
        let composite = try composites.integer(at: index)
        guard composite != 0 else { return .null }
        let type = composite & 0x1f - 1
        let slot = composite >> 5 & 7
        let rest = composite >> 8
        switch type {
        case 0: return .int(slot == 0 ? rest : try integer(rest))
        case 1: return .bool(rest != 0)
        case 2: return .string(try withBytes(rest) { image.text($0) })
        case 4: return .data(try withBytes(rest) { Array($0) })
        case 8: return try date(rest)
        case 9: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(rest))))
        case 10: return .double(Double(bitPattern: UInt64(bitPattern: try integer(rest))))
        case 11:
            let words = try pair(rest)
            return .decimal128(
                Decimal128(low: UInt64(bitPattern: words.first), high: UInt64(bitPattern: words.second)))
        case 15: return try identifier(rest) { ObjectId(bytes: $0).map { .objectId($0) } }
        case 17: return try identifier(rest) { UUID(bytes: $0).map { .uuid($0) } }
        case Self.typedLink: return try link(rest)
        case 19: return try list(rest, depth: depth + 1)
        case 21: return try dictionary(rest, depth: depth + 1)
        default: throw composites.damaged("a mixed value of type \(type)")
        }
    }

    /// Whether the value at an index is a link to a tombstone.
    func isUnresolvedLink(at index: Int) throws(InputError) -> Bool {
        let composite = try composites.integer(at: index)
        guard composite != 0, composite & 0x1f - 1 == Self.typedLink else { return false }
        return try pair(composite >> 8).second < 0
    }

    private func identifier(
        _ index: Int64, _ body: (UnsafeRawBufferPointer) -> Value?
    ) throws(InputError) -> Value {
        guard let value = try withBytes(index, body) else { throw composites.damaged("an id in a mixed value") }
        return value
    }

    private func integer(_ index: Int64) throws(InputError) -> Int64 {
        guard let integers, let index = Int(exactly: index) else {
            throw composites.damaged("a mixed value is missing")
        }
        return try integers.integer(at: index)
    }

    private func pair(_ index: Int64) throws(InputError) -> (first: Int64, second: Int64) {
        guard let pairs, (0..<Int64(pairs.count)).contains(index) else {
            throw composites.damaged("a mixed value is missing")
        }
        return (try pairs.integer(at: Int(index) * 2), try pairs.integer(at: Int(index) * 2 + 1))
    }

    private func withBytes<Result>(
        _ index: Int64, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(InputError) -> Result {
        guard let bytes, let index = Int(exactly: index) else { throw composites.damaged("a mixed value is missing") }
        return try bytes.withBytes(at: index) { run throws(InputError) in
            try image.countMixedBytes(run?.count ?? 0, of: composites)
            return body(run ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private func date(_ index: Int64) throws(InputError) -> Value {
        let parts = try pair(index)
        guard NanosecondDecoder.range.contains(parts.second) else {
            throw composites.damaged("the nanoseconds of a date")
        }
        return .date(Timestamp(normalizing: parts.first, Int32(parts.second)))
    }

    private func link(_ index: Int64) throws(InputError) -> Value {
        let link = try pair(index)
        guard link.second >= 0 else { return .null }
        guard let target = targets[link.first] else { throw composites.damaged("a link to a table that is no class") }
        guard try target.contains(targetsOf: CollectionOfOne(link.second), raisedBy: 0) else {
            throw .brokenLink(at: composites.offset)
        }
        return .typedLink(className: target.className, ObjectKey(link.second))
    }

    private func root(_ index: Int64, depth: Int) throws(InputError) -> Node? {
        guard depth <= ValueCoding.depthLimit else { throw composites.damaged("collections nest too deep") }
        guard let references, let index = Int(exactly: index), index >= 0, index < references.count else {
            throw composites.damaged("a nested collection is missing")
        }
        return try image.child(index, of: references)
    }

    private func list(_ index: Int64, depth: Int) throws(InputError) -> Value {
        guard let root = try root(index, depth: depth) else { return .list([]) }
        return .list(try Self.values(of: root, in: image, targets: targets, depth: depth))
    }

    private func dictionary(_ index: Int64, depth: Int) throws(InputError) -> Value {
        guard let root = try root(index, depth: depth) else { return .dictionary([]) }
        return .dictionary(
            try DictionaryTree(root, in: image, targets: targets).entries(depth: depth))
    }

    /// All values of a B+tree of mixed leaves.
    static func values(
        of root: Node, in image: Image, targets: LinkTargets, depth: Int
    ) throws(InputError) -> [Value] {
        var values: [Value] = []
        try BPlusTree.forEachLeaf(of: root, in: image) { node throws(InputError) in
            let leaf = try MixedLeaf(node, in: image, targets: targets)
            guard leaf.count <= BPlusTree.leafLimit else { throw node.damaged("a leaf of \(leaf.count) elements") }
            for index in 0..<leaf.count { values.append(try leaf.value(at: index, depth: depth)) }
            return leaf.count
        }
        return values
    }
}
