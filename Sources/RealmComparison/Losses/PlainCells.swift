import Columns
import RealmModel

/// A single value that is no text, without anything of it on the heap.
enum PlainCell: Equatable {
    case null
    case flag(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case date(Timestamp)
    case identifier(UInt64, UInt64)

    /// Whether there is nothing that could be lost.
    var isHollow: Bool {
        switch self {
        case .null: true
        case .flag(let flag): !flag
        case .int(let number): number == 0
        case .float(let number): number == 0
        case .double(let number): number == 0
        case .date(let date): date == Timestamp(seconds: 0, nanoseconds: 0)
        case .identifier(let high, let low): high == 0 && low == 0
        }
    }

    var isFlag: Bool { if case .flag = self { true } else { false } }

    /// Whether it is a number or a date.
    var isSaidInTexts: Bool { if case .date = self { true } else { number != nil } }

    var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Whether another one has it, perhaps as a number of another type, or a date as a number.
    func isCarried(by other: PlainCell) -> Bool {
        switch (self, other) {
        case (.null, _), (_, .null): false
        case (.int(let number), .int(let found)): number == found
        case (.date(let date), .date(let found)): date == found
        case (.date(let date), .int(let found)): found == date.seconds || found == date.milliseconds
        case (.date(let date), .float), (.date(let date), .double): other.number.map(date.isSaid) ?? false
        case (.identifier, _), (.flag, _), (.date, _): self == other
        default: number == other.number
        }
    }

    /// The value; of an identifier a text that no other one has.
    var value: Value {
        switch self {
        case .null: .null
        case .identifier(let high, let low): .string("\(high) \(low)")
        case .flag(let flag): .bool(flag)
        case .int(let number): .int(number)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .date(let date): .date(date)
        }
    }
}

/// The cells of a column of single values that are no texts.
struct PlainCells {
    private let array: ColumnArray

    /// Nil for a column of any other type.
    init?(_ array: ColumnArray, _ type: ColumnType) {
        guard Self.isPlain(type) else { return nil }
        self.array = array
    }

    static func isPlain(_ type: ColumnType) -> Bool {
        guard type.collection == .none else { return false }
        return switch type.element {
        case .int, .bool, .float, .double, .date, .objectId, .uuid: true
        default: false
        }
    }

    subscript(row: Int) -> PlainCell {
        if array.isNull(row) { return .null }
        switch array.values {
        case .int(let cells): return .int(cells[row])
        case .bool(let bits): return .flag(bits[row])
        case .float(let cells): return .float(cells[row])
        case .double(let cells): return .double(cells[row])
        case .date(let seconds, let nanoseconds):
            return .date(Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]))
        case .fixed(let width, let bytes):
            var (high, low) = (0 as UInt64, 0 as UInt64)
            for byte in bytes[row * width..<(row + 1) * width] {
                (high, low) = (high << 8 | low >> 56, low << 8 | UInt64(byte))
            }
            return .identifier(high, low)
        default: return .null
        }
    }
}

/// The digits of a number but for the zeros at either end, as a number between one and ten: the same for 12.5 and 1,250.
struct LeadingDigits {
    private let value: Double

    /// Nil where there are none.
    init?(_ number: Double) {
        guard number.isFinite, number != 0 else { return nil }
        var value = number.magnitude
        while value >= 10 { value /= 10 }
        while value < 1 { value *= 10 }
        self.value = value
    }

    /// Whether they may be those of a part of a date: two digits, a year of about now, or any that its fraction may have.
    ///
    /// - Parameter hasFraction: whether the date has a fraction of a second.
    func mayBePart(ofFraction hasFraction: Bool) -> Bool {
        func isWhole(_ number: Double) -> Bool { (number - number.rounded()).magnitude <= 1e-9 }
        return hasFraction || isWhole(value * 10) || (1.5...2.5).contains(value) && isWhole(value * 1_000)
    }

    /// Whether they may be the same: where not, the digits differ.
    func mayBe(_ other: LeadingDigits) -> Bool {
        let difference = (value - other.value).magnitude
        return difference <= 1e-9 || difference >= 9 - 1e-9
    }
}
