import Columns
import RealmModel

/// Decodes decimals of 32, 64 or 128 bits, REALM_FORMAT section 10.2.
final class DecimalDecoder: ColumnDecoder {
    private let isRequired: Bool
    private var leaf: Node?
    private var words = CellBuffer<UInt64>()
    private var validity = ValidityBuffer()

    init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    var count: Int { words.count / 2 }
    var byteCount: Int { words.count * 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        guard leaf.layout == .cells, [0, 4, 8, 16].contains(leaf.width) else {
            throw leaf.damaged("a leaf of decimals")
        }
        self.leaf = leaf
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            let value = decimal(at: row, of: leaf)
            validity.append(isRequired || value != nil)
            let cell = value ?? (isRequired ? .zero : Decimal128(low: 0, high: 0))
            words.append(cell.low)
            words.append(cell.high)
        }
    }

    func take() -> ColumnArray {
        let count = count
        let bytes = words.take().withUnsafeBytes { Array($0) }
        return ColumnArray(count: count, validity: validity.take(), values: .fixed(width: 16, bytes))
    }

    private func decimal(at row: Int, of leaf: Node) -> Decimal128? {
        let cell = leaf.payload
        switch leaf.width {
        case 0: return leaf.hasContext ? .zero : nil
        case 4: return .widening(cell.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
        case 8: return .widening(cell.loadUnaligned(fromByteOffset: row * 8, as: UInt64.self))
        default:
            let low = cell.loadUnaligned(fromByteOffset: row * 16, as: UInt64.self)
            let high = cell.loadUnaligned(fromByteOffset: row * 16 + 8, as: UInt64.self)
            return Decimal128.isNull(low: low, high: high) ? nil : Decimal128(low: low, high: high)
        }
    }
}
