import RealmModel

extension Schema {
    /// The same classes and properties in the order in which another schema has them; those that it has not come last.
    ///
    /// A file has new properties behind the others, and a declaration where they were declared: the order is nothing that a realm holds.
    public func ordered(as other: Schema) -> Schema {
        var classes = classes.ordered(as: other.classes, by: \.name)
        for index in classes.indices {
            guard let wanted = other[classes[index].name] else { continue }
            classes[index].properties = classes[index].properties.ordered(as: wanted.properties, by: \.name)
        }
        return Schema(classes)
    }
}

extension Array {
    /// The elements as others of their names stand; those that are not among these stay behind them as they stood.
    fileprivate func ordered(as others: [Element], by name: (Element) -> String) -> [Element] {
        let places = Dictionary(others.enumerated().map { (NameKey(name($1)), $0) }) { first, _ in first }
        let known = enumerated().map { (place: places[NameKey(name($1))] ?? others.count, index: $0, element: $1) }
        return known.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.element)
    }
}
