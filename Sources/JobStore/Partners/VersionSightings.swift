import SnapshotStore
import Threads

/// Which versions this process has told of lately, so that not every request asks the database.
final class VersionSightings: Sendable {
    private struct Sighting: Hashable {
        let realm: RealmIdentity
        let version: UInt64
    }

    private static let interval = Duration.seconds(1)
    private static let mostRemembered = 10_000
    private let last = Mutex<[Sighting: ContinuousClock.Instant]>([:])

    /// Whether it is time to tell again.
    func isNew(_ version: UInt64, of realm: RealmIdentity) -> Bool {
        last.withLock { last in
            let now = ContinuousClock.now
            let sighting = Sighting(realm: realm, version: version)
            if let seen = last[sighting], now - seen < Self.interval { return false }
            if last.count >= Self.mostRemembered { last = last.filter { now - $0.value < Self.interval } }
            last[sighting] = now
            return true
        }
    }
}
