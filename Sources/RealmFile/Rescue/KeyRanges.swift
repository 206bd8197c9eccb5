/// Object keys as a few ranges: exact as long as these are few, then joined where they lie nearest to each other.
///
/// A report of a million lost objects so takes no more room than one of a hundred.
public struct KeyRanges: Hashable, Sendable {
    /// A run of keys, both ends included.
    public struct KeyRange: Hashable, Sendable {
        /// The smallest key.
        public var first: Int64
        /// The largest key, not less than the first.
        public var last: Int64

        /// A run of keys; the caller answers for their order.
        public init(_ first: Int64, _ last: Int64) {
            self.first = first
            self.last = last
        }
    }

    /// The most ranges that are kept.
    public static let limit = 32

    /// The ranges in order of their keys; none touches another.
    public private(set) var ranges: [KeyRange] = []

    /// No keys.
    public init() {}

    /// Whether no key was inserted.
    public var isEmpty: Bool { ranges.isEmpty }

    /// Whether a key is in one of the ranges.
    public func contains(_ key: Int64) -> Bool { ranges.contains { $0.first <= key && key <= $0.last } }

    /// Adds one key.
    public mutating func insert(_ key: Int64) { insert(KeyRange(key, key)) }

    /// Adds a run of keys.
    public mutating func insert(_ range: KeyRange) {
        guard range.first <= range.last else { return }
        // Most come in order.
        var start = ranges.count
        while start > 0, touches(ranges[start - 1], range) || ranges[start - 1].first > range.last { start -= 1 }
        var end = start
        var joined = range
        while end < ranges.count, touches(ranges[end], range) {
            joined = KeyRange(min(joined.first, ranges[end].first), max(joined.last, ranges[end].last))
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: [joined])
        if ranges.count > Self.limit { joinNearest() }
    }

    private func touches(_ one: KeyRange, _ other: KeyRange) -> Bool {
        let (next, isLast) = one.last.addingReportingOverflow(1)
        let (after, isOtherLast) = other.last.addingReportingOverflow(1)
        return (isLast || other.first <= next) && (isOtherLast || one.first <= after)
    }

    private mutating func joinNearest() {
        var nearest = 1
        for index in 2..<ranges.count where gap(before: index) < gap(before: nearest) { nearest = index }
        ranges[nearest - 1].last = ranges[nearest].last
        ranges.remove(at: nearest)
    }

    private func gap(before index: Int) -> UInt64 {
        UInt64(bitPattern: ranges[index].first &- ranges[index - 1].last)
    }
}
