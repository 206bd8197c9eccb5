/// The text formats of realms.
public enum RealmTextFormat: String, Hashable, Sendable, CaseIterable {
    /// One document, `{"schemaVersion", "schema", "objects"}`.
    case json
    /// A line `{"schemaVersion", "schema"}`, then a line `{"class", "object"}` an object.
    case ndjson
}
