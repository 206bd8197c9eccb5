import RealmModel

/// Whether numbers, or points in time, are told by others in another unit: as many times as much, and as much more.
///
/// The others may be rounded, as long as the step between two of them is clearly below what the step between two of the first ones
/// makes of it: then no two of the first can have become one. Holds a few numbers, however many there are.
struct NumberLine {
    /// The fewest different numbers that say something; of dates two, as few units of time are known.
    private var fewest: Int { areDates ? 2 : 3 }
    /// How many steps of rounded numbers a step of the first ones makes at least: one may be off by a step.
    private static let leastRatio = 1.5

    /// How many of them are a second.
    private static let timeUnits = [1, 1e3, 1e6, 1.0 / 60, 1.0 / 3_600, 1.0 / 86_400]

    private var first: (old: Double, new: Double)?
    private var areDates = false
    private var olds: [Double] = []
    private var news: [Double] = []
    private var oldStep = NumberStep()
    private var newStep = NumberStep()
    /// The factors that are left where nothing is rounded, and where the others are, by the step.
    private var exact = Slopes()
    private var rounded = [Slopes](repeating: Slopes(), count: NumberStep.sizes.count)
    /// The text around the numbers, where they are in texts.
    private var units: (old: String, new: String)?
    private(set) var isBroken = false
    /// How many were noted.
    private(set) var count = 0

    /// Notes a number and what stands for it.
    mutating func note(_ old: Value, _ new: Value) {
        guard !isBroken else { return }
        count += 1
        guard let (before, unit) = old.measure, let (after, newUnit) = new.measure,
            units.map({ $0 == (unit, newUnit) }) ?? true
        else {
            isBroken = true
            return
        }
        units = (unit, newUnit)
        let (oldPrecision, newPrecision) = (old.precision, new.precision)
        // A float has fewer digits than a double: what became one has lost some.
        let areInts = if case (.int, .int) = (old, new) { true } else { false }
        let precision = areInts ? 2 * Double.ulpOfOne : min(oldPrecision, newPrecision)
        guard let first else {
            first = (before, after)
            (olds, news) = ([before], [after])
            if case .date = old { areDates = true }
            return
        }
        if olds.count < fewest, !olds.contains(before) { olds.append(before) }
        if news.count < fewest, !news.contains(after) { news.append(after) }
        let (run, rise) = (before - first.old, after - first.new)
        oldStep.note(run, error: oldPrecision * max(abs(before), abs(first.old)))
        newStep.note(rise, error: newPrecision * max(abs(after), abs(first.new)))
        // A factor may be off by as much as the numbers themselves.
        let scale = run == 0 ? 0 : abs(rise / run)
        let error = precision * max(abs(after), abs(first.new), scale * max(abs(before), abs(first.old)))
        exact.note(run, rise, error: error)
        for place in rounded.indices where place >= newStep.place {
            rounded[place].note(run, rise, error: NumberStep.sizes[place] + error)
        }
        isBroken = exact.isEmpty && rounded[newStep.place...].allSatisfy(\.isEmpty)
        // Beside a smaller one the others are known more exactly: one that stands for none is often very large.
        if abs(before) <= abs(first.old), abs(after) < abs(first.new) { self.first = (before, after) }
    }

    /// Whether all follow from each other.
    var isWhole: Bool {
        guard !isBroken, olds.count == fewest, news.count == fewest else { return false }
        if !exact.isEmpty { return !areDates || isOfUnit(first) }
        guard !areDates, newStep.place < rounded.count, let old = oldStep.size,
            let factor = rounded[newStep.place].middle
        else { return false }
        return abs(factor) * old >= Self.leastRatio * NumberStep.sizes[newStep.place]
    }

    /// Whether points in time are told by a unit of time, and not without a part that they all had, but for a time zone.
    private func isOfUnit(_ first: (old: Double, new: Double)?) -> Bool {
        guard let first else { return false }
        return Self.timeUnits.contains { unit in
            exact.contains(unit) && abs((first.old - first.new / unit).remainder(dividingBy: 900)) < 1e-6
        }
    }
}

/// The largest step of which all of some numbers are multiples.
private struct NumberStep {
    /// Powers of ten.
    static let sizes = (-6...6).reversed().map { number in
        (0..<abs(number)).reduce(1.0) { power, _ in number < 0 ? power / 10 : power * 10 }
    }
    /// Parts of a day in seconds, as points in time are numbers, too.
    private static let parts = [86_400.0, 3_600, 60]

    /// The place among the sizes; behind the last where none of them is one.
    private(set) var place = 0
    private var part = 0

    mutating func note(_ number: Double, error: Double) {
        while place < Self.sizes.count, !Self.is(number, multipleOf: Self.sizes[place], error) { place += 1 }
        while part < Self.parts.count, !Self.is(number, multipleOf: Self.parts[part], error) { part += 1 }
    }

    private static func `is`(_ number: Double, multipleOf size: Double, _ error: Double) -> Bool {
        let rest = abs(number - (number / size).rounded() * size)
        return rest <= min(4 * error + size * 1e-9, size / 4)
    }

    /// Nil where none is one.
    var size: Double? {
        let sizes = Self.sizes.dropFirst(place).prefix(1) + Self.parts.dropFirst(part).prefix(1)
        return sizes.max()
    }
}

/// The factors that all pairs of numbers allow.
private struct Slopes {
    private var low = -Double.infinity
    private var high = Double.infinity

    var isEmpty: Bool { !(low <= high) }

    /// The factor in the middle; nil where there is none, or any.
    var middle: Double? { isEmpty || low.isInfinite || high.isInfinite ? nil : (low + high) / 2 }

    func contains(_ factor: Double) -> Bool { low <= factor && factor <= high }

    mutating func note(_ run: Double, _ rise: Double, error: Double) {
        guard run != 0 else {
            if abs(rise) > error { (low, high) = (1, 0) }
            return
        }
        let (one, other) = ((rise - error) / run, (rise + error) / run)
        (low, high) = (max(low, min(one, other)), min(high, max(one, other)))
    }
}

extension Value {
    /// Whether it is a number, be it in a text, or a point in time.
    var isMeasured: Bool { measure != nil }

    /// A number that a double can hold, or a point in time in seconds, and what stands around it in a text; nil of any other value.
    fileprivate var measure: (number: Double, unit: String)? {
        switch self {
        case .int(let number): number.magnitude <= 1 << 53 ? (Double(number), "") : nil
        case .float(let number): number.isFinite ? (Double(number), "") : nil
        case .double(let number): number.isFinite ? (number, "") : nil
        case .decimal128(let number): Self.measure("\(number)")
        case .date(let date): (Double(date.seconds) + Double(date.nanoseconds) / 1e9, "")
        case .string(let text): Self.measure(text)
        default: nil
        }
    }

    private static func measure(_ text: String) -> (number: Double, unit: String)? {
        let bytes = text.utf8
        guard let start = bytes.firstIndex(where: { ValueWords.isDigit($0) || $0 == UInt8(ascii: "-") }),
            let last = bytes.lastIndex(where: ValueWords.isDigit), start <= last
        else { return nil }
        let (written, rest) = (text[start...last], "\(text[..<start])#\(text[last...].dropFirst())")
        var exact = ExactNumber()
        for byte in written.utf8 { exact.add(byte) }
        // One of more digits than a double has is no number of these.
        guard exact.hash != nil, let number = Double(written.replacing(",", with: ".")), number.isFinite,
            Digits(of: .double(number)) == Digits(of: written)
        else { return nil }
        return (number, rest)
    }

    /// The part of a number by which another may differ from it that is meant to be the same.
    fileprivate var precision: Double {
        if case .float = self { return Double(Float.ulpOfOne) }
        return 64 * Double.ulpOfOne
    }
}
