import Glibc
import RealmModel

extension RealmModel.UUID {
    /// A new UUID of version 7 (RFC 9562, 5.7): milliseconds since 1970, then 74 random bits.
    public static func version7() -> RealmModel.UUID {
        let high = milliseconds(ago: .zero) << 16 | 0x7000 | .random(in: 0..<0x1000)
        let low = 1 << 63 | UInt64.random(in: 0..<1 << 62)
        return RealmModel.UUID(high: high, low: low)
    }

    /// The lowest UUID of version 7 that could be made a while ago: whatever is older has a lower one.
    package static func lowestVersion7(ago age: Duration) -> RealmModel.UUID {
        RealmModel.UUID(high: milliseconds(ago: age) << 16 | 0x7000, low: 1 << 63)
    }

    /// Milliseconds since 1970, of the 48 bits that a UUID has for them.
    private static func milliseconds(ago age: Duration) -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = Double(now.tv_sec) * 1000 + Double(now.tv_nsec / 1_000_000) - age / .milliseconds(1)
        return UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
    }

    /// A UUID of its two halves.
    init(high: UInt64, low: UInt64) {
        let bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        self = RealmModel.UUID(bytes: bytes) ?? .zero
    }

    /// The first eight bytes and the last.
    var halves: (high: UInt64, low: UInt64) {
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (word(bytes.prefix(8)), word(bytes.suffix(8)))
    }

    /// The lowest UUID, for the start of lists in ascending order.
    package static let lowest = RealmModel.UUID(high: 0, low: 0)
    /// The greatest UUID, for the start of lists in descending order.
    package static let greatest = RealmModel.UUID(high: .max, low: .max)
}
