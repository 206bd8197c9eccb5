/// Objects of a class: how many, and the first of them.
public struct NamedObjects: Hashable, Sendable {
    /// Object keys that are named of any number of objects.
    public static let namedKeys = 20

    /// All of them.
    public private(set) var count = 0
    /// The object keys of the first of them, in the order in which they were added.
    public private(set) var keys: [Int64] = []

    /// None.
    public init() {}

    /// Some.
    ///
    /// - Parameter keys: of the first of them.
    public init(_ count: Int, first keys: [Int64]) {
        self.count = count
        self.keys = Array(keys.prefix(Self.namedKeys))
    }

    /// Adds an object.
    public mutating func add(_ key: Int64) {
        count += 1
        if keys.count < Self.namedKeys { keys.append(key) }
    }
}
