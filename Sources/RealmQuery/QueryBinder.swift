import RealmModel

/// Finds the paths of a query in a schema, and refuses what can't be compared, in Realm's words.
struct QueryBinder {
    /// The text of the query, for messages.
    private let query: [UInt8]
    let schema: Schema
    let arguments: [Value]
    /// The class whose objects are asked: the query's, or a subquery's.
    private(set) var className: String
    /// The variables of the subqueries around, and the classes that they stand for.
    private(set) var variables: [(name: String, className: String)] = []

    init(_ query: String, on className: String, in schema: Schema, arguments: [Value]) {
        self.query = Array(query.utf8)
        self.schema = schema
        self.arguments = arguments
        self.className = className
    }

    func text(_ span: Span) -> String { String(decoding: query[span], as: UTF8.self) }

    /// The binder of a subquery's condition.
    func entering(_ className: String, variable: String) -> QueryBinder {
        var binder = self
        binder.className = className
        binder.variables.append((variable, className))
        return binder
    }

    func bind(_ predicate: PredicateSyntax) throws(QueryError) -> BoundPredicate {
        switch predicate {
        case .constant(let value): .constant(value)
        case .and(let parts): .and(try bind(parts))
        case .or(let parts): .or(try bind(parts))
        case .not(let part): .not(try bind(part))
        case .comparison(let comparison): try bind(comparison)
        }
    }

    private func bind(_ parts: [PredicateSyntax]) throws(QueryError) -> [BoundPredicate] {
        var bound: [BoundPredicate] = []
        for part in parts { bound.append(try bind(part)) }
        return bound
    }

    // MARK: Comparisons

    private func bind(_ comparison: ComparisonSyntax) throws(QueryError) -> BoundPredicate {
        if comparison.comparator == .between { return try between(comparison) }
        var (left, right) = try operands(comparison)
        switch comparison.comparator {
        case .equal, .notEqual, .in: try checkEquality(comparison, &left, &right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: try checkOrder(comparison, left, right)
        default: try checkText(right, comparison.comparator.rawValue, comparison)
        }
        if [.equal, .in].contains(comparison.comparator), let alternatives = alternatives(comparison, left, right) {
            let test = test(comparison, left, right, .null)
            return .comparison(BoundComparison(left: left, right: right, test: test, alternatives: alternatives))
        }
        let test = test(comparison, left, right, right.singleConstant)
        return .comparison(BoundComparison(left: left, right: right, test: test, alternatives: nil))
    }

    /// Both sides: a constant takes the type of the other side as far as it can.
    private func operands(
        _ comparison: ComparisonSyntax
    ) throws(QueryError) -> (left: BoundOperand, right: BoundOperand) {
        let (left, right) = (comparison.left, comparison.right)
        if left.isConstant, right.isConstant {
            throw QueryError("Cannot compare two constants", at: left.span.lowerBound)
        }
        let bound: (left: BoundOperand, right: BoundOperand)
        if right.isConstant {
            let property = try bind(left, hint: .int)
            bound = (property, try bind(right, hint: property.type))
            try checkSides(property, bound.right, comparison)
        } else {
            let property = try bind(right, hint: .int)
            bound = (try bind(left, hint: left.isConstant ? property.type : .int), property)
            try checkSides(property, bound.left, comparison)
        }
        return bound
    }

    private func checkSides(
        _ property: BoundOperand, _ other: BoundOperand, _ comparison: ComparisonSyntax
    ) throws(QueryError) {
        if property.isCollection, other.isCollection {
            // Realm Core's own words, like those around them.
            throw QueryError(
                "Ordered comparison between two primitive lists is not implemented yet ('\(property.text)' and '\(other.text)')",
                at: comparison.offset)
        }
        if property.isConstant, other.isConstant {
            throw QueryError(
                "Comparison between two constants is not supported ('\(property.text)' and '\(other.text)')",
                at: comparison.offset)
        }
        if case .links(let chain) = property.kind, chain.isPlural, other.singleConstant == .null {
            throw QueryError("Cannot compare linklist ('\(property.text)') with NULL", at: comparison.offset)
        }
    }

    private func checkEquality(
        _ comparison: ComparisonSyntax, _ left: inout BoundOperand, _ right: inout BoundOperand
    ) throws(QueryError) {
        if left.type == .link, right.isConstant { right = try links(right, comparedWith: left, comparison) }
        if right.type == .link, left.isConstant { left = try links(left, comparedWith: right, comparison) }
        if left.type != .null, right.type != .null, !left.type.isComparable(to: right.type) {
            throw unsupported(left, right, comparison)
        }
        if left.type == .typeOfValue || right.type == .typeOfValue, left.type != right.type {
            throw QueryError(
                "Unsupported comparison between @type and raw value: '\(left.type.rawValue)' and '\(right.type.rawValue)'",
                at: comparison.offset)
        }
        if comparison.comparator == .in, !right.isMultiple {
            throw QueryError(
                "The keypath following 'IN' must contain a list. Found '\(right.text)'",
                at: comparison.right.span.lowerBound)
        }
        if comparison.ignoresCase, !isDirect(comparison, left, right), alternatives(comparison, left, right) == nil {
            try checkText(right, "\(comparison.comparator.rawValue)[c]", comparison)
        }
    }

    /// Constants that are compared with links: keys of the class that those lead to.
    private func links(
        _ constant: BoundOperand, comparedWith property: BoundOperand, _ comparison: ComparisonSyntax
    ) throws(QueryError) -> BoundOperand {
        guard case .constant(let values, let isList) = constant.kind, case .links(let chain) = property.kind else {
            return constant
        }
        var keys: [Value] = []
        for value in values {
            switch value {
            case .null, .link: keys.append(value)
            case .typedLink(let className, let key) where className.hasSameBytes(as: chain.className):
                keys.append(.link(key))
            case .typedLink(let className, _):
                throw QueryError(
                    "The relationship '\(property.text)' which links to type '\(chain.className)' cannot be compared to an argument of type '\(className)'",
                    at: comparison.offset)
            default:
                throw QueryError(
                    "Unsupported comparison between '\(property.text)' and type '\(QueryType(value).rawValue)'",
                    at: comparison.offset)
            }
        }
        return BoundOperand(
            kind: .constant(keys, isList: isList), type: .link, quantifier: constant.quantifier, text: constant.text)
    }

    private func checkOrder(
        _ comparison: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand
    ) throws(QueryError) {
        if left.type == .link || left.type == .typeOfValue {
            throw QueryError(
                "Unsupported operator \(comparison.comparator.rawValue) in query. Only equal (==) and not equal (!=) are supported for this type.",
                at: comparison.offset)
        }
        if left.singleConstant == .null || right.singleConstant == .null { return }
        guard left.type != .null, right.type != .null, left.type.isComparable(to: right.type) else {
            throw unsupported(left, right, comparison)
        }
    }

    private func checkText(
        _ right: BoundOperand, _ comparator: String, _ comparison: ComparisonSyntax
    ) throws(QueryError) {
        guard [.string, .binary, .mixed].contains(right.type) else {
            throw QueryError(
                "Unsupported comparison operator '\(comparator)' against type '\(right.type.rawValue)', right side must be a string or binary type",
                at: comparison.offset)
        }
    }

    private func unsupported(
        _ left: BoundOperand, _ right: BoundOperand, _ comparison: ComparisonSyntax
    ) -> QueryError {
        QueryError(
            "Unsupported comparison between type '\(left.type.rawValue)' and type '\(right.type.rawValue)'",
            at: comparison.offset)
    }

    private func between(_ comparison: ComparisonSyntax) throws(QueryError) -> BoundPredicate {
        guard case .list(let limits) = comparison.right, limits.elements.count == 2 else {
            throw QueryError("Operator 'BETWEEN' requires list with 2 elements.", at: comparison.right.span.lowerBound)
        }
        if !comparison.left.isConstant {
            let property = try bind(comparison.left, hint: .int)
            if property.isCollection, property.quantifier != .all {
                throw QueryError(
                    "Only 'ALL' supported for operator 'BETWEEN' when applied to lists.",
                    at: comparison.left.span.lowerBound)
            }
        }
        func bound(_ comparator: Comparator, _ limit: LiteralSyntax) throws(QueryError) -> BoundPredicate {
            try bind(
                ComparisonSyntax(
                    left: comparison.left, comparator: comparator, right: .literal(limit), offset: comparison.offset))
        }
        return .and([try bound(.greaterOrEqual, limits.elements[0]), try bound(.lessOrEqual, limits.elements[1])])
    }

    // MARK: Tests

    /// Whether the rules of stored values are for a comparison: a property of the object itself with a constant of its type.
    private func isStored(_ left: BoundOperand, _ right: BoundOperand) -> Bool {
        left.ownColumn != nil && right.singleConstant != nil && left.type == right.type
    }

    /// Whether Realm compares a property or the links of the object itself with a constant of any type, text or not.
    private func isDirect(_ comparison: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand) -> Bool {
        if case .links(let chain) = left.kind {
            return right.isConstant && chain.steps.count == 1 && (left.quantifier ?? .any) == .any
                && comparison.comparator != .in
        }
        return isStored(left, right) || left.ownColumn != nil && left.type == .mixed && right.singleConstant != nil
    }

    private func test(
        _ comparison: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand, _ constant: Value?
    ) -> ValueTest {
        var rules = ValueTest.Rules.any
        if left.type == .typeOfValue {
            rules = .kinds
        } else if isStored(left, right), stores(left.type, comparison) {
            rules = .stored
        }
        return ValueTest(comparison.comparator, ignoresCase: comparison.ignoresCase, rules: rules, constant: constant)
    }

    /// Whether stored values of a type have rules of their own.
    private func stores(_ type: QueryType, _ comparison: ComparisonSyntax) -> Bool {
        switch type {
        case .string, .float, .double: true
        case .binary:
            !comparison.comparator.isOfOrder && !(comparison.comparator == .contains && comparison.ignoresCase)
        default: false
        }
    }

    /// The constants of a list, any of which a property of the object itself, or its links, may equal.
    private func alternatives(
        _ comparison: ComparisonSyntax, _ left: BoundOperand, _ right: BoundOperand
    ) -> [(value: Value, test: ValueTest)]? {
        guard case .constant(let values, true) = right.kind, (right.quantifier ?? .any) == .any else { return nil }
        switch left.kind {
        case .scalar where left.ownColumn != nil: break
        case .links(let chain)
        where chain.steps.count == 1 && comparison.comparator == .equal && (left.quantifier ?? .any) == .any:
            break
        default: return nil
        }
        return values.map { value in
            let isStored = QueryType(value) == left.type && stores(left.type, comparison)
            let rules = left.type == .typeOfValue ? ValueTest.Rules.kinds : isStored ? .stored : .any
            let test = ValueTest(
                comparison.comparator, ignoresCase: comparison.ignoresCase, rules: rules, constant: value)
            return (value, test)
        }
    }
}
