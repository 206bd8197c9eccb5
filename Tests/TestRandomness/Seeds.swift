import Foundation

/// How many seeds a test tries: a few in `make test`, and many in `make test-long`.
public enum Seeds {
    /// Whether there is time.
    public static let areMany = ProcessInfo.processInfo.environment["REALMSHIFT_MANY_SEEDS"] == "yes"

    /// The seeds of a test.
    public static func few(_ few: UInt64, many: UInt64) -> Range<UInt64> { 0..<(areMany ? many : few) }
}
