import RealmModel

/// The loss of a value that is another one now.
public enum ConversionLoss: String, Hashable, Sendable, CaseIterable {
    /// Zero, false or empty is there instead of something else.
    case zero
    /// Zero, false or empty is there instead of null, because the property is required now.
    case nullToZero
    /// Another number is there.
    case inexact
    /// A part of a text, of data, of a list, or of a date's fraction is there.
    case truncated
    /// The result that a script's language makes of a value of the wrong type is there: “undefined”, “[object Object]”, no
    /// number.
    case wrongType
    /// A collection had a link to an object that is not there any more.
    case link

    /// The loss where a property has another type now, or takes no null any more.
    ///
    /// - Returns: nil where nothing is lost, or that can't be told. A value that became null is not of this kind.
    init?(from old: Value, to new: Value, becameRequired: Bool = false) {
        if new.isNull { return nil }
        if case .string(let text) = new, Self.isSlip(text.utf8) {
            self = .wrongType
        } else if old.isNull {
            guard becameRequired, new.isEmptyOrZero else { return nil }
            self = .nullToZero
        } else if let before = old.number, let after = new.number {
            if old.isSameNumber(as: new) ?? (before == after) { return nil }
            // As in a property that keeps its type, a zero is no value that is lost.
            if old.isZero, !after.isNaN { return nil }
            self = after.isNaN ? .wrongType : after == 0 ? .zero : .inexact
        } else if new.isEmptyOrZero && !old.isEmptyOrZero || new.isHollow && !old.isHollow {
            self = .zero
        } else if case .string(let text) = old, let after = new.number, Self.begins(text, with: after) {
            self = .inexact
        } else if case (.string(let before), .string(let after)) = (old, new),
            Self.isCut(before.utf8, to: after.utf8, isText: true)
        {
            self = .truncated
        } else if let loss = Self.ofParts(old, new) {
            self = loss
        } else {
            return nil
        }
    }

    /// Texts that scripts write by mistake: JavaScript's for something that is missing, or is no value.
    private static let slips: [StaticString] = [
        "undefined", "null", "NaN", "[object Object]", "Invalid Date",
    ]

    /// Whether a text is what a script's language makes of a value of the wrong type.
    static func isSlip(_ text: some Sequence<UInt8>) -> Bool {
        slips.contains { slip in
            text.elementsEqual(UnsafeBufferPointer(start: slip.utf8Start, count: slip.utf8CodeUnitCount))
        }
    }

    /// Whether bytes are the first ones of others; of a text something has to be missing that is no white space.
    static func isCut<Bytes: Collection>(_ old: Bytes, to new: Bytes, isText: Bool) -> Bool
    where Bytes.Element == UInt8 {
        guard !new.isEmpty, new.count < old.count, old.starts(with: new) else { return false }
        return !isText || old.dropFirst(new.count).contains { $0 > UInt8(ascii: " ") }
    }

    /// Whether a number is what stands at the beginning of a text, with something else behind it.
    private static func begins(_ text: String, with number: Double) -> Bool {
        let shown = text.drop { $0 == " " }.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        guard let before = Double(shown) else { return false }
        return before == number || before.rounded(.towardZero) == number
    }
}

extension Value {
    /// Whether a whole number or a decimal is the same in another type, to its last digit, where doubles don't tell; nil of other values.
    func isSameNumber(as other: Value) -> Bool? {
        switch (self, other) {
        case (.int(let number), .int(let other)): number == other
        case (.int(let number), .float(let other)): Int64(exactly: other) == number
        case (.int(let number), .double(let other)): Int64(exactly: other) == number
        case (.int(let number), .string(let text)), (.string(let text), .int(let number)):
            number.magnitude > 1 << 53 ? Int64(text) == number : nil
        case (.decimal128, .int), (.decimal128, .float), (.decimal128, .double), (.int, .decimal128),
            (.float, .decimal128), (.double, .decimal128):
            ExactNumber(self)?.hash.map { $0 == ExactNumber(other)?.hash }
        default: nil
        }
    }

    /// Whether it is the number zero: false and a text are none.
    fileprivate var isZero: Bool {
        switch self {
        case .int, .float, .double, .decimal128: isEmptyOrZero
        default: false
        }
    }

    /// A number, or a text that is one.
    var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal128(let number): Double(number.description)
        case .bool(let flag): flag ? 1 : 0
        case .string(let text): Double(text)
        default: nil
        }
    }

    /// Whether it is what a property of its type begins with.
    var isEmptyOrZero: Bool {
        switch self {
        case .null: true
        case .int(let number): number == 0
        case .bool(let flag): !flag
        case .float(let number): number == 0
        case .double(let number): number == 0
        case .string(let text): text.isEmpty
        case .data(let bytes): bytes.isEmpty
        case .date(let date): date == Timestamp(seconds: 0, nanoseconds: 0)
        case .decimal128(let number): number == .zero
        case .objectId(let id): id == .zero
        case .uuid(let id): id == .zero
        case .list(let elements): elements.isEmpty
        case .dictionary(let entries): entries.isEmpty
        default: false
        }
    }
}
