import Columns
import RealmModel

/// Decodes double-precision numbers; one NaN stands for null.
final class DoubleDecoder: ColumnDecoder {
    private let nullPattern: UInt64?
    private var leaf: Node?
    private var cells = CellBuffer<Double>()
    private var validity = ValidityBuffer()

    /// - Parameter nullPattern: the bits that stand for null; nil where nothing may be null.
    init(nullPattern: UInt64?) {
        self.nullPattern = nullPattern
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.count * 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        guard leaf.layout == .cells, leaf.width == 8 || leaf.count == 0 else {
            throw leaf.damaged("a leaf of double-precision numbers")
        }
        self.leaf = leaf
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf, !rows.isEmpty else { return }
        let added = cells.grow(by: rows.count)
        UnsafeMutableRawBufferPointer(added).copyMemory(from: leaf.bytes(rows.lowerBound * 8..<rows.upperBound * 8))
        guard let nullPattern, added.contains(where: { $0.bitPattern == nullPattern }) else {
            return validity.appendValid(rows.count)
        }
        validity.append(contentsOf: added) { $0.bitPattern != nullPattern }
        for index in added.indices where added[index].bitPattern == nullPattern { added[index] = 0 }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .double(cells.take()))
    }
}
