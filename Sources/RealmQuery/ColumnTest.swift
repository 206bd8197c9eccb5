import Columns
import RealmModel

/// A comparison of one column's cells with values.
struct ColumnTest {
    /// The property's place in the schema.
    let property: Int
    private let type: ColumnType
    private let objectType: String?
    private let test: ValueTest
    /// Any of which has to fit.
    private let values: [Value]

    init(_ index: Int, _ property: Property, _ test: ValueTest, _ values: [Value]) {
        self.property = index
        type = ColumnType(property)
        objectType = property.objectType
        self.test = test
        self.values = values
    }

    /// The rows whose cells fit, of some.
    func rows(_ rows: [Int], of array: ColumnArray) throws -> [Int] {
        let nullFits = fits(.null)
        func select(_ isFitting: (Int) -> Bool) -> [Int] {
            guard array.validity != nil else { return rows.filter(isFitting) }
            return rows.filter { array.isNull($0) ? nullFits : isFitting($0) }
        }
        switch (array.values, values.count == 1 ? values[0] : nil) {
        case (.int(let cells), .int(let value)?) where type.element == .int && compares:
            return cells.withUnsafeBufferPointer { cells in select { compare(cells[$0], value) } }
        case (.double(let cells), let value?) where compares && Self.binary(value) != nil:
            let value = Self.binary(value) ?? 0
            return cells.withUnsafeBufferPointer { cells in select { compare(cells[$0], value) } }
        case (.float(let cells), let value?) where compares && Self.binary(value) != nil:
            let value = Self.binary(value) ?? 0
            return cells.withUnsafeBufferPointer { cells in select { compare(Double(cells[$0]), value) } }
        case (.date(let seconds, let nanoseconds), .date(let value)?) where compares:
            return select { compare(Timestamp(seconds: seconds[$0], nanoseconds: nanoseconds[$0]), value) }
        case (.variable(let offsets, let bytes), .string(let text)?) where type.element == .string && !test.ignoresCase:
            guard let isFitting = textTest(Array(text.utf8)) else { break }
            return offsets.withUnsafeBufferPointer { offsets in
                bytes.withUnsafeBytes { bytes in
                    select {
                        isFitting(
                            UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])]))
                    }
                }
            }
        default: break
        }
        return try rows.filter { fits(try array.value(at: $0, as: type)) }
    }

    private func fits(_ value: Value) -> Bool {
        var value = value
        if case .link(let key) = value, let objectType { value = .typedLink(className: objectType, key) }
        return values.contains { test.holds(value, $0) }
    }

    /// Whether what is asked is how two values stand to one another.
    private var compares: Bool {
        [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].contains(test.comparator)
    }

    /// As `ValueTest` has it of cells that are not null; a NaN differs from every number and has no order.
    private func compare<Cell: Comparable>(_ cell: Cell, _ value: Cell) -> Bool {
        switch test.comparator {
        case .equal: cell == value
        case .notEqual: cell != value
        case .less: cell < value
        case .lessOrEqual: cell <= value
        case .greater: cell > value
        default: cell >= value
        }
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

    /// The test of a string's bytes; nil for those that go by characters.
    private func textTest(_ text: [UInt8]) -> ((UnsafeRawBufferPointer) -> Bool)? {
        switch test.comparator {
        case .equal, .in: { $0.elementsEqual(text) }
        case .notEqual: { !$0.elementsEqual(text) }
        case .less: { $0.lexicographicallyPrecedes(text) }
        case .lessOrEqual: { !text.lexicographicallyPrecedes($0) }
        case .greater: { text.lexicographicallyPrecedes($0) }
        case .greaterOrEqual: { !$0.lexicographicallyPrecedes(text) }
        case .beginsWith: { $0.starts(with: text) }
        case .endsWith: { $0.count >= text.count && $0.suffix(text.count).elementsEqual(text) }
        case .contains, .like: nil
        }
    }
}
