import Columns
import RealmJSON
import RealmModel

/// How many values of a property are null, and the smallest and the largest of the others; of a collection, of its elements.
///
/// Numbers are compared as numbers, NaN apart, texts and identifiers by their bytes. Links and mixed values have no extremes.
struct PropertyStatistics {
    /// Texts and data of more bytes are no extremes that a manifest shows.
    static let longestText = 256
    private let property: Property
    private var nullCount = 0
    private var elementCount = 0
    private var extremes: (low: Value, high: Value)?

    init(_ property: Property) { self.property = property }

    /// The property's name in the realm.
    var name: String { property.name }

    /// Takes the values of some rows of a column.
    ///
    /// - Parameter rows: of live objects, ascending.
    /// - Throws: `ColumnError.damaged` where a stored value can't be read.
    mutating func take(_ array: ColumnArray, rows: [Int]) throws {
        switch array.values {
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            let live =
                rows.count == array.count
                ? Array(0..<elements.count) : rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
            elementCount += live.count
            try takeSingle(elements, live)
        default: try takeSingle(array, rows)
        }
    }

    /// `{"property", "nulls", "elements"?, "minimum"?, "maximum"?}`, the extremes as Realm JSON has such values.
    var json: JSONValue {
        var members = [
            JSONMember("property", .string(property.publicName)), JSONMember("nulls", .int(Int64(nullCount))),
        ]
        if property.isCollection { members.append(JSONMember("elements", .int(Int64(elementCount)))) }
        if let (low, high) = extremes, !low.isLong, !high.isLong {
            members += [JSONMember("minimum", JSONValue(low)), JSONMember("maximum", JSONValue(high))]
        }
        return .object(members)
    }

    private mutating func takeSingle(_ array: ColumnArray, _ rows: [Int]) throws {
        let type = ColumnType(property.type)
        guard property.type != .mixed else {
            for row in rows where try array.value(at: row, as: type).isNull { nullCount += 1 }
            return
        }
        let present = array.validity == nil ? rows : rows.filter { !array.isNull($0) }
        nullCount += rows.count - present.count
        guard property.type != .object, let found = try Self.extremes(of: array, present, type) else { return }
        let (low, high) = (
            try array.value(at: found.low, as: type), try array.value(at: found.high, as: type)
        )
        guard let known = extremes else {
            extremes = (low, high)
            return
        }
        if low.precedes(known.low) { extremes?.low = low }
        if known.high.precedes(high) { extremes?.high = high }
    }

    /// The rows with the smallest and the largest value, the first of the same ones; nil where no row has any.
    private static func extremes(
        of array: ColumnArray, _ rows: [Int], _ type: ColumnType
    ) throws -> (low: Int, high: Int)? {
        switch array.values {
        case .int(let cells): return extremes(rows) { cells[$0] < cells[$1] }
        case .bool(let bits): return extremes(rows) { !bits[$0] && bits[$1] }
        case .float(let cells): return extremes(rows.filter { !cells[$0].isNaN }) { cells[$0] < cells[$1] }
        case .double(let cells): return extremes(rows.filter { !cells[$0].isNaN }) { cells[$0] < cells[$1] }
        case .date(let seconds, let nanoseconds):
            return extremes(rows) { (seconds[$0], nanoseconds[$0]) < (seconds[$1], nanoseconds[$1]) }
        case .fixed(let width, let bytes):
            guard type.element == .decimal128 else {
                return extremes(rows, in: bytes) { $0 * width..<($0 + 1) * width }
            }
            let numbers = try rows.map { (row: $0, value: try array.value(at: $0, as: type)) }
            let places = numbers.indices.filter { !numbers[$0].value.isNaN }
            return extremes(places) { numbers[$0].value.precedes(numbers[$1].value) }.map {
                (numbers[$0.low].row, numbers[$0.high].row)
            }
        case .variable(let offsets, let bytes):
            return extremes(rows, in: bytes) { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
        case .list, .dictionary:
            throw ColumnError.damaged(what: "a collection where a value is to be", offset: 0)
        }
    }

    @inline(__always)
    private static func extremes(_ rows: [Int], _ precedes: (Int, Int) -> Bool) -> (low: Int, high: Int)? {
        guard var low = rows.first, var high = rows.first else { return nil }
        for row in rows {
            if precedes(row, low) { low = row } else if precedes(high, row) { high = row }
        }
        return (low, high)
    }

    private static func extremes(
        _ rows: [Int], in bytes: [UInt8], _ cell: (Int) -> Range<Int>
    ) -> (low: Int, high: Int)? {
        bytes.withUnsafeBytes { bytes in
            extremes(rows) { left, right in
                bytes[cell(left)].lexicographicallyPrecedes(bytes[cell(right)])
            }
        }
    }
}

extension Value {
    fileprivate var isNaN: Bool { if case .decimal128(let number) = self { number.isNaN } else { false } }

    fileprivate var isLong: Bool {
        switch self {
        case .string(let text): text.utf8.count > PropertyStatistics.longestText
        case .data(let bytes): bytes.count > PropertyStatistics.longestText
        default: false
        }
    }

    /// Whether a value is smaller than another of its type.
    fileprivate func precedes(_ other: Value) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right
        case (.bool(let left), .bool(let right)): !left && right
        case (.float(let left), .float(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.decimal128(let left), .decimal128(let right)): Decimal128.compare(left, right) == .ascending
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
        case (.objectId(let left), .objectId(let right)): left.bytes.lexicographicallyPrecedes(right.bytes)
        case (.uuid(let left), .uuid(let right)): left.bytes.lexicographicallyPrecedes(right.bytes)
        default: false
        }
    }
}
