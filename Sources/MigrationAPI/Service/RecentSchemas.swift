import RealmModel
import SnapshotStore
import StoreCore
import Threads

/// The schemas that realms of some apps had a moment ago: an editor that has a declaration checked while somebody types asks again and
/// again, and finding them counts the realms of the app and opens one of each version.
final class RecentSchemas: Sendable {
    private struct Place: Hashable {
        var app: UUID
        var version: UInt64
    }

    private struct Entry {
        var known: KnownSchemas
        var at: ContinuousClock.Instant
    }

    private static let age = Duration.seconds(30)
    private static let mostEntries = 32
    private let entries = Mutex<[Place: Entry]>([:])

    /// The schemas that are declared, and those of realms as of half a minute ago at most.
    func known(before version: UInt64, of app: App, in store: SnapshotStore) throws -> KnownSchemas {
        let place = Place(app: app.id, version: version)
        let now = ContinuousClock.now
        if let entry = entries.withLock({ $0[place] }), now - entry.at < Self.age {
            return try KnownSchemas(entry.known, of: app.name, in: store)
        }
        let known = try KnownSchemas(before: version, of: app.name, in: store)
        entries.withLock { entries in
            entries = entries.filter { now - $0.value.at < Self.age }
            if entries.count >= Self.mostEntries { entries.removeAll() }
            entries[place] = Entry(known: known, at: now)
        }
        return known
    }
}
