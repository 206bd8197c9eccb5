import Columns
import RealmModel

/// A value that is another one now: what it lost.
struct ChangedCell {
    let pair: PropertyPair
    let array: ColumnArray
    let row: Int
    let other: ColumnArray
    let otherRow: Int

    func before() throws -> Value { try array.value(at: row, as: pair.oldType) }
    func after() throws -> Value { try other.value(at: otherRow, as: pair.newType) }

    /// How something of the value is lost; nil where nothing is, or that can't be told.
    ///
    /// - Parameter wasEmpty: whether there was nothing that could be lost.
    func way(wasEmpty: Bool, _ targets: LinkTargets) throws -> LossTally.Way? {
        if other.isNull(otherRow) {
            // No text and an empty one are the same to most.
            if wasEmpty, pair.oldType.element == .string || pair.oldType.element == .data { return nil }
            let isLink = pair.target != nil && pair.oldType.collection == .none
            return LossTally.Way(kind: isLink ? .link : .null, to: .null)
        }
        if let target = pair.target { return try wayOfLinks(to: target, wasEmpty: wasEmpty, targets) }
        if !pair.hasSameType || pair.becameRequired {
            let loss = ConversionLoss(from: try before(), to: try after(), becameRequired: pair.becameRequired)
            let to = try loss == .zero ? EmptyValue(other, at: otherRow, as: pair.newType) : nil
            return loss.map { LossTally.Way(kind: Rehearsal.Loss.Kind($0), to: to) }
        }
        if case .variable(let offsets, let bytes) = other.values, pair.newType.element == .string,
            ConversionLoss.isSlip(bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])])
        {
            return LossTally.Way(kind: .wrongType)
        }
        if wasEmpty { return nil }
        if let empty = try EmptyValue(other, at: otherRow, as: pair.newType) {
            return LossTally.Way(kind: .emptied, to: empty)
        }
        return try narrowing().map { LossTally.Way(kind: $0) }
    }

    /// A script takes links out of a collection as it likes; told is where none is left, or where their objects are gone.
    private func wayOfLinks(to target: String, wasEmpty: Bool, _ targets: LinkTargets) throws -> LossTally.Way? {
        guard pair.oldType.collection != .none else { return nil }
        let before = try before()
        if try targets.hasLost(before, of: target) { return LossTally.Way(kind: .link) }
        guard pair.hasSameType, !wasEmpty else { return nil }
        let isEmpty = try other.isEmpty(at: otherRow, as: pair.newType)
        return isEmpty ? LossTally.Way(kind: .emptied, to: .empty) : nil
    }

    // MARK: Narrower values

    /// How a value is less than it was, of a property whose type is the same.
    private func narrowing() throws -> Rehearsal.Loss.Kind? {
        switch (array.values, other.values) {
        case (.int(let cells), .int(let others)) where pair.oldType.element == .int:
            return Narrowing.of(cells[row], others[otherRow])
        case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)):
            let (part, otherPart) = (nanoseconds[row], otherNanoseconds[otherRow])
            let isCut = seconds[row] == otherSeconds[otherRow] && part / 1_000_000 == otherPart / 1_000_000
            return isCut && otherPart.isMultiple(of: 1_000_000) && part != otherPart ? .truncated : nil
        case (.double(let cells), .double(let others)): return Narrowing.of(cells[row], others[otherRow])
        case (.float(let cells), .float(let others)):
            return Narrowing.of(Double(cells[row]), Double(others[otherRow]), precision: 1e-6)
        case (.variable, .variable) where pair.oldType.element == .string || pair.oldType.element == .data:
            return cutPart == nil ? nil : .truncated
        case (.list, .list), (.dictionary, .dictionary):
            return isShortened(try before(), try after()) ? .truncated : nil
        default: return nil
        }
    }

    /// The bytes of a text or of data.
    var text: ArraySlice<UInt8>? {
        guard case .variable(let offsets, let bytes) = array.values else { return nil }
        return bytes[Int(offsets[row])..<Int(offsets[row + 1])]
    }

    /// What was cut off at the end of a text or of data, or at the beginning of a text.
    var cutPart: ArraySlice<UInt8>? {
        guard let text, case .variable(let offsets, let bytes) = other.values else { return nil }
        let left = bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])]
        let isText = pair.oldType.element == .string
        if ConversionLoss.isCut(text, to: left, isText: isText) { return text.dropFirst(left.count) }
        guard isText, !left.isEmpty, left.count < text.count, text.suffix(left.count) == left else { return nil }
        let part = text.dropLast(left.count)
        // Signs before a text are written or not as one likes.
        return part.contains { $0 >= 0x80 || $0.isLetterOrDigit } ? part : nil
    }

    /// Whether a collection has fewer elements than before, none of them new, and some value not any more.
    private func isShortened(_ before: Value, _ after: Value) -> Bool {
        switch (before, after) {
        case (.list(let old), .list(let new)):
            guard new.count < old.count else { return false }
            let kept = Set(new)
            return kept.isSubset(of: old) && old.contains { !kept.contains($0) && !$0.isEmptyOrZero }
        case (.dictionary(let old), .dictionary(let new)):
            guard new.count < old.count else { return false }
            let kept = Set(new)
            return kept.isSubset(of: old) && old.contains { !kept.contains($0) && !$0.value.isEmptyOrZero }
        default: return false
        }
    }
}

/// How numbers are less exact than they were.
private enum Narrowing {
    static func of(_ old: Int64, _ new: Int64) -> Rehearsal.Loss.Kind? {
        // What a script's numbers make of an integer that is larger than they are exact.
        if old.magnitude > 1 << 53, new != old, Double(new) == Double(old) { return .inexact }
        let difference = old.subtractingReportingOverflow(new)
        guard !difference.overflow, new.isMultiple(of: 10), !old.isMultiple(of: 10) else { return nil }
        var step: Int64 = 10
        while step < 1_000_000_000, new.isMultiple(of: step * 10) { step *= 10 }
        return difference.partialValue.magnitude < UInt64(step) ? .rounded : nil
    }

    /// - Parameter precision: what numbers of the type differ by that are meant to be the same, for their size.
    static func of(_ old: Double, _ new: Double, precision: Double = 1e-9) -> Rehearsal.Loss.Kind? {
        if new.isNaN { return old.isNaN ? nil : .wrongType }
        let difference = abs(old - new)
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
}

extension UInt8 {
    /// Of ASCII.
    fileprivate var isLetterOrDigit: Bool {
        self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 26
    }
}

extension Rehearsal.Loss.Kind {
    /// What a conversion lost.
    init(_ loss: ConversionLoss) {
        switch loss {
        case .zero: self = .zero
        case .nullToZero: self = .nullToZero
        case .inexact: self = .inexact
        case .truncated: self = .truncated
        case .wrongType: self = .wrongType
        case .link: self = .link
        }
    }
}
