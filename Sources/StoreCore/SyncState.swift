/// Whether clients read and write a synced realm.
public enum SyncState: String, Hashable, Sendable, CaseIterable {
    /// They do.
    case enabled
    /// They do not, because more objects are unsynced than the limit permits: until fewer are, or sync was terminated
    /// and enabled again.
    case terminateRequired
    /// They do not, until sync is enabled again.
    case terminated
}
