import Problems
import RealmModel

/// Why a realm that its clients share is not migrated.
public enum SyncedRealmError: Error, Hashable, Sendable {
    /// It takes no script.
    case scriptNotAllowed
    /// It takes no change that breaks the clients that are there; each is named with its class and property.
    case breakingChange([ProblemItem])
}

extension ProblemDocument {
    /// The problem of a migration that a synced realm does not take.
    public init(_ error: SyncedRealmError) {
        switch error {
        case .scriptNotAllowed:
            self.init(422, "synced_script_not_allowed", "A synced realm takes no migration script.")
        case .breakingChange(let changes):
            self.init(
                422, "synced_breaking_change", "A synced realm takes no breaking change of its schema.",
                errors: changes)
        }
    }
}
