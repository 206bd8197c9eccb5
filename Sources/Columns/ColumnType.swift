import RealmModel

/// The type of a column, apart from names and rules: that of its values, and how many a row has.
public struct ColumnType: Hashable, Sendable {
    /// The type of a value, or of a collection's elements.
    public var element: PropertyType
    /// How many values a row has.
    public var collection: CollectionKind

    /// Makes a type; `linkingObjects` has no column.
    public init(_ element: PropertyType, _ collection: CollectionKind = .none) {
        self.element = element
        self.collection = collection
    }

    /// The type of a property's column.
    public init(_ property: Property) {
        self.init(property.type, property.collection)
    }

    /// The type of one value of the column.
    public var elementType: ColumnType { ColumnType(element) }
}
