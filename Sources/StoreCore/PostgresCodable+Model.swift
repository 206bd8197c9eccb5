import Columns
import Postgres
import RealmModel

extension RealmModel.UUID: PostgresCodable {
    /// `uuid`.
    public static var postgresType: PostgresType { .uuid }
    /// The sixteen bytes.
    public var postgresBytes: [UInt8] { bytes }
    /// Reads sixteen bytes.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) { self.init(bytes: bytes) }
}

extension BatchID: PostgresCodable {
    /// `uuid`.
    public static var postgresType: PostgresType { .uuid }
    /// The sixteen bytes.
    public var postgresBytes: [UInt8] { uuid.bytes }
    /// Reads sixteen bytes.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard let uuid = RealmModel.UUID(bytes: bytes) else { return nil }
        self.init(uuid)
    }

    /// The batch of a UUID.
    package init(_ uuid: RealmModel.UUID) {
        let halves = uuid.halves
        self.init(high: halves.high, low: halves.low)
    }

    /// The batch's name as a UUID.
    package var uuid: RealmModel.UUID { RealmModel.UUID(high: high, low: low) }
}

extension Timestamp: PostgresCodable {
    /// `timestamp with time zone`, which counts microseconds from 2000-01-01T00:00:00Z.
    public static var postgresType: PostgresType { .timestamptz }
    private static let secondsTo2000: Int64 = 946_684_800

    /// Later than every time: PostgreSQL's `infinity`.
    static let infinity = Timestamp(microsecondsSince2000: .max)

    /// The microseconds; nanoseconds are cut off.
    public var postgresBytes: [UInt8] { Int(microsecondsSince2000).postgresBytes }

    /// Reads microseconds.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 8, let microseconds = Int(postgresBytes: bytes) else { return nil }
        self.init(microsecondsSince2000: Int64(microseconds))
    }

    var microsecondsSince2000: Int64 {
        let (product, overflow) = (seconds - Self.secondsTo2000).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : product + Int64(nanoseconds / 1000)
    }

    init(microsecondsSince2000 microseconds: Int64) {
        guard microseconds < .max else {
            self.init(seconds: .max, nanoseconds: 0)
            return
        }
        // Seconds and nanoseconds have the same sign, counted from 1970.
        let since1970 = microseconds + Self.secondsTo2000 * 1_000_000
        self.init(seconds: since1970 / 1_000_000, nanoseconds: Int32(since1970 % 1_000_000) * 1000)
    }
}

/// A schema version in a column of type `numeric`: it has 64 bits without a sign.
package struct StoredVersion: PostgresCodable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package static var postgresType: PostgresType { .numeric }

    /// Digits of base 10,000, the most significant first, behind their number, weight, sign and scale.
    package var postgresBytes: [UInt8] {
        var digits: [UInt16] = []
        var rest = number
        while rest > 0 {
            digits.insert(UInt16(rest % 10_000), at: 0)
            rest /= 10_000
        }
        let words = [UInt16(digits.count), UInt16(max(digits.count - 1, 0)), 0, 0] + digits
        return words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    package init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 2).map { UInt64(bytes[$0]) << 8 | UInt64(bytes[$0 + 1]) }
        let digits = words.dropFirst(4)
        guard words[0] == digits.count, words[2] == 0, digits.count <= 5 else { return nil }
        guard !digits.isEmpty else {
            number = 0
            return
        }
        // Trailing zero digits are left out: the weight says how many follow.
        guard words[1] < 5, Int(words[1]) + 1 >= digits.count else { return nil }
        var number: UInt64 = 0
        for index in 0...Int(words[1]) {
            let digit = index < digits.count ? digits[digits.startIndex + index] : 0
            let (scaled, overflow) = number.multipliedReportingOverflow(by: 10_000)
            let (sum, carried) = scaled.addingReportingOverflow(digit)
            guard !overflow, !carried else { return nil }
            number = sum
        }
        self.number = number
    }
}
