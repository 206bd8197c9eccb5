/// The two kinds of realms, which differ in what may change them.
public enum RealmKind: String, Hashable, Sendable, CaseIterable {
    /// A file of one device: migrations may do anything.
    case local
    /// A realm that clients of several versions share: additive changes only.
    case synced
}
