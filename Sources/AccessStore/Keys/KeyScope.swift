/// A permission of a key; the raw value is the API's.
///
/// None includes another, but for `device`, which the first three include together.
public enum KeyScope: String, Hashable, Sendable, CaseIterable {
    /// To see what there is.
    case read
    /// To make, change and remove realms, snapshots and declarations.
    case write
    /// To start, cancel and retry jobs.
    case migrate
    /// To act on the whole service: to remove apps, and keys.
    case admin
    /// To have a realm migrated to a declared version: to upload it, start the migration, wait for it and take the result.
    case device

    /// Those that permit everything.
    public static let administrator: Set<KeyScope> = [.read, .write, .migrate, .admin]
}
