import RealmModel

/// How often which values are there: all of them up to a bound, and of those that come later how many objects have one.
public struct ValueCounts: Sendable {
    /// Different values that are told apart, at most.
    public static let limit = 10_000
    /// Bytes that one of them takes beside the value.
    static let entryBytes = 56

    /// Whether the property takes any type, so that each value has to tell its own.
    public let isMixed: Bool
    /// Objects that were looked at.
    public private(set) var objectCount = 0
    /// Those that have no value.
    public private(set) var nullCount = 0
    /// Those whose values came when `limit` others were there, or that link to an object by a mixed value.
    public private(set) var otherCount = 0
    /// With the place of each among those that came.
    private var counts: [Value: (count: Int, place: Int)] = [:]
    /// NaN, which is not the same as itself.
    private var notANumber: (value: Value, count: Int)?

    /// Different values that were told apart, null left out.
    public var distinctCount: Int { counts.count + (notANumber == nil ? 0 : 1) }

    /// Whether each value has its own number.
    public var isExact: Bool { otherCount == 0 }

    init(isMixed: Bool) { self.isMixed = isMixed }

    /// Counts an object's value.
    ///
    /// - Returns: whether the value is kept.
    mutating func add(_ value: Value) -> Bool {
        objectCount += 1
        guard !value.isNull else {
            nullCount += 1
            return false
        }
        if case .typedLink = value {
            otherCount += 1
            return false
        }
        guard !value.isNotANumber else {
            notANumber = (value, (notANumber?.count ?? 0) + 1)
            return false
        }
        if let index = counts.index(forKey: value) {
            counts.values[index].count += 1
            return false
        }
        guard counts.count < Self.limit else {
            otherCount += 1
            return false
        }
        counts[value] = (1, counts.count)
        return true
    }

    /// The values that most objects have, the most frequent first, equally frequent ones in Realm's order, and those that
    /// are the same there as they came.
    public func mostFrequent(_ limit: Int) -> [(value: Value, count: Int)] {
        var all = counts.map { (value: $0.key, count: $0.value.count, place: $0.value.place) }
        if let notANumber { all.append((notANumber.value, notANumber.count, all.count)) }
        let sorted = all.sorted { left, right in
            Ordering(right.count, left.count).then(ValueOrder.compare(left.value, right.value))
                .then(Ordering(left.place, right.place)) == .ascending
        }
        return sorted.prefix(limit).map { ($0.value, $0.count) }
    }
}

extension Value {
    fileprivate var isNotANumber: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .float(let number): number.isNaN
        default: false
        }
    }
}
