import RealmModel

/// An object of one side of an edit; it stays valid as long as that, or says that it was deleted.
public struct ObjectReference: Hashable, Sendable {
    /// The side that the object is read from.
    public var side: RealmSide
    /// The index of its class in the side's schema.
    public var classIndex: Int
    /// Its key.
    public var key: ObjectKey

    /// Refers to an object.
    public init(side: RealmSide, classIndex: Int, key: ObjectKey) {
        self.side = side
        self.classIndex = classIndex
        self.key = key
    }
}

/// The two realms of an edit.
public enum RealmSide: Hashable, Sendable {
    /// The realm as it was: its stored schema, read only.
    case old
    /// The realm as it will be.
    case new
}
