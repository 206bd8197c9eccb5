/// The type of a property's value, or of a collection's elements.
///
/// Realm's own set, in the names of Realm's JavaScript SDK.
public enum PropertyType: String, Hashable, Sendable, CaseIterable {
    case int
    case bool
    case float
    case double
    case string
    case data
    case date
    case decimal128
    case objectId
    case uuid
    case mixed
    /// A link to an object of a class, or an embedded object where the class is embedded.
    case object
    /// The objects that link to this one; computed, never stored.
    case linkingObjects
}

/// How many values a property holds.
public enum CollectionKind: String, Hashable, Sendable, CaseIterable {
    /// One value.
    case none
    case list
    case set
    case dictionary
}

/// The search index that a property asks for.
public enum PropertyIndex: Hashable, Sendable {
    case none
    case general
    case fullText
}
