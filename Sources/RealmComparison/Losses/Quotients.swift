import RealmModel

/// Whether numbers are what one division leaves of others, as hundreds are of units.
///
/// A rest that no multiplication brings back is lost. The divisors are those that people divide by. Numbers that all are as many times as
/// much and as much more have lost nothing.
struct Quotients {
    /// The fewest different numbers that say something.
    private static let fewest = 3
    private static let divisors =
        (2...100).map(Double.init) + [1_000, 1_024, 3_600, 10_000, 60_000, 86_400, 100_000, 1_000_000, 1_048_576]
    private static let roundings: [FloatingPointRoundingRule] = [
        .down, .up, .towardZero, .toNearestOrAwayFromZero, .toNearestOrEven,
    ]

    /// A division that gives all numbers that were noted.
    private struct Division {
        let divisor: Double
        let rounding: FloatingPointRoundingRule
        /// Those whose numbers it can't give back.
        var lost = LostValues()
        var lastKey: Int64?

        func gives(_ new: Double, of old: Double) -> Bool { (old / divisor).rounded(rounding) == new }
    }

    private var left: [Division]?
    private var line = NumberPairs()
    private var olds: Set<Double> = []
    private var news: Set<Double> = []

    /// Whether no division gives all of them.
    var areOthers: Bool { left?.isEmpty == true }

    /// Notes a number, and the one that stands for it.
    ///
    /// - Parameter whole: the value that the number is a part of, before and after.
    mutating func note(_ old: Double?, _ new: Double?, in whole: (Value, Value), of key: Int64) {
        guard !areOthers else { return }
        guard let old, let new, old.magnitude <= 0x1p53 else {
            left = []
            return
        }
        if olds.count < Self.fewest { olds.insert(old) }
        if news.count < Self.fewest { news.insert(new) }
        line.add(old, new)
        let known =
            left
            ?? Self.divisors.flatMap { divisor in
                Self.roundings.map { Division(divisor: divisor, rounding: $0) }
            }
        left = known.compactMap { division in
            guard division.gives(new, of: old) else { return nil }
            guard new * division.divisor != old, division.lastKey != key else { return division }
            var division = division
            division.lastKey = key
            division.lost.add(key, whole.0, whole.1)
            return division
        }
    }

    /// Notes that there is a value which is no number that stands for another.
    mutating func noteOther() { left = [] }

    /// The values that are lost; nil where that is not what was done to the numbers.
    var lost: LostValues? {
        guard olds.count == Self.fewest, news.count == Self.fewest, !line.areLinear else { return nil }
        return left?.first.map(\.lost).flatMap { $0.objects.count > 0 ? $0 : nil }
    }
}

/// The numbers in a property's values that are others now, by their place: of an embedded object each property has one.
struct QuotientsByPlace {
    /// Places at most; keys of dictionaries may be any number of them.
    private static let limit = 64

    private var places: [String: Quotients] = [:]

    /// Whether numbers may be found yet that a division gives.
    var areOthers: Bool { !places.isEmpty && places.values.allSatisfy(\.areOthers) }

    /// Notes a value and what stands for it.
    mutating func note(_ old: Value, _ new: Value, of key: Int64) { note(old, new, in: (old, new), at: "", of: key) }

    private mutating func note(_ old: Value, _ new: Value, in whole: (Value, Value), at place: String, of key: Int64) {
        guard old != new else { return }
        switch (old, new) {
        case (.list(let olds), .list(let news)):
            guard olds.count == news.count else { return places[place + "/", default: Quotients()].noteOther() }
            for (old, new) in zip(olds, news) { note(old, new, in: whole, at: place + "/", of: key) }
        case (.dictionary(let olds), .dictionary(let news)):
            let values = Dictionary(news.map { (NameKey($0.key), $0.value) }) { first, _ in first }
            for entry in olds {
                guard let value = values[NameKey(entry.key)] else {
                    places[place + "/", default: Quotients()].noteOther()
                    continue
                }
                note(entry.value, value, in: whole, at: "\(place)/\(entry.key)", of: key)
            }
        default:
            // Null is no number that could lose something.
            if case .null = old { return }
            guard places[place] != nil || places.count < Self.limit else { return }
            if case .string = old { return places[place, default: Quotients()].noteOther() }
            places[place, default: Quotients()].note(old.number, new.number, in: whole, of: key)
        }
    }

    /// The values that are lost; nil where none are.
    var lost: LostValues? {
        // Places of one property lose numbers of the same objects, as a rule: one is enough.
        places.values.compactMap(\.lost).max { $0.objects.count < $1.objects.count }
    }
}
