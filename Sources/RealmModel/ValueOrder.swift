/// The order in which Realm's sets keep their elements (REALM_FORMAT, section 11).
///
/// Null comes first; then booleans, numbers by value whatever their type, strings and data bytewise unsigned, dates,
/// ObjectIds, UUIDs, links. A set has no two elements that are the same here: `0.0` and `-0.0`, or `1` and `1.0` in a
/// set of mixed values, are one element. A NaN is the same as another and comes before all numbers.
public enum ValueOrder {
    /// Compares two values as elements of one set.
    ///
    /// Links of a class are in the order of their keys, those of several classes in the order of the class names,
    /// where Realm has the order of its tables. Lists and dictionaries, which no set holds, come last: all lists are
    /// the same, and all dictionaries.
    public static func compare(_ lhs: Value, _ rhs: Value) -> Ordering {
        let ranks = Ordering(rank(lhs), rank(rhs))
        return ranks == .same ? compareOfSameRank(lhs, rhs) : ranks
    }

    /// Whether two values are one element of a set.
    public static func isSame(_ lhs: Value, _ rhs: Value) -> Bool {
        compare(lhs, rhs) == .same
    }

    /// The elements of a set in Realm's order; of those that are the same the first stays.
    public static func sortedUnique(_ elements: [Value]) -> [Value] {
        guard !isAscending(elements) else { return elements }
        let sorted = elements.enumerated().sorted { lhs, rhs in
            compare(lhs.element, rhs.element).then(Ordering(lhs.offset, rhs.offset)) == .ascending
        }
        var unique: [Value] = []
        unique.reserveCapacity(sorted.count)
        for (_, element) in sorted {
            if let last = unique.last, isSame(last, element) { continue }
            unique.append(element)
        }
        return unique
    }

    /// Whether the elements are a set already, as those are that come from one.
    private static func isAscending(_ elements: [Value]) -> Bool {
        zip(elements, elements.dropFirst()).allSatisfy { compare($0, $1) == .ascending }
    }

    /// The place of a value's type in the order: the same for all numbers.
    public static func rank(_ value: Value) -> UInt8 {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .objectId: 6
        case .uuid: 7
        case .link: 8
        case .typedLink: 9
        case .list: 10
        case .dictionary: 11
        }
    }

    private static func compareOfSameRank(_ lhs: Value, _ rhs: Value) -> Ordering {
        switch (lhs, rhs) {
        case (.bool(let lhs), .bool(let rhs)): Ordering(lhs ? 1 : 0, rhs ? 1 : 0)
        case (.string(let lhs), .string(let rhs)): Ordering(bytes: lhs.utf8, rhs.utf8)
        case (.data(let lhs), .data(let rhs)): Ordering(bytes: lhs, rhs)
        case (.date(let lhs), .date(let rhs)): Ordering(lhs, rhs)
        case (.objectId(let lhs), .objectId(let rhs)): Ordering(bytes: lhs.bytes, rhs.bytes)
        case (.uuid(let lhs), .uuid(let rhs)): Ordering(bytes: lhs.bytes, rhs.bytes)
        case (.link(let lhs), .link(let rhs)): Ordering(lhs, rhs)
        case (.typedLink(let lhsClass, let lhs), .typedLink(let rhsClass, let rhs)):
            Ordering(bytes: lhsClass.utf8, rhsClass.utf8).then(Ordering(lhs, rhs))
        case (.list, .list), (.dictionary, .dictionary): .same
        default: NumericOrder.compare(lhs, rhs)
        }
    }
}
