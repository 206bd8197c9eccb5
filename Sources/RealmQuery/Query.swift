import RealmModel

/// A query on the objects of a class, in Realm's query language: `age > 30 AND name BEGINSWITH[c] $0`.
public struct Query: Sendable {
    indirect enum Bound: Sendable {
        case constant(Bool)
        case and([Bound])
        case or([Bound])
        case not(Bound)
        case comparison(BoundComparison)
    }

    let bound: Bound

    /// Reads a query and finds its properties in a schema.
    ///
    /// - Parameters:
    ///   - arguments: what `$0`, `$1` … stand for; a list stands for its elements, an object is a typed link.
    /// - Throws: `QueryError` where it can't be read, names what the class has not, or compares what can't be compared.
    public init(_ query: String, arguments: [Value] = [], on className: String, in schema: Schema) throws(QueryError) {
        bound = try Self.bind(try QueryParser.parse(query, arguments: arguments), className, schema)
    }

    /// Whether an object fits.
    public func matches<Source: QuerySource>(_ object: Source.Object, in source: Source) throws -> Bool {
        try Self.matches(bound, object, source)
    }

    private static func bind(_ predicate: Predicate, _ className: String, _ schema: Schema) throws(QueryError) -> Bound
    {
        switch predicate {
        case .constant(let value): return .constant(value)
        case .and(let parts): return .and(try bind(parts, className, schema))
        case .or(let parts): return .or(try bind(parts, className, schema))
        case .not(let part): return .not(try bind(part, className, schema))
        case .comparison(let comparison): return .comparison(try BoundComparison(comparison, className, schema))
        }
    }

    private static func bind(_ parts: [Predicate], _ className: String, _ schema: Schema) throws(QueryError) -> [Bound]
    {
        var bound: [Bound] = []
        for part in parts { bound.append(try bind(part, className, schema)) }
        return bound
    }

    private static func matches<Source: QuerySource>(
        _ bound: Bound, _ object: Source.Object, _ source: Source
    ) throws -> Bool {
        switch bound {
        case .constant(let value): value
        case .and(let parts): try parts.allSatisfy { try matches($0, object, source) }
        case .or(let parts): try parts.contains { try matches($0, object, source) }
        case .not(let part): try !matches(part, object, source)
        case .comparison(let comparison): try comparison.matches(object, source)
        }
    }
}
