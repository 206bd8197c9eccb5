import Columns
import RealmModel

/// The rows of a table that keeps each column in a B+tree of its own; their keys are their positions.
final class TreeRows: RowSource {
    /// One property: one tree, or two for points in time.
    private struct Part {
        let trees: [TreeColumn]
        let combine: ([ColumnArray]) -> ColumnArray
    }

    private let table: Table
    private let image: Image
    private(set) var repairedTexts: [Int]
    private var parts: [Part] = []
    /// The first row of the run.
    private var start: Int64 = 0
    private var runCount = 0

    /// Makes a decoder for each column.
    init(_ table: Table, trees: [LegacyTree], in image: Image, targets: LinkTargets) throws(InputError) {
        self.table = table
        self.image = image
        repairedTexts = table.columns.map { _ in 0 }
        for index in table.columns.indices {
            parts.append(
                try table.located(index) { () throws(InputError) in
                    try Self.part(table.columns[index], trees[index], in: image, targets: targets)
                })
        }
    }

    private static func part(
        _ column: StoredColumn, _ tree: LegacyTree, in image: Image, targets: LinkTargets
    ) throws(InputError) -> Part {
        let root = try image.node(at: tree.root)
        let isRequired = !column.attributes.contains(.nullable)
        guard tree.content == .timestamp else {
            let decoder = try LegacyDecoders.decoder(
                of: tree.content, column: column, in: image, targets: targets)
            return Part(trees: [TreeColumn(root: root, decoder, in: image)]) { $0[0] }
        }
        let seconds = try image.requiredChild(0, of: root, "the seconds of a column of dates")
        let nanoseconds = try image.requiredChild(1, of: root, "the nanoseconds of a column of dates")
        return Part(
            trees: [
                TreeColumn(root: seconds, IntegerDecoder(isNullable: true), in: image),
                TreeColumn(root: nanoseconds, NanosecondDecoder(), in: image),
            ]
        ) { .dates(seconds: $0[0], nanoseconds: $0[1], isRequired: isRequired) }
    }

    func nextRun() throws(InputError) -> Int? {
        start += Int64(runCount)
        var shortest = Int.max
        var isAtEnd: Bool?
        for (index, part) in parts.enumerated() {
            for tree in part.trees {
                let left = try table.located(index) { () throws(InputError) in try tree.prepare() }
                guard isAtEnd == nil || isAtEnd == (left == 0) else {
                    throw InputError.damaged("the columns of a table are of different lengths", at: table.offset)
                        .within(className: table.className ?? table.name)
                }
                isAtEnd = left == 0
                shortest = min(shortest, left)
            }
        }
        guard isAtEnd == false else { return nil }
        runCount = shortest
        return runCount
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int {
        var rows = Int.max
        for (index, part) in parts.enumerated() {
            for tree in part.trees {
                rows = min(
                    rows, try table.located(index) { () throws(InputError) in try tree.rowsFitting(in: bytes) })
            }
        }
        return rows
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        for (index, part) in parts.enumerated() {
            let before = image.repairedTexts
            for tree in part.trees {
                do {
                    try tree.append(rows.count)
                } catch {
                    throw error.within(
                        className: table.className ?? table.name, property: table.columns[index].name,
                        key: key(of: error, in: rows, of: tree))
                }
            }
            let repaired = image.repairedTexts - before
            try table.located(index) { () throws(InputError) in try table.checkRepairs(repaired, ofColumn: index) }
            repairedTexts[index] += repaired
        }
    }

    /// The key of the object whose value can't be decoded, found by decoding the rows once more, one by one.
    private func key(of error: InputError, in rows: Range<Int>, of tree: TreeColumn) -> Int64? {
        for row in rows {
            do {
                try tree.append(1)
            } catch let again {
                // Another error is one of rows that have been read twice.
                return again == error ? start + Int64(row) : nil
            }
        }
        return nil
    }

    func copyKeys(_ rows: Range<Int>, to keys: UnsafeMutableBufferPointer<Int64>) throws(InputError) {
        for (index, row) in rows.enumerated() { keys[index] = start + Int64(row) }
    }

    var byteCount: Int { parts.reduce(0) { $0 + $1.trees.reduce(0) { $0 + $1.byteCount } } }

    func take() -> [ColumnArray] { parts.map { part in part.combine(part.trees.map { $0.take() }) } }

    /// The number of rows that the first column says there are.
    func rowCount() throws(InputError) -> Int { try parts.first?.trees.first?.rowCount() ?? 0 }
}
