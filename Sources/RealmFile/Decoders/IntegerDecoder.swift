import Columns
import RealmModel

/// Decodes integers; where they may be null, each leaf has one element more that says which number stands for null.
final class IntegerDecoder: ColumnDecoder {
    private let isNullable: Bool
    private var leaf: Node?
    private var cells = CellBuffer<Int64>()
    private var validity = ValidityBuffer()

    init(isNullable: Bool) {
        self.isNullable = isNullable
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.count * 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asValues("a leaf of integers")
        guard isNullable else { return leaf.count }
        guard leaf.count > 0 else { throw leaf.damaged("a leaf of optional integers has no mark for null") }
        return leaf.count - 1
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        let added = cells.grow(by: rows.count)
        guard isNullable else {
            leaf.copyIntegers(rows, to: added)
            return validity.appendValid(rows.count)
        }
        leaf.copyIntegers(rows.lowerBound + 1..<rows.upperBound + 1, to: added)
        markNulls(in: added, marker: try leaf.integer(at: 0))
    }

    private func markNulls(in added: UnsafeMutableBufferPointer<Int64>, marker: Int64) {
        guard added.contains(marker) else { return validity.appendValid(added.count) }
        validity.append(contentsOf: added) { $0 != marker }
        for index in added.indices where added[index] == marker { added[index] = 0 }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .int(cells.take()))
    }
}
