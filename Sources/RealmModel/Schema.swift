/// The classes of a realm.
public struct Schema: Hashable, Sendable {
    /// The classes, in the order they were declared or found.
    public var classes: [ObjectSchema]

    /// Makes a schema of classes; nothing is checked, `validate` does that.
    public init(_ classes: [ObjectSchema] = []) {
        self.classes = classes
    }

    /// The class of a name, compared bytewise as Realm does.
    public subscript(_ name: String) -> ObjectSchema? {
        classes.first { $0.name.hasSameBytes(as: name) }
    }
}
