import Columns
import RealmModel

/// Decodes single-precision numbers; one NaN stands for null.
final class FloatDecoder: ColumnDecoder {
    private let nullPattern: UInt32?
    private var leaf: Node?
    private var cells = CellBuffer<Float>()
    private var validity = ValidityBuffer()

    /// - Parameter nullPattern: the bits that stand for null; nil where nothing may be null.
    init(nullPattern: UInt32?) {
        self.nullPattern = nullPattern
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.count * 4 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        guard leaf.layout == .cells, leaf.width == 4 || leaf.count == 0 else {
            throw leaf.damaged("a leaf of single-precision numbers")
        }
        self.leaf = leaf
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf, !rows.isEmpty else { return }
        let added = cells.grow(by: rows.count)
        UnsafeMutableRawBufferPointer(added).copyMemory(from: leaf.bytes(rows.lowerBound * 4..<rows.upperBound * 4))
        guard let nullPattern, added.contains(where: { $0.bitPattern == nullPattern }) else {
            return validity.appendValid(rows.count)
        }
        validity.append(contentsOf: added) { $0.bitPattern != nullPattern }
        for index in added.indices where added[index].bitPattern == nullPattern { added[index] = 0 }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .float(cells.take()))
    }
}
