/// A permission of a key; the raw value is the API's.
///
/// None includes another.
public enum KeyScope: String, Hashable, Sendable, CaseIterable {
    /// To see what there is.
    case read
    /// To make, change and remove realms, snapshots and declarations.
    case write
    /// To start, cancel and retry jobs.
    case migrate
    /// To act on the whole service: to remove apps, and keys.
    case admin
}
