import Columns
import RealmModel

/// The values of a leaf for some rows, as Parquet's types have them.
struct ParquetCells {
    enum Values {
        case bools(Bitmap)
        case integers([Int64])
        case floats([Float])
        case doubles([Double])
        case fixed(width: Int, [UInt8])
        case bytes(offsets: [Int32], bytes: [UInt8])
    }

    let count: Int
    private(set) var validity: Bitmap?
    private(set) var values: Values

    /// Whether a row is null.
    func isNull(_ row: Int) -> Bool { validity.map { !$0[row] } ?? false }

    /// Wraps cells that are none of Parquet's own types: numbers and texts.
    init(_ column: CellColumn) {
        count = column.count
        validity = column.validity
        switch column.cells {
        case .integer(let cells): values = .integers(cells)
        case .real(let cells): values = .doubles(cells)
        case .text(let offsets, let bytes), .blob(let offsets, let bytes):
            values = .bytes(offsets: offsets, bytes: bytes)
        }
    }

    /// Turns texts of UUIDs into their bytes.
    init(uuids column: CellColumn) {
        count = column.count
        validity = column.validity
        var bytes = [UInt8](repeating: 0, count: column.count * UUID.byteCount)
        if case .text(let offsets, let text) = column.cells {
            for row in 0..<count where !column.isNull(row) {
                let digits = text[Int(offsets[row])..<Int(offsets[row + 1])].filter { $0 != UInt8(ascii: "-") }
                guard let id = Hexadecimal.decode(digits), id.count == UUID.byteCount else { continue }
                bytes.replaceSubrange(row * UUID.byteCount..<(row + 1) * UUID.byteCount, with: id)
            }
        }
        values = .fixed(width: UUID.byteCount, bytes)
    }

    /// The cells of values that Parquet has a type for; nil for the others, which are texts or links.
    init?(_ array: ColumnArray, _ type: PropertyType, _ loss: LossPlace, _ losses: inout Losses) {
        count = array.count
        validity = array.validity
        switch array.values {
        case .bool(let bits): values = .bools(bits)
        case .float(let cells): values = .floats(cells)
        case .double(let cells): values = .doubles(cells)
        case .fixed(let width, let bytes) where type == .uuid: values = .fixed(width: width, bytes)
        case .date(let seconds, let nanoseconds):
            values = .integers([])
            takeDates(seconds, nanoseconds, loss, &losses)
        default: return nil
        }
    }

    private mutating func takeDates(
        _ seconds: [Int64], _ nanoseconds: [Int32], _ loss: LossPlace, _ losses: inout Losses
    ) {
        var numbers = [Int64](repeating: 0, count: count)
        for row in 0..<count {
            let date = Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row])
            guard let number = date.floored(unitsPerSecond: 1_000_000_000).number else {
                if loss.counts(row) { losses.count(.dateRange) }
                if validity == nil { validity = Bitmap(repeating: true, count: count) }
                validity?[row] = false
                continue
            }
            numbers[row] = number
        }
        values = .integers(numbers)
    }
}
