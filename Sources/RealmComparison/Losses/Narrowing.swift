import RealmModel

/// How numbers and dates are less exact than they were.
enum Narrowing {
    /// - Returns: nil where nothing is lost, or that can't be told.
    static func of(_ old: Value, _ new: Value) -> Rehearsal.Loss.Kind? {
        switch (old, new) {
        case (.int(let old), .int(let new)): of(old, new)
        case (.double(let old), .double(let new)): of(old, new)
        case (.float(let old), .float(let new)): of(Double(old), Double(new), precision: 1e-6)
        case (.decimal128(let old), .decimal128(let new)): of(old, new)
        case (.date(let old), .date(let new)): DateCut(old, new) == nil ? nil : .truncated
        case (.string(let old), .string(let new)):
            ConversionLoss.isSlip(new.utf8)
                ? .wrongType : ConversionLoss.isCut(old.utf8, to: new.utf8, isText: true) ? .truncated : nil
        case (.data(let old), .data(let new)): ConversionLoss.isCut(old, to: new, isText: false) ? .truncated : nil
        default: nil
        }
    }

    static func of(_ old: Int64, _ new: Int64) -> Rehearsal.Loss.Kind? {
        // A script's numbers are not exact for an integer as large as this.
        if old.magnitude > 1 << 53, new != old, Double(new) == Double(old) { return .inexact }
        let difference = old.subtractingReportingOverflow(new)
        guard !difference.overflow, new.isMultiple(of: 10), new != 0 || !old.isMultiple(of: 10) else { return nil }
        var step: Int64 = 10
        while step < 1_000_000_000, new.isMultiple(of: step * 10) { step *= 10 }
        // A number that ends in zeros may be rounded to more of them.
        guard !old.isMultiple(of: step) else { return nil }
        return difference.partialValue.magnitude < UInt64(step) ? .rounded : nil
    }

    /// - Parameter precision: what numbers of the type differ by that are meant to be the same, for their size.
    static func of(_ old: Double, _ new: Double, precision: Double = 1e-9) -> Rehearsal.Loss.Kind? {
        if new.isNaN { return old.isNaN ? nil : .wrongType }
        let difference = abs(old - new)
        if aboveUnits(old, new) { return .rounded }
        guard difference < 1, difference > precision * max(1, abs(old)) else { return nil }
        var step = 1.0
        for _ in 0..<7 {
            if difference > 1 / step { return nil }
            let scaled = new * step
            if abs(scaled - scaled.rounded()) <= precision * max(1, abs(scaled)) {
                let before = old * step
                return abs(before - before.rounded()) > precision * max(1, abs(before)) ? .rounded : nil
            }
            step *= 10
        }
        return nil
    }

    /// Whether a number is the nearest multiple of ten, a hundred or more above or below another one, which is none.
    static func aboveUnits(_ old: Double, _ new: Double) -> Bool {
        func isMultiple(_ number: Double, of step: Double) -> Bool { number.remainder(dividingBy: step) == 0 }
        guard new != 0, abs(old) < 1e15, isMultiple(new, of: 10) else { return false }
        var step = 10.0
        while step < 1e9, isMultiple(new, of: step * 10) { step *= 10 }
        return !isMultiple(old, of: step) && abs(old - new) < step
    }

    /// A decimal number that has fewer digits behind the point, and is the nearest such number above or below.
    static func of(_ old: Decimal128, _ new: Decimal128) -> Rehearsal.Loss.Kind? {
        if new.isNaN { return old.isNaN ? nil : .wrongType }
        guard old.isFinite, new.isFinite else { return nil }
        if let before = Double(old.description), let after = Double(new.description), aboveUnits(before, after) {
            return .rounded
        }
        let places = new.places
        guard places < old.places, let unit = Decimal128(coefficient: 1, exponent: -places) else { return nil }
        let difference = old - new
        let size = difference.isNegative ? difference.negated : difference
        return Decimal128.compare(size, unit) == .ascending ? .rounded : nil
    }
}

extension Decimal128 {
    /// Digits behind the point that are not zeros at the end.
    fileprivate var places: Int {
        var (rest, places) = (coefficient, -exponent)
        guard rest != 0 else { return 0 }
        while places > 0, rest % 10 == 0 { (rest, places) = (rest / 10, places - 1) }
        return max(places, 0)
    }
}

/// A date that has lost its smaller parts, in UTC, by the smallest part that is left.
struct DateCut: Hashable {
    /// The smallest part that is left.
    enum Unit: Int, Hashable, Comparable {
        case millisecond, second, minute, hour, day, month, year

        static func < (lhs: Unit, rhs: Unit) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    let unit: Unit
    /// Seconds and nanoseconds between both.
    let seconds: Int64
    let nanoseconds: Int32

    /// - Returns: nil where the new date is not what is left of the old one.
    init?(_ old: Timestamp, _ new: Timestamp) {
        let (distance, isFar) = old.seconds.subtractingReportingOverflow(new.seconds)
        guard !isFar, old != new, let unit = new.unit, old.unit.map({ $0 < unit }) ?? true,
            distance.magnitude < 367 * 86_400
        else { return nil }
        switch unit {
        case .millisecond:
            guard distance == 0, old.nanoseconds / 1_000_000 == new.nanoseconds / 1_000_000 else { return nil }
        case .second: guard distance.magnitude <= 1 else { return nil }
        case .minute: guard distance.magnitude <= 60 else { return nil }
        case .hour: guard distance.magnitude <= 3_600 else { return nil }
        case .day: guard distance.magnitude <= 86_400 else { return nil }
        case .month, .year:
            let length = unit == .year ? 4 : 7
            guard old.day.prefix(length) == new.day.prefix(length) else { return nil }
        }
        self.unit = unit
        seconds = distance
        nanoseconds = old.nanoseconds - new.nanoseconds
    }

    /// Whether it is rounded up.
    var isUpward: Bool { seconds < 0 || seconds == 0 && nanoseconds < 0 }

    /// Whether another time zone makes the same difference.
    var isOfTimeZone: Bool { nanoseconds == 0 && seconds.isMultiple(of: 900) && seconds.magnitude <= 14 * 3_600 }
}

extension Timestamp {
    /// The smallest part that is not at its beginning.
    fileprivate var unit: DateCut.Unit? {
        if nanoseconds != 0 { return nanoseconds.isMultiple(of: 1_000_000) ? .millisecond : nil }
        guard seconds.isMultiple(of: 60) else { return .second }
        guard seconds.isMultiple(of: 3_600) else { return .minute }
        guard seconds.isMultiple(of: 86_400) else { return .hour }
        let day = day
        return day.hasSuffix("-01-01") ? .year : day.hasSuffix("-01") ? .month : .day
    }

    /// Year, month and day.
    fileprivate var day: Substring { description.prefix { $0 != "T" } }
}
