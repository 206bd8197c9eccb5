import RealmModel

/// A query on the objects of a class, in Realm's query language: `age > 30 AND name BEGINSWITH[c] $0`.
public struct Query: Sendable {
    let predicate: BoundPredicate
    /// The clauses that sort the found objects, or leave some away, in the order of the text.
    let ordering: [BoundOrdering]

    /// Reads a query and finds its properties in a schema.
    ///
    /// - Parameters:
    ///   - arguments: what `$0`, `$1` … stand for; a list stands for its elements, an object is a typed link.
    /// - Throws: `QueryError` where it can't be read, names what the class has not, compares what can't be compared, or
    ///   is larger than `QueryLimits` says.
    public init(_ query: String, arguments: [Value] = [], on className: String, in schema: Schema) throws(QueryError) {
        do throws(QueryError) {
            let syntax = try QueryParser.parse(query, arguments: arguments)
            let binder = QueryBinder(query, on: className, in: schema, arguments: arguments)
            predicate = try binder.bind(syntax.predicate)
            ordering = try binder.bind(syntax.ordering)
        } catch {
            let offset = error.offset.map { query.utf8.prefix($0).count { $0 & 0xc0 != 0x80 } }
            throw QueryError(error.description, at: offset)
        }
    }

    /// Whether an object fits; `SORT`, `DISTINCT` and `LIMIT` say nothing here.
    public func matches<Source: QuerySource>(_ object: Source.Object, in source: Source) throws -> Bool {
        try predicate.matches(object, source)
    }

    /// Whether the query has `SORT`, `DISTINCT` or `LIMIT`: what it finds depends on all objects that fit.
    public var isOrdered: Bool { !ordering.isEmpty }

    /// Objects that fit, sorted and cut as the query says; equal ones stay as they are.
    public func ordered<Source: QuerySource>(
        _ objects: [Source.Object], in source: Source
    ) throws -> [Source.Object] {
        try ordering.reduce(objects) { objects, ordering in try ordering.apply(to: objects, in: source) }
    }
}
