import RealmModel

/// The differences between two snapshots of a realm in the objects of one class.
public struct ClassDifference: Hashable, Sendable {
    /// The class.
    public var className: String
    /// Objects that the first snapshot has not.
    public var added = 0
    /// Objects that the second snapshot has not.
    public var removed = 0
    /// Objects of both of which a property differs.
    public var changed = 0
    /// The properties of both snapshots of which a value differs, in the order of the second's.
    public var properties: [PropertyDifference] = []

    /// Describes a class of which nothing differs.
    public init(_ className: String) { self.className = className }

    /// A class that is gone with all its objects.
    static func gone(_ className: String, _ objectCount: Int) -> ClassDifference {
        var difference = ClassDifference(className)
        difference.removed = objectCount
        return difference
    }

    /// Whether no object differs.
    public var isEmpty: Bool { added == 0 && removed == 0 && changed == 0 }
}

/// The differences in one property, among the objects that both snapshots have.
public struct PropertyDifference: Hashable, Sendable {
    /// The property's name in the store.
    public var name: String
    /// The name that it had in the first snapshot: another one where it was renamed.
    public var oldName: String
    /// Objects whose value differs.
    public var changed: Int
    /// Those among them whose value is null now.
    public var toNull: Int
    /// Describes a property.
    ///
    /// - Parameter oldName: nil where it was the same.
    public init(_ name: String, was oldName: String? = nil, changed: Int = 0, toNull: Int = 0) {
        self.name = name
        self.oldName = oldName ?? name
        self.changed = changed
        self.toNull = toNull
    }
}

/// An object that differs between two snapshots of a realm.
public struct ObjectDifference: Hashable, Sendable {
    /// Its object key.
    public var key: Int64
    /// How it differs.
    public var kind: Kind

    /// How an object differs.
    public enum Kind: Hashable, Sendable {
        /// The second snapshot alone has it.
        case added
        /// The first snapshot alone has it.
        case removed
        /// A property that both snapshots have differs.
        case changed
    }

    /// Describes an object.
    public init(key: Int64, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }
}
