import RealmModel

/// An object of which the two sides do not hold the same, or whose functions do not lead back to it.
public struct PartnerFinding: Hashable, Sendable {
    /// The kind of a finding.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `backward(forward(x))` is not `x`, or a function fails for it.
        case violation
        /// The partner does not hold what `forward` gives.
        case divergence
    }

    /// The kind of the finding.
    public var kind: Kind
    /// The object's key in the class.
    public var key: Int64
    /// Its primary key there.
    public var primaryKey: Value
    /// Its values, of the properties that differ: a dictionary by name; null where a function fails.
    public var before: Value
    /// The values that come of it, likewise.
    public var after: Value
    /// Why a function fails for it; nil where none does.
    public var reason: String?

    /// Describes a finding.
    public init(
        kind: Kind, key: Int64, primaryKey: Value, before: Value = .null, after: Value = .null, reason: String? = nil
    ) {
        self.kind = kind
        self.key = key
        self.primaryKey = primaryKey
        self.before = before
        self.after = after
        self.reason = reason
    }
}

/// The effects of writing the other side, for the books that are kept of a partner.
public struct PartnerEffects: Hashable, Sendable {
    /// An object and its partner, by keys.
    public struct Pair: Hashable, Sendable {
        /// The object of the class.
        public var object: Int64
        /// Its partner.
        public var partner: Int64
    }

    /// Objects of the class whose findings were looked for: what was found before does not count any more.
    public var examined: Set<Int64> = []
    /// The findings about them.
    public var findings: [PartnerFinding] = []
    /// Those of which a side was written.
    public var pairs: [Pair] = []
    /// Objects whose partners hold what `forward` gives, and nothing that a client gave.
    public var forwarded: [Int64] = []
    /// The properties of partners that clients gave themselves, by the keys of the objects; while partners are being prepared.
    public var givenProperties: [Int64: Set<NameKey>] = [:]

    /// Nothing was written.
    public init() {}

    /// Objects of the class that have a partner now.
    public var written: Set<Int64> { Set(pairs.map(\.object)) }

    /// Forgets objects that were deleted: nothing of them is found any more, and nothing is to be noted.
    mutating func forget(_ keys: Set<Int64>) {
        guard !keys.isEmpty else { return }
        examined.formUnion(keys)
        findings.removeAll { keys.contains($0.key) }
        pairs.removeAll { keys.contains($0.object) }
        for key in keys { givenProperties[key] = nil }
    }

    /// Adds what came after it.
    public mutating func merge(_ later: PartnerEffects) {
        findings.removeAll { later.examined.contains($0.key) }
        findings += later.findings
        examined.formUnion(later.examined)
        pairs += later.pairs
        for key in later.forwarded { givenProperties[key] = nil }
        givenProperties.merge(later.givenProperties) { $0.union($1) }
        forwarded += later.forwarded
    }
}
