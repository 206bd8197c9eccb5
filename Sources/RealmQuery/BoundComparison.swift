import RealmModel

/// A comparison whose paths are found in a schema.
struct BoundComparison: Sendable {
    private enum Side: Sendable {
        case path(PropertyPath)
        case values([Value])
    }

    private let quantifier: Comparison.Quantifier
    private let left: Side
    private let right: Side
    private let test: ValueTest

    init(_ comparison: Comparison, _ className: String, _ schema: Schema) throws(QueryError) {
        quantifier = comparison.quantifier
        left = try Self.bind(comparison.left, className, schema)
        right = try Self.bind(comparison.right, className, schema)
        test = ValueTest(comparator: comparison.comparator, ignoresCase: comparison.ignoresCase)
        try Self.check(left, right, test)
        if quantifier != .any, !isPlural(left) {
            throw QueryError("The keypath following '\(quantifier == .all ? "ALL" : "NONE")' must contain a list")
        }
    }

    /// The test of a column that says the same; nil where a path goes further than to a value of the object itself.
    var columnTest: ColumnTest? {
        guard quantifier == .any, case .path(let path) = left, path.steps.count == 1, !path.isPlural, !path.counts,
            case .property(let index, let property) = path.steps[0], case .values(let values) = right
        else { return nil }
        return ColumnTest(index, property, test, values)
    }

    func matches<Source: QuerySource>(_ object: Source.Object, _ source: Source) throws -> Bool {
        let lefts = try values(left, object, source)
        let rights = try values(right, object, source)
        func fits(_ left: Value) -> Bool { rights.contains { test.holds(left, $0) } }
        switch quantifier {
        case .any: return lefts.contains(where: fits)
        case .all: return lefts.allSatisfy(fits)
        case .none: return !lefts.contains(where: fits)
        }
    }

    private func values<Source: QuerySource>(_ side: Side, _ object: Source.Object, _ source: Source) throws -> [Value]
    {
        switch side {
        case .path(let path): try path.values(of: object, in: source)
        case .values(let values): values
        }
    }

    private func isPlural(_ side: Side) -> Bool {
        guard case .path(let path) = side else { return false }
        return path.isPlural
    }

    private static func bind(_ operand: Operand, _ className: String, _ schema: Schema) throws(QueryError) -> Side {
        switch operand {
        case .path(let names): .path(try PropertyPath(names, of: className, in: schema))
        case .value(let value): .values([value])
        case .list(let values): .values(values)
        }
    }

    // MARK: Types

    /// What can be compared with one another, by Realm's names of types; nil for what goes with all.
    private static func kinds(_ side: Side) -> [(kind: String, name: String)] {
        switch side {
        case .path(let path): [(kind(path.type), path.type.rawValue)].filter { $0.0 != "mixed" }
        case .values(let values): values.compactMap { name($0).map { (kind($0), $0.rawValue) } }
        }
    }

    private static func kind(_ type: PropertyType) -> String {
        switch type {
        case .int, .float, .double, .decimal128: "number"
        default: type.rawValue
        }
    }

    private static func name(_ value: Value) -> PropertyType? {
        switch value {
        case .null, .list, .dictionary: nil
        case .int: .int
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .string: .string
        case .data: .data
        case .date: .date
        case .decimal128: .decimal128
        case .objectId: .objectId
        case .uuid: .uuid
        case .link, .typedLink: .object
        }
    }

    private static func check(_ left: Side, _ right: Side, _ test: ValueTest) throws(QueryError) {
        for left in kinds(left) {
            if test.isOfText, left.kind != "string" {
                throw QueryError("Unsupported operator \(test.comparator.rawValue) against type '\(left.name)'")
            }
            for right in kinds(right) where left.kind != right.kind {
                throw QueryError("Unsupported comparison between type '\(left.name)' and type '\(right.name)'")
            }
        }
        for right in kinds(right) where test.isOfText && right.kind != "string" {
            throw QueryError("Unsupported operator \(test.comparator.rawValue) against type '\(right.name)'")
        }
    }
}
