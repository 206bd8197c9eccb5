/// The part of a class in the realm.
public enum ClassKind: String, Hashable, Sendable {
    /// Objects of their own, found by class.
    case topLevel
    /// Objects that belong to exactly one parent and die with it.
    case embedded
    /// Objects that can only be created, for one-way sync.
    case asymmetric
}

/// One class of a realm: its name, its kind and its properties in their order.
public struct ObjectSchema: Hashable, Sendable {
    /// The class's name, without the file's prefix `class_`.
    public var name: String
    /// Whether the class is top level, embedded or asymmetric.
    public var kind: ClassKind
    /// The stored name of the primary key property.
    public var primaryKey: String?
    /// All properties in declared order (a stored schema: in column order), computed ones included.
    public var properties: [Property] {
        @inlinable _read { yield list }
        // In place: observers would copy the list with each property that is added.
        @inlinable _modify {
            defer { forgetPlaces() }
            yield &list
        }
    }
    @usableFromInline var list: [Property]
    private var places: NamePlaces
    private var publicPlaces: NamePlaces

    /// Makes a class.
    public init(_ name: String, kind: ClassKind = .topLevel, primaryKey: String? = nil, properties: [Property] = []) {
        self.name = name
        self.kind = kind
        self.primaryKey = primaryKey
        list = properties
        places = NamePlaces(count: properties.count)
        publicPlaces = NamePlaces(count: properties.count)
    }

    @usableFromInline mutating func forgetPlaces() {
        places.forget(count: list.count)
        publicPlaces.forget(count: list.count)
    }

    /// Whether objects of the class live inside a parent.
    public var isEmbedded: Bool { kind == .embedded }

    /// The properties that have a column, in order.
    public var persistedProperties: [Property] { properties.filter { !$0.isComputed } }

    /// The property of a stored name, compared bytewise as Realm does.
    public func property(named name: String) -> Property? { index(ofProperty: name).map { properties[$0] } }

    /// The place in `properties` of the property of a stored name, compared bytewise as Realm does.
    public func index(ofProperty name: String) -> Int? { places.place(of: name, in: properties, by: \.name) }

    /// The place in `properties` of the property of a public name, compared bytewise.
    public func index(ofPublicName name: String) -> Int? {
        publicPlaces.place(of: name, in: properties, by: \.publicName)
    }

    /// Whether a property of the class is its primary key.
    public func isPrimaryKey(_ property: Property) -> Bool {
        primaryKey?.hasSameBytes(as: property.name) ?? false
    }

    /// The property that is the primary key, where the class has one and it exists.
    public var primaryKeyProperty: Property? {
        primaryKey.flatMap { property(named: $0) }
    }
}
