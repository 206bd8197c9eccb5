import RealmModel

@testable import RealmFile

/// Looks at the parts of a file that the reader leaves aside: how nodes lie, backlinks, search indexes.
struct FileStructure {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The faults in how the nodes lie: each byte belongs to one node that one other refers to.
    func gaps() throws -> [String] {
        try withImage { image, top in
            var ranges: [Range<Int>] = []
            var waiting = [top]
            while let ref = waiting.popLast() {
                let node = try image.header(at: ref)
                ranges.append(node.offset..<node.offset + node.byteCount)
                guard node.hasRefs else { continue }
                for index in 0..<node.count {
                    let element = try node.integer(at: index)
                    if element != 0, element & 1 == 0 { waiting.append(element) }
                }
            }
            ranges.sort { $0.lowerBound < $1.lowerBound }
            var problems: [String] = []
            var end = 24
            for range in ranges {
                if range.lowerBound != end { problems.append("at \(end): \(range)") }
                end = range.upperBound
            }
            if end != image.bytes.count { problems.append("at the end \(end) of \(image.bytes.count)") }
            return problems
        }
    }

    /// The top array: references as they are, numbers without their tag.
    func top() throws -> [Int64] {
        try withImage { image, top in
            let node = try image.node(at: top)
            return try (0..<node.count).map {
                let element = try node.integer(at: $0)
                return element & 1 == 1 ? element >> 1 : element
            }
        }
    }

    /// The number of objects in each leaf of each table.
    func clusterSizes() throws -> [[Int]] {
        try withTables { table, image in
            var cursor = ClusterCursor(root: try image.requiredChild(2, of: table, "objects"), in: image)
            var sizes: [Int] = []
            while let cluster = try cursor.next() { sizes.append(cluster.count) }
            return sizes
        }
    }

    /// The deepest tree of objects, in levels of inner nodes.
    func clusterDepth() throws -> Int64 {
        try withTables { table, image in
            let root = try image.requiredChild(2, of: table, "objects")
            return root.isInner ? try root.tagged(at: 1) ?? 0 : 0
        }.max() ?? 0
    }

    /// The columns of a table in its spec and its top array: types, keys, and the columns on the other side.
    func columnTypes(table key: Int64) throws -> (codes: [Int64], keys: [Int64], opposites: [Int64]) {
        let found = try withTables { table, image -> ([Int64], [Int64], [Int64])? in
            guard try table.tagged(at: 3) ?? 0 == key else { return nil }
            let spec = try image.requiredChild(0, of: table, "spec")
            return try (
                Self.integers(of: image.integers(0, of: spec, "types"), in: image),
                Self.integers(of: image.integers(5, of: spec, "keys"), in: image),
                Self.integers(of: image.integers(8, of: table, "opposite columns"), in: image)
            )
        }
        return found.compactMap(\.self).first ?? ([], [], [])
    }

    /// The roots of the origins of objects that more than one link leads to.
    func backlinkRoots() throws -> [(count: Int, isInner: Bool)] {
        try withTables { table, image -> [(count: Int, isInner: Bool)] in
            let spec = try image.requiredChild(0, of: table, "spec")
            let types = try image.integers(0, of: spec, "types")
            let keys = try image.integers(5, of: spec, "keys")
            var roots: [(count: Int, isInner: Bool)] = []
            for index in 0..<types.count where try types.integer(at: index) == StoredColumn.TypeCode.backlink {
                let leafIndex = ColumnKey(value: try keys.integer(at: index)).leafIndex
                var cursor = ClusterCursor(root: try image.requiredChild(2, of: table, "objects"), in: image)
                while let cluster = try cursor.next() {
                    let leaf = try cluster.leaf(ofColumn: leafIndex, in: image)
                    for row in 0..<leaf.count {
                        let element = try leaf.integer(at: row)
                        guard element != 0, element & 1 == 0 else { continue }
                        let root = try image.requiredChild(row, of: leaf, "origins")
                        roots.append((root.count, root.isInner))
                    }
                }
            }
            return roots
        }.flatMap { $0 }
    }

    /// The origins of each object in each column of backlinks, by table key: `origin table/origin column` and pairs of
    /// target and origin.
    func backlinks() throws -> [String: [[Int64]]] {
        var found: [String: [[Int64]]] = [:]
        _ = try withTables { table, image in
            let spec = try image.requiredChild(0, of: table, "spec")
            let types = try image.integers(0, of: spec, "types")
            let keys = try image.integers(5, of: spec, "keys")
            let tables = try image.integers(7, of: table, "opposite tables")
            let columns = try image.integers(8, of: table, "opposite columns")
            for index in 0..<types.count where try types.integer(at: index) == StoredColumn.TypeCode.backlink {
                let leafIndex = ColumnKey(value: try keys.integer(at: index)).leafIndex
                let origin = try "\(tables.integer(at: leafIndex))/\(columns.integer(at: leafIndex) & 0xffff)"
                let name = try "\(table.tagged(at: 3) ?? 0) from \(origin)"
                found[name] = try pairs(ofColumn: leafIndex, of: table, image)
            }
        }
        return found
    }

    /// The object keys that an index finds for a value's bytes, following the table's column of a leaf index.
    func lookUp(_ value: [UInt8]?, column: Int, table key: Int64) throws -> [Int64] {
        try withTables { table, image -> [Int64] in
            guard try table.tagged(at: 3) ?? 0 == key else { return [] }
            let indexes = try image.integers(4, of: table, "indexes")
            return try lookUp(value, at: 0, in: image.requiredChild(column, of: indexes, "index"), image)
        }.flatMap { $0 }
    }

    private func lookUp(_ value: [UInt8]?, at offset: Int, in node: Node, _ image: Image) throws -> [Int64] {
        let chunks = try image.integers(0, of: node, "chunks")
        let wanted = Self.chunk(value, at: offset)
        guard node.hasContext, chunks.width == 32, chunks.count == node.count - 1 else { return [-1] }
        guard let place = try (0..<chunks.count).first(where: { try chunks.integer(at: $0) >= wanted }) else {
            return []
        }
        if node.isInner {
            return try lookUp(value, at: offset, in: image.requiredChild(place + 1, of: node, "child"), image)
        }
        guard try chunks.integer(at: place) == wanted else { return [] }
        guard try node.integer(at: place + 1) & 1 == 0 else { return [try node.tagged(at: place + 1) ?? 0] }
        let child = try image.requiredChild(place + 1, of: node, "child")
        return child.hasContext
            ? try lookUp(value, at: offset + 4, in: child, image) : try Self.integers(of: child, in: image)
    }

    /// REALM_FORMAT section 14, word for word.
    private static func chunk(_ value: [UInt8]?, at offset: Int) -> Int64 {
        guard let value, offset <= value.count else { return 0 }
        let bytes = Array((value[offset...] + [0x58, 0, 0, 0]).prefix(4))
        return Int64(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
    }

    private func pairs(ofColumn leafIndex: Int, of table: Node, _ image: Image) throws -> [[Int64]] {
        var pairs: [[Int64]] = []
        var cursor = ClusterCursor(root: try image.requiredChild(2, of: table, "objects"), in: image)
        while let cluster = try cursor.next() {
            var keys = [Int64](repeating: 0, count: cluster.count)
            try keys.withUnsafeMutableBufferPointer { try cluster.copyKeys(0..<cluster.count, to: $0) }
            let leaf = try cluster.leaf(ofColumn: leafIndex, in: image)
            for row in 0..<leaf.count {
                let element = try leaf.integer(at: row)
                if element != 0, element & 1 == 0 {
                    let tree = try image.requiredChild(row, of: leaf, "origins")
                    pairs += try Self.integers(of: tree, in: image).map { [keys[row], $0] }
                } else if element != 0 {
                    pairs.append([keys[row], element >> 1])
                }
            }
        }
        return pairs
    }

    private static func integers(of tree: Node, in image: Image) throws -> [Int64] {
        var integers: [Int64] = []
        try BPlusTree.forEachLeaf(of: tree, in: image) { leaf throws(InputError) in
            for index in 0..<leaf.count { integers.append(try leaf.integer(at: index)) }
            return leaf.count
        }
        return integers
    }

    private func withImage<Result>(_ body: (Image, Int64) throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { bytes in
            let header = try FileHeader(bytes)
            let nodes = UnsafeRawBufferPointer(rebasing: bytes[..<header.nodesEnd])
            return try body(Image(nodes, formatVersion: header.formatVersion), header.topRef)
        }
    }

    private func withTables<Result>(_ body: (Node, Image) throws -> Result) throws -> [Result] {
        let count = try withImage { image, top in
            try image.integers(1, of: image.node(at: top), "tables").count
        }
        // An image for each table: all that a test reads of them together is more than the budget of one.
        return try (0..<count).map { index in
            try withImage { image, top in
                let tables = try image.integers(1, of: image.node(at: top), "tables")
                return try body(image.requiredChild(index, of: tables, "table"), image)
            }
        }
    }
}
