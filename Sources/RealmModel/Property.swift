/// One property of a class, as Realm's schemas declare it.
public struct Property: Hashable, Sendable {
    /// The name that is stored in the file.
    public var name: String
    /// The name that programs use where it differs from the stored one (`mapTo`, Realm's "public name").
    public var alias: String?
    /// The type of the value, or of the elements of a collection.
    public var type: PropertyType
    /// How many values the property holds.
    public var collection: CollectionKind
    /// The class that a link, a collection of links or linking objects lead to; nil for every other type.
    public var objectType: String?
    /// Whether the value, or each element of a collection, may be null.
    public var isOptional: Bool
    /// The search index; a primary key has one without saying so here.
    public var index: PropertyIndex
    /// The property of `objectType` that linking objects are computed from; nil for every other type.
    public var originProperty: String?
    /// The value that new objects get where none is given; not stored in files and no part of a difference.
    public var defaultValue: Value?

    /// Makes a property; only the name and the type have to be said.
    public init(
        _ name: String, _ type: PropertyType, collection: CollectionKind = .none, objectType: String? = nil,
        isOptional: Bool = false, index: PropertyIndex = .none, originProperty: String? = nil, alias: String? = nil,
        defaultValue: Value? = nil
    ) {
        self.name = name
        self.alias = alias
        self.type = type
        self.collection = collection
        self.objectType = objectType
        self.isOptional = isOptional
        self.index = index
        self.originProperty = originProperty
        self.defaultValue = defaultValue
    }

    /// The name that scripts and declared schemas show: the alias where there is one.
    public var publicName: String { alias ?? name }

    /// Whether the property is calculated rather than stored (linking objects).
    public var isComputed: Bool { type == .linkingObjects }

    /// Whether every object needs a value of its own: a null where it is stored says that the object has none yet.
    public var requiresValue: Bool {
        !isOptional && !isCollection && !type.zero.isNull
    }

    /// Whether the property holds more than one value.
    public var isCollection: Bool { collection != .none }

    /// Whether the property holds links, single or in a collection.
    public var isLink: Bool { type == .object }

    /// Whether both properties have the same type, collection and link target, whatever their optionality and index.
    public func hasSameType(as other: Property) -> Bool {
        collection == other.collection && hasSameElements(as: other)
    }

    /// Whether the elements of both are of the same type, whatever collections they are in.
    public func hasSameElements(as other: Property) -> Bool {
        type == other.type && (objectType ?? "").hasSameBytes(as: other.objectType ?? "")
    }
}
