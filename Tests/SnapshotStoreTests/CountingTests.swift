import Postgres
import RealmModel
import StoreCore
import TestRandomness
import TestStores
import Testing

@testable import SnapshotStore

/// Counts that are kept are held against counting everything.
@Suite struct CountingTests {
    private let fixture: StoreFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func run(_ script: String) throws {
        try fixture.pool.withConnection { try $0.execute(script: script) }
    }

    /// Counts in steps of some realms, until all is counted that was there before this moment.
    private func count() throws {
        try run("UPDATE snapshot_counting SET next_to = greatest(next_to, lowest_id(clock_timestamp()))")
        var round = CountingRound(SnapshotStore(fixture.pool, maintenance: MaintenanceLimits(portion: 3)))
        _ = try round.finish()
    }

    private func isRight(_ app: String = "shop") throws {
        let (versions, totals) = try fixture.pool.withConnection { connection in
            (
                try connection.query(
                    """
                    SELECT s.schema_version AS version, count(*) AS count
                    FROM app a JOIN realm r USING (app_id) JOIN snapshot s ON s.app_id = r.app_id AND s.snapshot_id = r.current_id
                    WHERE a.name = \(app) GROUP BY 1 ORDER BY 1 NULLS FIRST
                    """
                ).map {
                    [
                        try $0.optional("version", as: StoredVersion.self).map { "\($0.number)" } ?? "none",
                        "\(try $0.value("count", as: Int.self))",
                    ]
                },
                try connection.query(
                    """
                    SELECT count(*) AS snapshots, coalesce(sum(stored_bytes), 0)::bigint AS bytes
                    FROM app a JOIN snapshot s USING (app_id) WHERE a.name = \(app)
                    """)[0]
            )
        }
        let kept = try store.realms.versions(in: app).map { [$0.version.map { "\($0)" } ?? "none", "\($0.count)"] }
        #expect(kept == versions)
        let (snapshots, bytes): (Int, Int) = (try totals.value("snapshots"), try totals.value("bytes"))
        func refuses(_ quota: AppQuota) -> Bool {
            do {
                try store.apps.check(quota, of: app)
                return false
            } catch { return true }
        }
        // One more snapshot has to fit, and the bytes have to be fewer than the limit.
        #expect(!refuses(AppQuota(snapshots: snapshots + 1, bytes: bytes + 1)))
        #expect(refuses(AppQuota(snapshots: snapshots)))
        #expect(refuses(AppQuota(bytes: bytes)))
    }

    /// Gives the realms that are there another version, all at once; version 0 stands for none.
    private func replace(_ names: [String], version: UInt64) throws {
        let replacements = try names.compactMap { name in
            try store.realms.findIfThere(name, in: "shop").map { realm in
                var snapshot = try store.snapshots.openCurrent(of: realm.name, in: "shop").snapshot
                snapshot.schemaVersion = version == 0 ? nil : version
                return SnapshotStore.Snapshots.Replacement(realm: realm, snapshot: snapshot)
            }
        }
        try fixture.pool.transaction { connection in
            try connection.execute("SELECT FROM realm ORDER BY realm_id FOR UPDATE")
            try SnapshotStore.Snapshots.insert(replacements, origin: .upload, connection)
        }
    }

    @Test(arguments: 0..<12) func `are right after whatever happens`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let name = "r\(Int.random(in: 0..<6, using: &random))"
            let realm = try store.realms.findIfThere(name, in: "shop")
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: try fixture.upload(Int.random(in: 1..<4, using: &random), to: name)
            case 2:
                guard realm != nil else { continue }
                try run(
                    """
                    UPDATE snapshot SET schema_version = nullif(mod(stored_bytes, 4), 0) WHERE snapshot_id =
                        (SELECT current_id FROM realm WHERE name = '\(name)' AND is_uncounted)
                    """)
            case 3:
                guard realm != nil else { continue }
                let old = try store.snapshots.list(of: name, in: "shop").items.randomElement(using: &random)
                if let old { _ = try store.realms.restore(old.id, in: name, of: "shop") }
            case 4:
                guard realm != nil else { continue }
                let old = try store.snapshots.list(of: name, in: "shop").items.first { $0.id != realm?.currentSnapshot }
                if let old { try store.snapshots.delete(old.id) }
            case 5:
                if realm != nil { try store.realms.delete(name, in: "shop") }
            case 6: try run("UPDATE snapshot SET stored_bytes = stored_bytes + 7 WHERE mod(stored_bytes, 3) = 0")
            case 7: try replace(["r0", "r1", "r2", "r3"], version: UInt64.random(in: 0..<4, using: &random))
            default: try count()
            }
            try isRight()
        }
        // Transactions of other tests hold the count up.
        for _ in 0..<1_000 where try fixture.count("count_change") > 0 {
            try count()
            try isRight()
        }
        #expect(try fixture.count("count_change") == 0)
    }

    @Test func `take in a snapshot that comes late`() throws {
        let first = try fixture.upload()
        try count()
        try run(
            """
            INSERT INTO snapshot (app_id, snapshot_id, realm_id, created_by, manifest, object_counts, stored_bytes, column_batches,
                column_ordinals, segment_batches, segment_ordinals)
            SELECT app_id, lowest_id(now() - interval '1 hour'), realm_id, created_by, manifest, object_counts, 1000, column_batches,
                column_ordinals, segment_batches, segment_ordinals FROM snapshot WHERE snapshot_id = '\(first.id)'
            """)
        try isRight()
        try count()
        try isRight()
    }

    @Test func `do not pass a snapshot whose transaction is not over`() throws {
        let first = try fixture.upload()
        let other = try fixture.pool.connect()
        try other.execute(
            script: """
                BEGIN; INSERT INTO snapshot (app_id, snapshot_id, realm_id, created_by, manifest, object_counts, stored_bytes,
                    column_batches, column_ordinals, segment_batches, segment_ordinals)
                SELECT app_id, gen_random_uuid(), realm_id, created_by, manifest, object_counts, 1000, column_batches,
                    column_ordinals, segment_batches, segment_ordinals FROM snapshot WHERE snapshot_id = '\(first.id)'
                """)
        try run(
            "UPDATE snapshot_counting SET next_to = lowest_id('9999-01-01'), next_transaction = pg_current_xact_id()")
        var round = CountingRound(store)
        _ = try round.finish()
        try isRight()
        try other.execute(script: "COMMIT")
        try isRight()
        for _ in 0..<1_000 where try fixture.count("snapshot_count") == 0 {
            var next = CountingRound(store)
            _ = try next.finish()
            try isRight()
        }
        #expect(try fixture.count("snapshot_count") == 1)
    }

    @Test func `go with their app`() throws {
        try fixture.upload()
        try count()
        try store.apps.delete("shop")
        for table: StaticString in ["realm_count", "snapshot_count", "count_change"] {
            #expect(try fixture.count(table) == 0)
        }
    }
}
