extension String {
    /// Whether both strings have the same bytes, as Realm compares them: no Unicode normalisation.
    public func hasSameBytes(as other: String) -> Bool {
        // Equal bytes are equal characters, and Swift's comparison is the fast one where the answer is no.
        self == other && utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes that `hasSameBytes` compares.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xff))
    }
}

/// The name of a class or property as the key of a dictionary, compared bytewise.
public struct NameKey: Hashable, Sendable {
    /// The name.
    public let name: String

    /// Wraps a name.
    public init(_ name: String) {
        self.name = name
    }

    /// Whether both names have the same bytes.
    public static func == (lhs: NameKey, rhs: NameKey) -> Bool { lhs.name.hasSameBytes(as: rhs.name) }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

extension Dictionary where Key == NameKey {
    /// The value of a name.
    public subscript(name name: String) -> Value? {
        get { self[NameKey(name)] }
        set { self[NameKey(name)] = newValue }
    }
}

extension Set where Element == NameKey {
    /// Adds a name; false where it is there already.
    public mutating func insert(name: String) -> Bool { insert(NameKey(name)).inserted }

    /// Whether a name is there.
    public func contains(name: String) -> Bool { contains(NameKey(name)) }
}

extension String? {
    /// Whether both are no name, or names of the same bytes.
    public func hasSameBytes(as other: String?) -> Bool { map(NameKey.init) == other.map(NameKey.init) }
}

extension Sequence {
    /// The elements in bytewise order of a name; those of one name stay in their order.
    public func sorted(byBytesOf name: (Element) -> String) -> [Element] {
        enumerated().sorted { lhs, rhs in
            Ordering(bytes: name(lhs.element).utf8, name(rhs.element).utf8)
                .then(Ordering(lhs.offset, rhs.offset)) == .ascending
        }.map { $0.element }
    }
}
