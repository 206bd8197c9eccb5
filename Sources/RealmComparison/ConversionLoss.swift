import RealmModel

/// Objects that lost a value: how many, and the first of them.
public struct LostValues: Hashable, Sendable {
    /// Object keys that are named of any number of objects.
    public static let namedKeys = 20

    /// The objects.
    public private(set) var count = 0
    /// The object keys of the first of them, ascending.
    public private(set) var keys: [Int64] = []

    /// None.
    public init() {}

    /// Some.
    ///
    /// - Parameter keys: of the first of them, ascending.
    public init(_ count: Int, first keys: [Int64]) {
        self.count = count
        self.keys = keys
    }

    /// Adds an object.
    public mutating func add(_ key: Int64) {
        count += 1
        if keys.count < Self.namedKeys { keys.append(key) }
    }
}

/// What a value loses where its property has another type now.
public enum ConversionLoss: String, Hashable, Sendable, CaseIterable {
    /// Zero, false or empty is there instead of something else.
    case zero
    /// Another number is there.
    case inexact

    /// - Returns: nil where nothing is lost, or that can't be told. A value that became null is not of this kind.
    init?(from old: Value, to new: Value) {
        if old.isNull || new.isNull { return nil }
        if let before = old.number, let after = new.number {
            if before == after { return nil }
            self = after == 0 ? .zero : .inexact
        } else if new.isEmptyOrZero, !old.isEmptyOrZero {
            self = .zero
        } else {
            return nil
        }
    }
}

extension Value {
    /// A number, or a text that is one.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
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
        case .list(let elements): elements.isEmpty
        case .dictionary(let entries): entries.isEmpty
        default: false
        }
    }
}
