import Columns
import RealmModel

/// Decodes ObjectIds and UUIDs: blocks of a byte of null bits and eight values, REALM_FORMAT section 10.3.
final class IdentifierDecoder: ColumnDecoder {
    private let width: Int
    private let isRequired: Bool
    private var leaf: Node?
    private var cells = CellBuffer<UInt8>()
    private var validity = ValidityBuffer()

    init(width: Int, isRequired: Bool) {
        self.width = width
        self.isRequired = isRequired
    }

    var count: Int { cells.count / width }
    var byteCount: Int { cells.count }

    private var blockBytes: Int { 1 + 8 * width }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let bytes = leaf.payload.count
        let count = (bytes - (bytes + blockBytes - 1) / blockBytes) / width
        guard leaf.layout == .cells, leaf.width <= 1, bytes == count * width + (count + 7) / 8 else {
            throw leaf.damaged("a leaf of ids")
        }
        self.leaf = leaf
        return count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            let block = row / 8 * blockBytes
            let isNull = leaf.payload[block] >> UInt8(row & 7) & 1 != 0
            validity.append(isRequired || !isNull)
            if isNull {
                cells.grow(by: width).update(repeating: 0)
            } else {
                let start = block + 1 + row % 8 * width
                cells.append(contentsOf: leaf.bytes(start..<start + width))
            }
        }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .fixed(width: width, cells.take()))
    }
}
