import Columns
import RealmModel

/// Decodes the nanoseconds of points in time and checks that they are less than a second.
final class NanosecondDecoder: ColumnDecoder {
    /// Less than a second either way.
    static let range: ClosedRange<Int64> = -999_999_999...999_999_999

    private var leaf: Node?
    private var cells = CellBuffer<Int64>()

    var count: Int { cells.count }
    var byteCount: Int { cells.count * 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asValues("a leaf of nanoseconds")
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        let added = cells.grow(by: rows.count)
        leaf.copyIntegers(rows, to: added)
        guard added.allSatisfy({ Self.range.contains($0) }) else { throw leaf.damaged("the nanoseconds of a date") }
    }

    func take() -> ColumnArray { ColumnArray(count: count, values: .int(cells.take())) }
}
