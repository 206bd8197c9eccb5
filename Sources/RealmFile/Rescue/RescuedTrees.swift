import Columns
import RealmModel

/// The rows of a table that keeps each column in a B+tree of its own (formats before 10); their keys are their positions.
final class RescuedTrees: RescuedRows {
    /// One property: one tree, or two for points in time.
    private struct Part {
        let trees: [RescuedTree]
        let type: ColumnType
        let isRequired: Bool
    }

    private let parts: [Part]
    /// Most of the columns say it alike.
    let isCountLost = false
    /// The rows that most of the columns have.
    private let rowCount: Int?
    private let image: Image
    private var start = 0

    init(
        _ stored: [StoredColumn], _ trees: [LegacyTree], _ properties: [Property], in image: Image,
        targets: LinkTargets
    ) {
        self.image = image
        parts = zip(zip(stored, trees), properties).map { column, property in
            Self.part(column.0, column.1, property, in: image, targets: targets)
        }
        let counts = Dictionary(grouping: parts.flatMap(\.trees).compactMap(\.rowCount)) { $0 }
        rowCount = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
    }

    private static func part(
        _ column: StoredColumn, _ tree: LegacyTree, _ property: Property, in image: Image, targets: LinkTargets
    ) -> Part {
        let type = ColumnType(property)
        let isRequired = !column.attributes.contains(.nullable)
        let root = try? image.node(at: tree.root)
        guard tree.content == .timestamp else {
            let cells = RescuedColumn(type, in: image, enumeration: column.enumeration) { () throws(InputError) in
                try LegacyDecoders.decoder(of: tree.content, column: column, in: image, targets: targets)
            }
            return Part(trees: [RescuedTree(root, cells, in: image)], type: type, isRequired: isRequired)
        }
        let seconds = RescuedColumn(ColumnType(.int), in: image) { IntegerDecoder(isNullable: true) }
        let nanoseconds = RescuedColumn(ColumnType(.int), in: image) { NanosecondDecoder() }
        let roots = (0...1).map { index in
            root.flatMap { try? image.requiredChild(index, of: $0, "a part of a column of dates") }
        }
        return Part(
            trees: [RescuedTree(roots[0], seconds, in: image), RescuedTree(roots[1], nanoseconds, in: image)],
            type: type, isRequired: isRequired)
    }

    func next(_ report: UnsafeMutablePointer<RescueReport.Class>?) -> RescuedBlock? {
        guard let rowCount else {
            if start == 0, !parts.isEmpty { report?.pointee.loseKeys(KeyRanges.KeyRange(0, .max)) }
            start = 1
            return nil
        }
        guard start < rowCount, !image.isSpent else { return nil }
        let rows = start..<min(start + ObjectCensus.blockLimit, rowCount)
        start = rows.upperBound
        return RescuedBlock(rows: Array(rows), keys: rows.map { Int64($0) })
    }

    func open(_ columns: [Int]) {}

    func rowsFitting(in bytes: Int, from row: Int, _ columns: [Int]) -> Int {
        columns.flatMap { parts[$0].trees }.reduce(Int.max) { min($0, $1.rowsFitting(in: bytes, from: row)) }
    }

    func suspects(of column: Int, _ rows: Range<Int>) -> [Int] {
        Set(parts[column].trees.flatMap { $0.suspects(rows, of: rowCount) }).sorted()
    }

    func cells(of column: Int, _ rows: Range<Int>) -> RescuedCells {
        let part = parts[column]
        let cells = part.trees.map { $0.read(rows, of: rowCount) }
        guard cells.count == 2 else { return cells[0] }
        return RescuedCells(
            array: .dates(seconds: cells[0].array, nanoseconds: cells[1].array, isRequired: part.isRequired),
            lost: Set(cells[0].lost).union(cells[1].lost).sorted())
    }
}

/// A column that is a B+tree, read at any row, past the nodes of it that can't be read.
final class RescuedTree {
    /// The number of rows that the root says there are; nil where it can't be read.
    let rowCount: Int?

    private let root: Node?
    private let cells: RescuedColumn
    private let image: Image

    init(_ root: Node?, _ cells: RescuedColumn, in image: Image) {
        self.root = root
        self.cells = cells
        self.image = image
        rowCount = root.flatMap { root in
            guard !root.isInner else { return Self.total(of: root, in: image) }
            return cells.count(of: root).flatMap { $0 <= BPlusTree.leafLimit ? $0 : nil }
        }
    }

    /// The number of rows that a root says there are, where its leaves may hold as many, and the file may have had them.
    private static func total(of root: Node, in image: Image) -> Int? {
        guard let total = (try? root.tagged(at: root.count - 1)).flatMap({ Int(exactly: $0) }), total >= 0,
            total <= min(leafCount(below: root, in: image), image.bytes.count / Node.headerBytes) * BPlusTree.leafLimit
        else { return nil }
        return total
    }

    /// The leaves below an inner node; a child that can't be read counts as one beside leaves, else as a thousand.
    private static func leafCount(below node: Node, in image: Image, depth: Int = 0) -> Int {
        guard depth < BPlusTree.depthLimit, isInner(node) else { return 0 }
        var (leaves, inner, lost) = (0, 0, 0)
        for index in 1..<node.count - 1 {
            guard let child = try? image.requiredChild(index, of: node, "a child of a B+tree") else {
                lost += 1
                continue
            }
            if child.isInner {
                inner += leafCount(below: child, in: image, depth: depth + 1)
            } else {
                leaves += 1
            }
        }
        return leaves + inner + lost * (inner > 0 ? BPlusTree.leafLimit : 1)
    }

    /// Whether a node has children, and no more than any Realm writes: millions that are missing may take no bytes.
    private static func isInner(_ node: Node) -> Bool {
        node.layout == .bits && (3...BPlusTree.leafLimit + 2).contains(node.count) && node.width >= 8
    }

    /// How many rows, from one on, fit into so many bytes; at least 1.
    func rowsFitting(in bytes: Int, from row: Int) -> Int {
        guard let rowCount, let (leaf, rows) = leaf(at: row, of: rowCount), let leaf else { return .max }
        cells.open(leaf, count: rows.count)
        return cells.rowsFitting(in: bytes, from: row - rows.lowerBound)
    }

    /// Reads rows; none where the tree has another number of rows than the table.
    func read(_ rows: Range<Int>, of tableCount: Int?) -> RescuedCells {
        let builder = ColumnBuilder(cells.type)
        var (lost, doubtful) = ([] as [Int], [] as [Int])
        var row = rows.lowerBound
        while row < rows.upperBound {
            var run = row..<rows.upperBound
            var found: (leaf: Node?, rows: Range<Int>)?
            if let rowCount, rowCount == tableCount { found = leaf(at: row, of: rowCount) }
            if let found { run = run.clamped(to: found.rows) }
            if run.isEmpty { run = row..<row + 1 }
            cells.open(found.flatMap { $0.rows.contains(row) ? $0.leaf : nil }, count: found?.rows.count ?? 0)
            let start = found?.rows.lowerBound ?? run.lowerBound
            let part = cells.read(run.lowerBound - start..<run.upperBound - start)
            lost += part.lost.map { $0 + run.lowerBound - rows.lowerBound }
            doubtful += part.doubtful.map { $0 + run.lowerBound - rows.lowerBound }
            if (try? builder.append(0..<part.array.count, of: part.array)) == nil {
                for lostRow in run {
                    builder.appendNull()
                    lost.append(lostRow - rows.lowerBound)
                }
            }
            row = run.upperBound
        }
        return RescuedCells(array: builder.finish(), lost: lost, doubtful: doubtful)
    }

    /// The rows whose cells stand in doubtful bytes, counted from the first of them.
    func suspects(_ rows: Range<Int>, of tableCount: Int?) -> [Int] {
        guard image.hasDoubts, let rowCount, rowCount == tableCount else { return [] }
        if isSuspect { return Array(0..<rows.count) }
        var suspects: [Int] = []
        var row = rows.lowerBound
        while row < rows.upperBound {
            guard let (leaf, found) = leaf(at: row, of: rowCount), let leaf, found.contains(row) else { break }
            let run = row..<min(found.upperBound, rows.upperBound)
            cells.open(leaf, count: found.count)
            suspects += cells.suspects(run.lowerBound - found.lowerBound..<run.upperBound - found.lowerBound)
                .map { $0 + run.lowerBound - rows.lowerBound }
            row = run.upperBound
        }
        return suspects
    }

    /// Whether bytes of the inner nodes are doubtful.
    private lazy var isSuspect: Bool = {
        var pending = [root].compactMap(\.self).filter(\.isInner)
        while let node = pending.popLast() {
            guard image.doubts(in: node).isEmpty else { return true }
            for index in 0..<node.count where Self.isInner(node) {
                if let child = try? image.child(index, of: node), child.isInner { pending.append(child) }
            }
        }
        return false
    }()

    /// The rows of the leaf that holds a row, as far as they are known, and the leaf, where it can be read.
    private func leaf(at row: Int, of count: Int) -> (leaf: Node?, rows: Range<Int>)? {
        guard var node = root else { return nil }
        var rows = 0..<count
        for _ in 0..<BPlusTree.depthLimit {
            guard node.isInner else { return (node, rows) }
            guard Self.isInner(node),
                let (index, inside) = child(of: node, at: row - rows.lowerBound, rows.count)
            else { return (nil, rows) }
            rows = rows.lowerBound + inside.lowerBound..<rows.lowerBound + inside.upperBound
            guard let next = try? image.requiredChild(index + 1, of: node, "a child of a B+tree") else {
                return (nil, rows)
            }
            node = next
        }
        return (nil, rows)
    }

    /// Which child of an inner node holds a row, and which rows it holds, counted from the first of the node.
    private func child(of node: Node, at row: Int, _ count: Int) -> (Int, Range<Int>)? {
        let children = node.count - 2
        if let size = (try? node.tagged(at: 0)).flatMap({ Int(exactly: $0) }), size > 0 {
            let index = min(row / size, children - 1)
            let end = index == children - 1 ? count : min((index + 1) * size, count)
            return index * size < end ? (index, index * size..<end) : nil
        }
        guard let starts = (try? image.child(0, of: node)), starts.layout == .bits,
            starts.count == children - 1
        else { return nil }
        var start = 0
        for index in 0..<children {
            let end = index == children - 1 ? count : (try? starts.unsigned(at: index)).flatMap { Int(exactly: $0) }
            guard let end, end >= start, end <= count else { return nil }
            if row < end { return (index, start..<end) }
            start = end
        }
        return nil
    }
}
