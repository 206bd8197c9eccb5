import Columns
import RealmModel

/// The cells of columns that changed in some rows, and not in others.
struct KeptCells {
    /// By the column after.
    private let pairs: [Int: PropertyPair]
    private let old: RowGroupCursor
    /// The rows before, by those after.
    private let rows: [Int: Int]

    init(_ pairs: [PropertyPair], _ both: RowPairs, _ old: RowGroupCursor) {
        self.pairs = Dictionary(pairs.filter(\.hasSameType).map { ($0.other, $0) }) { first, _ in first }
        self.old = old
        rows =
            self.pairs.isEmpty || both.rows == both.others
            ? [:] : Dictionary(zip(both.others, both.rows)) { first, _ in first }
    }

    /// The value that stood there before, with embedded objects in it; nil where there was none of the type.
    func value(inRow row: Int, of column: Int, _ linked: LinkedObjects) throws -> Value? {
        guard let pair = pairs[column] else { return nil }
        let before = try old.column(pair.property).value(at: rows[row] ?? row, as: pair.oldType)
        return try linked.old.expanded(before, of: pair.target)
    }

    /// Whether a single value stood there before.
    func have(_ array: ColumnArray, at row: Int, of column: Int) throws -> Bool {
        guard let pair = pairs[column] else { return false }
        return try old.column(pair.property).value(at: rows[row] ?? row, as: pair.oldType)
            == array.value(at: row, as: pair.newType)
    }
}
