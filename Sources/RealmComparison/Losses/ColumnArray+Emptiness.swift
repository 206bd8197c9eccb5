import Columns
import RealmModel

extension ColumnArray {
    /// Whether a cell holds nothing that could be lost: null, zero, false, the epoch, or a text of white space.
    ///
    /// - Parameter type: the column's.
    func isEmpty(at row: Int, as type: ColumnType) throws -> Bool {
        if isNull(row) { return true }
        switch values {
        case .int(let cells): return type.element != .object && cells[row] == 0
        case .bool(let bits): return !bits[row]
        case .float(let cells): return cells[row] == 0
        case .double(let cells): return cells[row] == 0
        case .date(let seconds, let nanoseconds): return seconds[row] == 0 && nanoseconds[row] == 0
        case .list(let offsets, _), .dictionary(let offsets, _, _): return offsets[row] == offsets[row + 1]
        case .variable(let offsets, let bytes) where type.element == .string:
            return bytes[Int(offsets[row])..<Int(offsets[row + 1])].allSatisfy { $0 <= UInt8(ascii: " ") }
        case .variable, .fixed: return try value(at: row, as: type).isEmptyOrZero
        }
    }

    /// How many live rows have something that could be lost, and how many have nothing.
    func filledCount(_ rows: [Int], as type: ColumnType) throws -> (filled: Int, empty: Int) {
        var filled = 0
        for row in rows where try !isEmpty(at: row, as: type) { filled += 1 }
        return (filled, rows.count - filled)
    }
}

extension EmptyValue {
    /// The emptiness of a cell that `isEmpty`; nil for any other.
    init?(_ array: ColumnArray, at row: Int, as type: ColumnType) throws {
        guard try array.isEmpty(at: row, as: type) else { return nil }
        if array.isNull(row) {
            self = .null
            return
        }
        switch array.values {
        case .int, .float, .double: self = .zero
        case .bool: self = .false
        case .date: self = .epoch
        case .list, .dictionary: self = .empty
        case .fixed: self = .zero
        case .variable: self = .empty
        }
    }
}

/// The value that stands in place of one that is lost as a whole; the raw values are stable.
public enum EmptyValue: String, Hashable, Sendable, CaseIterable {
    case null
    case empty
    case zero
    case `false`
    case epoch
}
