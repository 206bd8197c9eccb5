import Postgres
import RealmModel
import StoreCore

/// Tells maintenance that somebody has been reading a realm's segments for long.
///
/// Maintenance leaves segments alone for its grace period after they became garbage, which covers short readers. One that
/// is at work for a quarter of it puts a row into `segment_reader`, and renews it, so that its realm is left alone.
final class ReaderPin {
    private let pool: PostgresPool
    private let appID: RealmModel.UUID
    private let realmID: RealmModel.UUID
    private let grace: Duration
    private let id = RealmModel.UUID.version7()
    private var renewedAt = ContinuousClock.now
    private var isPinned = false

    init(_ pool: PostgresPool, appID: RealmModel.UUID, realmID: RealmModel.UUID, grace: Duration) {
        self.pool = pool
        self.appID = appID
        self.realmID = realmID
        self.grace = grace
    }

    deinit {
        guard isPinned else { return }
        // Where this fails the row ends by itself.
        _ = try? pool.withConnection { connection in
            try connection.execute("DELETE FROM segment_reader WHERE app_id = \(appID) AND reader_id = \(id)")
        }
    }

    /// Called before every read; speaks to the database only where a quarter of the grace period is over.
    func renew() throws {
        let now = ContinuousClock.now
        guard now - renewedAt > grace / 4 else { return }
        let seconds = grace / .seconds(1)
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                INSERT INTO segment_reader (app_id, reader_id, realm_id, until)
                VALUES (\(appID), \(id), \(realmID), now() + \(seconds) * interval '1 second')
                ON CONFLICT (app_id, reader_id) DO UPDATE SET until = excluded.until
                """)
        }
        renewedAt = now
        isPinned = true
    }
}
