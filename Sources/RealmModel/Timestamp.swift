/// A point in time as Realm stores it: seconds since 1970-01-01T00:00:00Z and nanoseconds of the same sign.
public struct Timestamp: Hashable, Sendable {
    /// Whole seconds since the epoch, truncated towards zero.
    public var seconds: Int64
    /// Nanoseconds, -999,999,999 … 999,999,999, never of the opposite sign of `seconds`.
    public var nanoseconds: Int32

    /// Makes a timestamp of stored parts.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension Timestamp: Comparable {
    /// Orders by time.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}
