/// Realm's 64-bit key of an object, unique within its class for the life of the realm.
public struct ObjectKey: Hashable, Comparable, Sendable {
    /// The key as files store it; negative keys are tombstones and never reach a snapshot.
    public var value: Int64

    /// Wraps a stored key.
    public init(_ value: Int64) {
        self.value = value
    }

    /// Orders keys as Realm orders objects.
    public static func < (lhs: ObjectKey, rhs: ObjectKey) -> Bool { lhs.value < rhs.value }

    /// The key that Realm gives the object with a sequence number (REALM_FORMAT, section 15).
    ///
    /// Classes with a primary key use the number itself; others spread it so that 256 objects fill a cluster.
    public static func allocated(sequence: Int64, hasPrimaryKey: Bool) -> ObjectKey {
        guard !hasPrimaryKey else { return ObjectKey(sequence) }
        return ObjectKey((sequence & 0xff) | ((sequence & ~0xff) << 8))
    }

    /// The smallest sequence number whose key is behind another; nil where there is none.
    public static func sequence(after key: ObjectKey, hasPrimaryKey: Bool) -> Int64? {
        guard key.value < Int64.max - 1 else { return nil }
        guard !hasPrimaryKey else { return key.value + 1 }
        // All of the numbers of a cluster are below its own bits, so that rounding up may skip some.
        let sequence = ((key.value >> 16) << 8) + min((key.value & 0xffff) + 1, 256)
        return sequence < 1 << 55 ? sequence : nil
    }
}
