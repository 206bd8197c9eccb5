import RealmModel

/// The condition of a query, its paths found in a schema.
indirect enum BoundPredicate: Sendable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)

    func matches<Source: QuerySource>(_ object: Source.Object, _ source: Source) throws -> Bool {
        switch self {
        case .constant(let value): value
        case .and(let parts): try parts.allSatisfy { try $0.matches(object, source) }
        case .or(let parts): try parts.contains { try $0.matches(object, source) }
        case .not(let part): try !part.matches(object, source)
        case .comparison(let comparison): try comparison.matches(object, source)
        }
    }
}

/// Two operands and what is asked of their values.
struct BoundComparison: Sendable {
    let left: BoundOperand
    let right: BoundOperand
    let test: ValueTest
    /// Whether the right side is a list of constants, any of which the left may equal: each has a test of its own.
    let alternatives: [(value: Value, test: ValueTest)]?
    /// The constants on the right, where any of them may equal the left.
    private let constants: ConstantSet?

    init(left: BoundOperand, right: BoundOperand, test: ValueTest, alternatives: [(value: Value, test: ValueTest)]?) {
        (self.left, self.right, self.test, self.alternatives) = (left, right, test, alternatives)
        if let alternatives {
            constants = ConstantSet(alternatives)
        } else if case .constant(let values, true) = right.kind, (right.quantifier ?? .any) == .any {
            constants = ConstantSet(values.map { ($0, test) })
        } else {
            constants = nil
        }
    }

    /// The test of a column that says the same; nil where a path goes further than to a value of the object itself.
    var columnTest: ColumnTest? {
        guard let column = left.ownColumn else { return nil }
        if let alternatives { return ColumnTest(column, alternatives, constants) }
        guard case .constant(let values, let isList) = right.kind, left.quantifier == nil else { return nil }
        guard !isList || (right.quantifier ?? .any) == .any else { return nil }
        return ColumnTest(column, values.map { ($0, test) }, constants)
    }

    func matches<Source: QuerySource>(_ object: Source.Object, _ source: Source) throws -> Bool {
        let lefts = try left.groups(object, source)
        if let alternatives {
            return try lefts.contains { group in
                try group.values.contains { left in
                    try source.spend((constants == nil ? alternatives.count : 1) * left.cost)
                    if let constants { return constants.contains(left) }
                    return alternatives.contains { $0.test.holds(left, $0.value) }
                }
            }
        }
        let rights = try right.groups(object, source)
        return try rights.contains { right in
            let cost = constants == nil ? right.values.reduce(0) { $0 + $1.cost } : 0
            let count = constants == nil ? right.values.count : 1
            return try lefts.contains { left in
                try source.spend(cost)
                return try fits(left, right) { try source.spend(count * $0.cost + cost) }
            }
        }
    }

    /// - Parameter spend: is told of a value on the left before it is compared with those on the right.
    private func fits(_ lefts: ValueGroup, _ rights: ValueGroup, spend: (Value) throws -> Void) throws -> Bool {
        if lefts.isList, rights.isList, left.quantifier == nil, right.quantifier == nil {
            // Two lists are compared element by element.
            guard lefts.values.count == rights.values.count else { return test.comparator == .notEqual }
            return zip(lefts.values, rights.values).allSatisfy(test.holds)
        }
        return try (left.quantifier ?? .any).holds(lefts.values) { left in
            try spend(left)
            if let constants { return constants.contains(left) }
            return (right.quantifier ?? .any).holds(rights.values) { test.holds(left, $0) }
        }
    }
}

extension Value {
    /// Bytes that are looked at where it is compared, near enough for a budget.
    fileprivate var cost: Int {
        switch self {
        case .string(let text): 16 + text.utf8.count
        case .data(let bytes): 16 + bytes.count
        case .list(let elements): 16 * (1 + elements.count)
        case .dictionary(let entries): 32 * (1 + entries.count)
        default: 16
        }
    }
}

extension Quantifier {
    fileprivate func holds(_ values: [Value], _ fits: (Value) throws -> Bool) rethrows -> Bool {
        switch self {
        case .any: try values.contains(where: fits)
        case .all: try values.allSatisfy(fits)
        case .none: try !values.contains(where: fits)
        }
    }
}
