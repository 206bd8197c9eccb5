import RealmModel

/// An object of one side of a migration; it stays valid for the script's life, or says that it was deleted.
public struct ObjectReference: Hashable, Sendable {
    /// The side that the object is read from.
    public var side: MigrationSide
    /// The index of its class in the side's schema.
    public var classIndex: Int
    /// Its key.
    public var key: ObjectKey

    /// Refers to an object.
    public init(side: MigrationSide, classIndex: Int, key: ObjectKey) {
        self.side = side
        self.classIndex = classIndex
        self.key = key
    }
}

/// The two realms that a migration function sees.
public enum MigrationSide: Hashable, Sendable {
    /// The realm as it was: its stored schema, read only.
    case old
    /// The realm as it will be: the target schema.
    case new
}

/// A value as a script gives it, before it is known what the property takes.
public indirect enum ScriptInput: Sendable {
    case undefined
    case null
    case bool(Bool)
    /// A number without a fraction within ±(2^53−1), or a BigInt within 64 bits.
    case int(Int64)
    case double(Double)
    case string(String)
    case data([UInt8])
    case date(Timestamp)
    case decimal128(Decimal128)
    case objectId(ObjectId)
    case uuid(UUID)
    /// An object of the realm, of either side.
    case object(ObjectReference)
    case array([ScriptInput])
    /// A plain object, its members in their order.
    case members([(name: String, value: ScriptInput)])

    /// Whether the input is null; undefined is not.
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
