import Columns

/// A floating-point number that leaves hold as its bits.
protocol StoredFloatingPoint: BinaryFloatingPoint, BitwiseCopyable {
    associatedtype Bits: FixedWidthInteger & BitwiseCopyable
    var bitPattern: Bits { get }
    /// The NaN that stands for null (REALM_FORMAT, section 10).
    static var nullPattern: Bits { get }
    /// The name of the leaf that a damaged one should have been.
    static var leafName: String { get }
    /// The numbers as a column has them.
    static func values(_ cells: [Self]) -> ColumnArray.Values
}

extension Float: StoredFloatingPoint {
    static var nullPattern: UInt32 { 0x7fc0_00aa }
    static var leafName: String { "a leaf of single-precision numbers" }
    static func values(_ cells: [Float]) -> ColumnArray.Values { .float(cells) }
}

extension Double: StoredFloatingPoint {
    static var nullPattern: UInt64 { 0x7ff8_0000_0000_00aa }
    static var leafName: String { "a leaf of double-precision numbers" }
    static func values(_ cells: [Double]) -> ColumnArray.Values { .double(cells) }
}
