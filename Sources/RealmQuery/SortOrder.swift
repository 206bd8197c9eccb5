import RealmModel

/// The order of objects by some of their properties, the first of which decides first.
public struct SortOrder: Sendable {
    private let keys: [(path: PropertyPath, isReversed: Bool)]

    /// Finds the properties in a schema.
    ///
    /// - Parameter keys: names of properties, over links with dots between; reversed ones begin with the greatest.
    /// - Throws: `QueryError` where the class has no such property, or a property of no order.
    public init(
        _ keys: [(path: String, isReversed: Bool)], on className: String, in schema: Schema
    ) throws(QueryError) {
        var bound: [(path: PropertyPath, isReversed: Bool)] = []
        for key in keys {
            let names = key.path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let path = try PropertyPath(names, of: className, in: schema)
            guard !path.isPlural, path.type != .object, !path.counts else {
                throw QueryError("Cannot sort on key path '\(key.path)': property is a list or an object")
            }
            bound.append((path, key.isReversed))
        }
        self.keys = bound
    }

    /// The objects in this order; equal ones stay as they are.
    ///
    /// Null comes before all values.
    public func sorted<Source: QuerySource>(_ objects: [Source.Object], in source: Source) throws -> [Source.Object] {
        let values = try objects.map { object in
            try keys.map { try $0.path.values(of: object, in: source).first ?? .null }
        }
        let places = objects.indices.sorted { left, right in
            for (place, key) in keys.enumerated() {
                let order = ValueOrder.compare(values[left][place], values[right][place])
                if order != .same { return (order == .ascending) != key.isReversed }
            }
            return left < right
        }
        return places.map { objects[$0] }
    }
}
