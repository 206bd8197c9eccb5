import RealmModel

/// The order of objects by some of their properties, the first of which decides first.
public struct SortOrder: Sendable {
    private let keys: [(key: OrderKey, isReversed: Bool)]

    init(_ keys: [(key: OrderKey, isReversed: Bool)]) { self.keys = keys }

    /// Finds the properties in a schema.
    ///
    /// - Parameter keys: names of properties, over links with dots between; reversed ones begin with the greatest.
    /// - Throws: `QueryError` where the class has no such property, or a property of no order.
    public init(
        _ keys: [(path: String, isReversed: Bool)], on className: String, in schema: Schema
    ) throws(QueryError) {
        var bound: [(key: OrderKey, isReversed: Bool)] = []
        for key in keys {
            let names = key.path.split(separator: ".", omittingEmptySubsequences: false).map {
                PathSyntax.Element.key(String($0))
            }
            guard names.count <= QueryLimits.pathLength else {
                throw QueryError("a path has at most \(QueryLimits.pathLength) links")
            }
            let path = PathSyntax(elements: names, span: 0..<key.path.utf8.count)
            let binder = QueryBinder(key.path, on: className, in: schema, arguments: [])
            bound.append((try binder.orderKey(path), key.isReversed))
        }
        self.keys = bound
    }

    /// The objects in this order; equal ones stay as they are.
    ///
    /// Null comes before all values; where a link on the way is null, an object comes behind all others.
    public func sorted<Source: QuerySource>(_ objects: [Source.Object], in source: Source) throws -> [Source.Object] {
        try sorted(objects, behind: nil, in: source)
    }

    /// The objects that come behind a place, in this order.
    ///
    /// - Parameter place: the values and the key of an object; those that are equal to it and have a greater key come behind it.
    func sorted<Source: QuerySource>(
        _ objects: [Source.Object], behind place: (values: [Value?], key: ObjectKey)?, in source: Source
    ) throws -> [Source.Object] {
        let values = try objects.map { try self.values(of: $0, in: source) }
        var places = Array(objects.indices)
        if let place {
            try places.removeAll { index in
                switch compare(values[index], place.values) {
                case .ascending: true
                case .descending: false
                case .same: try source.key(of: objects[index]) <= place.key
                }
            }
        }
        places.sort { left, right in
            let order = compare(values[left], values[right])
            return order == .same ? left < right : order == .ascending
        }
        return places.map { objects[$0] }
    }

    /// The first object of each that are the same by these properties, and none that has a null link on the way to one.
    func distinct<Source: QuerySource>(_ objects: [Source.Object], in source: Source) throws -> [Source.Object] {
        let values = try objects.map { try self.values(of: $0, in: source) }
        let reached = objects.indices.filter { values[$0].allSatisfy { $0 != nil } }
        let sorted = reached.sorted { left, right in
            compare(values[left], values[right]).then(Ordering(left, right)) == .ascending
        }
        var isKept = Array(repeating: false, count: objects.count)
        for (place, index) in sorted.enumerated() {
            isKept[index] = place == 0 || compare(values[sorted[place - 1]], values[index]) != .same
        }
        return objects.indices.filter { isKept[$0] }.map { objects[$0] }
    }

    /// The values that an object is ordered by; nil where a link on the way is null.
    func values<Source: QuerySource>(of object: Source.Object, in source: Source) throws -> [Value?] {
        try keys.map { try $0.key.value(of: object, in: source) }
    }

    private func compare(_ left: [Value?], _ right: [Value?]) -> Ordering {
        for (place, key) in keys.enumerated() {
            let order = Self.compare(left[place], right[place])
            if order != .same { return key.isReversed ? order.reversed : order }
        }
        return .same
    }

    private static func compare(_ left: Value?, _ right: Value?) -> Ordering {
        guard let left, let right else { return Ordering(left == nil ? 1 : 0, right == nil ? 1 : 0) }
        return ValueOrder.compare(left, right)
    }
}

/// A single value that objects are ordered by, over links.
struct OrderKey: Sendable {
    let chain: LinkChain
    let column: Column

    /// Nil where a link on the way is null.
    func value<Source: QuerySource>(of object: Source.Object, in source: Source) throws -> Value? {
        guard let target = try chain.objects(from: object, in: source, once: true).first else { return nil }
        return try source.value(column.index, of: target)
    }
}

/// One of `SORT`, `DISTINCT` and `LIMIT`, its paths found in a schema.
enum BoundOrdering: Sendable {
    case sort(SortOrder)
    case distinct(SortOrder)
    case limit(Int)

    func apply<Source: QuerySource>(to objects: [Source.Object], in source: Source) throws -> [Source.Object] {
        switch self {
        case .sort(let order): return try order.sorted(objects, in: source)
        case .distinct(let order): return try order.distinct(objects, in: source)
        case .limit(let limit): return Array(objects.prefix(limit))
        }
    }
}

extension QueryBinder {
    func bind(_ ordering: [OrderingSyntax]) throws(QueryError) -> [BoundOrdering] {
        var bound: [BoundOrdering] = []
        for each in ordering {
            switch each {
            case .sort(let paths):
                var keys: [(key: OrderKey, isReversed: Bool)] = []
                for path in paths { keys.append((try orderKey(path.path), path.isReversed)) }
                bound.append(.sort(SortOrder(keys)))
            case .distinct(let paths):
                var keys: [(key: OrderKey, isReversed: Bool)] = []
                for path in paths { keys.append((try orderKey(path), false)) }
                bound.append(.distinct(SortOrder(keys)))
            case .limit(let limit): bound.append(.limit(limit))
            }
        }
        return bound
    }

    func orderKey(_ path: PathSyntax) throws(QueryError) -> OrderKey {
        var (chain, rest) = try chain(path)
        guard case .key(let name)? = rest.popFirst() else { throw noOrder(path) }
        guard let column = schema[chain.className]?.column(named: name) else {
            throw noProperty(name, chain.className, path.span)
        }
        guard rest.isEmpty, !chain.isPlural, !column.property.isCollection else { throw noOrder(path) }
        return OrderKey(chain: chain, column: column)
    }

    private func noOrder(_ path: PathSyntax) -> QueryError {
        QueryError(
            "Cannot sort on key path '\(text(path.span))': property is a list or an object", at: path.span.lowerBound)
    }
}
