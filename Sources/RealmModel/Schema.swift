/// The classes of a realm.
public struct Schema: Hashable, Sendable {
    /// The classes, in the order they were declared or found.
    public var classes: [ObjectSchema] {
        @inlinable _read { yield list }
        // In place: observers would copy the list with each class that changes.
        @inlinable _modify {
            defer { forgetPlaces() }
            yield &list
        }
    }
    @usableFromInline var list: [ObjectSchema]
    private var places: NamePlaces

    /// Makes a schema of classes; nothing is checked, `validate` does that.
    public init(_ classes: [ObjectSchema] = []) {
        list = classes
        places = NamePlaces(count: classes.count)
    }

    @usableFromInline mutating func forgetPlaces() { places.forget(count: list.count) }

    /// The class of a name, compared bytewise as Realm does.
    public subscript(_ name: String) -> ObjectSchema? { index(of: name).map { classes[$0] } }

    /// The place in `classes` of the class of a name, compared bytewise as Realm does.
    public func index(of name: String) -> Int? { places.place(of: name, in: classes, by: \.name) }

    /// Whether both have the same classes in the same order.
    public static func == (lhs: Schema, rhs: Schema) -> Bool { lhs.classes == rhs.classes }

    /// Hashes the classes.
    public func hash(into hasher: inout Hasher) { hasher.combine(classes) }
}
