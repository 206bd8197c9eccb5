import RealmModel

/// The rows of a leaf whose values stand in doubtful bytes.
struct SuspectRows {
    /// How a leaf keeps its values.
    enum Shape {
        /// An element a row, or several arrays of such.
        case values
        /// Strings or data.
        case bytes
        /// Blocks of eight identifiers of so many bytes.
        case identifiers(width: Int)
        /// A reference a row.
        case collections
        /// Arrays of which each value takes a part.
        case mixed

        init(_ property: PropertyType, _ collection: CollectionKind) {
            self =
                switch (collection, property) {
                case (.none, .string), (.none, .data): .bytes
                case (.none, .objectId): .identifiers(width: ObjectId.byteCount)
                case (.none, .uuid): .identifiers(width: UUID.byteCount)
                case (.none, .mixed): .mixed
                case (.none, _): .values
                default: .collections
                }
        }
    }

    private let count: Int
    private var rows: Set<Int> = []

    /// Looks at a leaf of a number of rows, and at all that it leads to.
    init(of leaf: Node, count: Int, _ shape: Shape, in image: Image) {
        self.count = count
        guard image.hasDoubts else { return }
        switch shape {
        case .values where !leaf.hasRefs: add(elements: leaf, in: image)
        case .values: add(parts: leaf, in: image)
        case .bytes where !leaf.hasRefs: add(elements: leaf, in: image)
        case .bytes where !leaf.hasContext: add(texts: leaf, in: image)
        case .bytes, .collections: add(trees: leaf, in: image)
        case .identifiers(let width): add(blocks: leaf, width: width, in: image)
        case .mixed: if image.isDoubtful(tree: leaf) { addAll() }
        }
    }

    /// The suspect ones of some rows, ascending.
    func among(_ some: Range<Int>) -> [Int] { rows.isEmpty ? [] : some.filter { rows.contains($0) } }

    private mutating func addAll() { rows = Set(0..<count) }

    private mutating func add(_ some: Range<Int>) { rows.formUnion(some.clamped(to: 0..<count)) }

    /// Each row has an element; an element more, before them, is part of all.
    private mutating func add(elements node: Node, in image: Image) {
        let bits = node.layout == .bits ? node.width : node.width * 8
        for range in image.doubts(in: node) {
            guard let bytes = Self.payload(range, of: node), bits > 0 else { return addAll() }
            let first = bytes.lowerBound * 8 / bits - (node.count - count)
            guard first >= 0 else { return addAll() }
            add(first..<max((bytes.upperBound * 8 + bits - 1) / bits - (node.count - count), first))
        }
    }

    /// Each row has an element in each of some arrays.
    private mutating func add(parts leaf: Node, in image: Image) {
        guard image.doubts(in: leaf).isEmpty else { return addAll() }
        for index in 0..<min(leaf.count, count + 2) {
            guard let part = try? image.child(index, of: leaf) else { continue }
            if part.hasRefs { if image.isDoubtful(tree: part) { addAll() } } else { add(elements: part, in: image) }
        }
    }

    private mutating func add(trees leaf: Node, in image: Image) {
        add(elements: leaf, in: image)
        for row in 0..<min(count, leaf.count) where !rows.contains(row) {
            guard let root = try? image.child(row, of: leaf), image.isDoubtful(tree: root) else { continue }
            rows.insert(row)
        }
    }

    private mutating func add(blocks leaf: Node, width: Int, in image: Image) {
        let blockBytes = 1 + 8 * width
        for range in image.doubts(in: leaf) {
            guard let bytes = Self.payload(range, of: leaf) else { return addAll() }
            add(bytes.lowerBound / blockBytes * 8..<(bytes.upperBound + blockBytes - 1) / blockBytes * 8)
        }
    }

    /// One run of bytes, and the ends of the values in it.
    private mutating func add(texts leaf: Node, in image: Image) {
        guard image.doubts(in: leaf).isEmpty, let ends = try? image.child(0, of: leaf),
            let blob = try? image.child(1, of: leaf)
        else { return addAll() }
        if let nulls = try? image.child(2, of: leaf), !image.doubts(in: nulls).isEmpty { return addAll() }
        let before = rows
        add(elements: ends, in: image)
        // An end is the next one's start.
        for row in rows.subtracting(before) { add(row + 1..<row + 2) }
        let doubtful = image.doubts(in: blob).map { Self.payload($0, of: blob) }
        guard !doubtful.isEmpty else { return }
        var start = 0
        for row in 0..<min(count, ends.count) {
            guard let end = (try? ends.integer(at: row)).flatMap({ Int(exactly: $0) }) else { return }
            if doubtful.contains(where: { $0?.overlaps(start..<max(start, end)) ?? true }) { rows.insert(row) }
            start = max(end, 0)
        }
    }

    /// Bytes of a node counted from its first element; nil where its header is among them.
    private static func payload(_ range: Range<Int>, of node: Node) -> Range<Int>? {
        let start = node.offset + Node.headerBytes
        return range.lowerBound < start - 3 ? nil : max(range.lowerBound - start, 0)..<max(range.upperBound - start, 0)
    }
}

extension Image {
    /// Whether a node, or one of those that it leads to, has doubtful bytes.
    func isDoubtful(tree root: Node) -> Bool {
        guard hasDoubts else { return false }
        var pending = [root]
        while let node = pending.popLast() {
            guard doubts(in: node).isEmpty else { return true }
            guard node.hasRefs, node.layout == .bits, node.width >= 8 else { continue }
            for index in 0..<node.count {
                if let ref = try? node.reference(at: index), let child = try? header(at: ref) { pending.append(child) }
            }
        }
        return false
    }
}
