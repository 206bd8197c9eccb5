import Columns
import RealmModel

/// Decodes floating-point numbers; one NaN stands for null.
final class FloatingPointDecoder<Number: StoredFloatingPoint>: ColumnDecoder {
    private static var width: Int { MemoryLayout<Number>.size }

    private let isNullable: Bool
    private var leaf: Node?
    private var cells = CellBuffer<Number>()
    private var validity = ValidityBuffer()

    init(isNullable: Bool) {
        self.isNullable = isNullable
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.count * Self.width }

    func open(_ leaf: Node) throws(InputError) -> Int {
        guard leaf.layout == .cells, leaf.width == Self.width || leaf.count == 0 else {
            throw leaf.damaged(Number.leafName)
        }
        self.leaf = leaf
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf, !rows.isEmpty else { return }
        let added = cells.grow(by: rows.count)
        UnsafeMutableRawBufferPointer(added)
            .copyMemory(from: leaf.bytes(rows.lowerBound * Self.width..<rows.upperBound * Self.width))
        guard isNullable, added.contains(where: { $0.bitPattern == Number.nullPattern }) else {
            return validity.appendValid(rows.count)
        }
        validity.append(contentsOf: added) { $0.bitPattern != Number.nullPattern }
        for index in added.indices where added[index].bitPattern == Number.nullPattern { added[index] = 0 }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: Number.values(cells.take()))
    }
}
