import Columns
import RealmModel

/// Values at the edges of what types take; of most types half as many as a class has objects.
enum EdgeValues {
    /// Values of a type, none of them null but of mixed; none of types that are made of objects.
    static func of(_ type: PropertyType) -> [Value] {
        switch type {
        case .int: integers.map { .int($0) }
        case .bool: [.bool(false), .bool(true)]
        case .float: floats.map { .float($0) }
        case .double: doubles.map { .double($0) }
        case .string: strings.map { .string($0) }
        case .data: blobs.map { .data($0) }
        case .date: dates.map { .date($0) }
        case .decimal128: decimals.map { .decimal128($0) }
        case .objectId: bytes(ObjectId.byteCount).compactMap { ObjectId(bytes: $0).map { .objectId($0) } }
        case .uuid: bytes(UUID.byteCount).compactMap { UUID(bytes: $0).map { .uuid($0) } }
        case .mixed: mixed
        case .object, .linkingObjects: []
        }
    }

    /// Those that JavaScript's numbers do not hold among them.
    private static let integers: [Int64] = [0, 1, -1, .max, .min, 1 << 53 + 1, -(1 << 53) - 1, 42]
    private static let floats: [Float] = [
        0, 1.5, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, .nan,
    ]
    private static let doubles: [Double] = [
        0, 1.5, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, .nan,
    ]
    private static let strings = [
        "", "a", String(repeating: "long ", count: 200), "\u{0}", "e\u{301}", "👩‍👩‍👧", "two\n\"lines\"", "42",
    ]
    private static let blobs: [[UInt8]] = [
        [], [0], [0xff], Array(0...255), [UInt8](repeating: 0, count: 4096), [1, 2], [0xc3], [0x7f],
    ]
    private static let dates = [
        Timestamp(seconds: 0, nanoseconds: 0), Timestamp(seconds: 0, nanoseconds: 1),
        Timestamp(seconds: -1, nanoseconds: -999_999_999), Timestamp(seconds: 1_000_000_000, nanoseconds: 500_000_000),
        // The ends of the years 1 and 9999, and of what 32 bits count.
        Timestamp(seconds: -62_135_596_800, nanoseconds: 0),
        Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999),
        Timestamp(seconds: 2_147_483_648, nanoseconds: 0),
        Timestamp(seconds: 951_782_400, nanoseconds: 0),
    ]
    private static let decimals: [Decimal128] =
        [.zero, .infinity, .notANumber]
        + [
            Decimal128(coefficient: 1, exponent: 0), Decimal128(isNegative: true, coefficient: 1, exponent: -1),
            Decimal128(coefficient: Decimal128.maximumCoefficient, exponent: Decimal128.exponents.upperBound),
            Decimal128(coefficient: 1, exponent: Decimal128.exponents.lowerBound),
            Decimal128(coefficient: 12_345, exponent: -2),
        ].compactMap(\.self)
    private static let mixed: [Value] = [
        .bool(true), .null, .int(.max), .double(-1.5), .string(""), .date(dates[2]), .decimal128(.zero), .data([0]),
    ]

    /// Zeros, ones, and some between.
    private static func bytes(_ count: Int) -> [[UInt8]] {
        [0, 0xff, 1, 0x7f, 0x80, 2, 3, 4].map { [UInt8](repeating: $0, count: count) }
    }
}
