import RealmModel

/// The difference in one object between two realms.
public struct ObjectChange: Hashable, Sendable {
    /// In which of the realms the object is, and how it differs.
    public enum Kind: Hashable, Sendable {
        /// In both, with properties that differ; at least one.
        case changed([PropertyChange])
        /// In the first alone.
        case removed
        /// In the second alone.
        case added
    }

    /// A property that differs, by its public name, and its values as Realm JSON.
    public struct PropertyChange: Hashable, Sendable {
        /// The public name.
        public let name: String
        /// The value in the first realm.
        public let from: [UInt8]
        /// The value in the second realm.
        public let to: [UInt8]
    }

    /// The text of links to the object in Realm JSON: its primary key, or its object key.
    public let key: [UInt8]
    /// The kind of the difference.
    public let kind: Kind
}

/// How many objects of a class differ.
public struct ObjectChangeCounts: Hashable, Sendable {
    /// How objects of two realms are found to be the same one.
    public enum Identity: String, Hashable, Sendable {
        /// The primary key, where both realms give the class the same.
        case primaryKey
        /// The object key that Realm gave.
        case objectKey
    }

    /// How the class's objects were found in the other realm.
    public let identity: Identity
    /// Objects in both realms that differ.
    public internal(set) var changed = 0
    /// Objects in the first realm alone.
    public internal(set) var removed = 0
    /// Objects in the second realm alone.
    public internal(set) var added = 0

    /// Whether any object differs.
    public var differ: Bool { changed + removed + added > 0 }

    init(_ identity: Identity) { self.identity = identity }

    mutating func count(_ kind: ObjectChange.Kind) {
        switch kind {
        case .changed: changed += 1
        case .removed: removed += 1
        case .added: added += 1
        }
    }
}
