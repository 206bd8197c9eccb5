import Columns
import RealmModel

/// A comparison of one column's cells with values.
struct ColumnTest {
    /// The property's place in the schema.
    let property: Int
    private let type: ColumnType
    /// Any of which has to fit.
    private let values: [(value: Value, test: ValueTest)]
    /// The same values, where a cell has to equal one of them.
    private let constants: ConstantSet?

    init(_ column: Column, _ values: [(value: Value, test: ValueTest)], _ constants: ConstantSet?) {
        self.constants = constants
        property = column.index
        type = ColumnType(column.property)
        self.values = values
    }

    /// The rows whose cells fit, of some.
    ///
    /// - Parameters:
    ///   - spend: counts the bytes that are looked at.
    ///   - holding: does something while a value of so many bytes is held.
    func rows(
        _ rows: [Int], of array: ColumnArray, spend: (Int) throws -> Void,
        holding: (Int, () throws -> Bool) throws -> Bool
    ) throws -> [Int] {
        let nullFits = fits(.null)
        func select(_ isFitting: (Int) -> Bool) -> [Int] {
            guard array.validity != nil else { return rows.filter(isFitting) }
            return rows.filter { array.isNull($0) ? nullFits : isFitting($0) }
        }
        guard values.count == 1, let (value, test) = values.first else {
            if let isFitting = membership(of: array) {
                try spend(array.byteCount + rows.count + 16 * values.count)
                return select(isFitting)
            }
            return try rows.filter { row in
                try spend((constants == nil ? values.count : 1) * (array.byteCount(at: row) + 16))
                return try fits(row, of: array, holding)
            }
        }
        try spend(array.byteCount + rows.count)
        switch (array.values, value) {
        case (.int(let cells), .int(let value)) where type.element == .int && test.compares:
            return cells.withUnsafeBufferPointer { cells in select { test.compare(cells[$0], value) } }
        case (.double(let cells), let value) where test.compares && Self.binary(value) != nil:
            let (number, nanFits) = (Self.binary(value) ?? 0, fits(.double(.nan)))
            return cells.withUnsafeBufferPointer { cells in
                select { cells[$0].isNaN ? nanFits : test.compare(cells[$0], number) }
            }
        case (.float(let cells), let value) where test.compares && Self.binary(value) != nil:
            let (number, nanFits) = (Self.binary(value) ?? 0, fits(.float(.nan)))
            return cells.withUnsafeBufferPointer { cells in
                select { cells[$0].isNaN ? nanFits : test.compare(Double(cells[$0]), number) }
            }
        case (.date(let seconds, let nanoseconds), .date(let value)) where test.compares:
            return select { test.compare(Timestamp(seconds: seconds[$0], nanoseconds: nanoseconds[$0]), value) }
        case (.variable(let offsets, let bytes), .string(let text)) where type.element == .string:
            guard let isFitting = test.bytesTest(Array(text.utf8)) else { break }
            return offsets.withUnsafeBufferPointer { offsets in
                bytes.withUnsafeBytes { bytes in
                    select {
                        isFitting(UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])]))
                    }
                }
            }
        default: break
        }
        return try rows.filter { try fits($0, of: array, holding) }
    }

    /// Whether a cell that is not null is one of the values, by a set of them; nil where it goes value by value.
    private func membership(of array: ColumnArray) -> ((Int) -> Bool)? {
        guard values.allSatisfy(\.test.isOfSameness) else { return nil }
        switch (type.element, array.values) {
        case (.string, .variable(let offsets, let bytes)):
            // Values of other types equal no text.
            let texts = Set(
                values.compactMap { each -> [UInt8]? in
                    if case .string(let text) = each.value { Array(text.utf8) } else { nil }
                })
            return { texts.contains(Array(bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])])) }
        case (.int, .int(let cells)):
            var numbers: Set<Int64> = []
            for (value, _) in values {
                switch value {
                case .int(let number): numbers.insert(number)
                case .null, .string: break
                // Numbers of other types may equal an integer.
                default: return nil
                }
            }
            return { numbers.contains(cells[$0]) }
        default: return nil
        }
    }

    /// Makes the value of a cell, which a mixed one may make large.
    private func fits(
        _ row: Int, of array: ColumnArray, _ holding: (Int, () throws -> Bool) throws -> Bool
    ) throws -> Bool {
        guard type.element == .mixed else { return fits(try array.value(at: row, as: type)) }
        return try holding(array.valueByteCount(at: row, as: type)) { fits(try array.value(at: row, as: type)) }
    }

    private func fits(_ value: Value) -> Bool {
        constants?.contains(value) ?? values.contains { $0.test.holds(value, $0.value) }
    }

    /// A number that a double has exactly, but a NaN.
    private static func binary(_ value: Value) -> Double? {
        switch value {
        case .double(let number): number.isNaN ? nil : number
        case .float(let number): number.isNaN ? nil : Double(number)
        case .int(let number): Double(exactly: number)
        default: nil
        }
    }
}

extension ValueTest {
    /// Whether what is asked is that a value is one of its own type, to the byte.
    fileprivate var isOfSameness: Bool {
        (comparator == .equal || comparator == .in) && !ignoresCase && rules != .kinds
    }

    /// Whether what is asked is how two values stand to one another.
    fileprivate var compares: Bool { !comparator.isOfText && comparator != .between }

    /// As `holds` has it of cells that are neither null nor NaN.
    fileprivate func compare<Cell: Comparable>(_ cell: Cell, _ value: Cell) -> Bool {
        switch comparator {
        case .equal, .in: cell == value
        case .notEqual: cell != value
        case .less: cell < value
        case .lessOrEqual: cell <= value
        case .greater: cell > value
        default: cell >= value
        }
    }
}
