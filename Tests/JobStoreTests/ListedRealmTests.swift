import Foundation
import JobStore
import Postgres
import RealmModel
import SnapshotStore
import StoreCore
import TestStores
import Testing

/// Lists of some realms of an app, and of their jobs.
@Suite struct ListedRealmTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    @Test func `lists of realms and jobs have those that are named, each once`() throws {
        let names = ["ada", "adam", "bob", "team:", "team:1", "team:2", "team:2:x", "team;", "zoe"].filter {
            ResourceName.isValid($0, of: .realm)
        }
        let jobs = try names.map { try fixture.queueMigration(of: fixture.upload(to: $0)) }
        for elements in [["ada"], ["team:", "team:2:", "team:2"], ["zoe", "ada", "team:1"], ["none", "x-"]] {
            let among = try #require(RealmNames(elements))
            let expected = names.filter(among.contains)
            for limit in [1, 2, 100] {
                let realms = try allPages(limit) {
                    try fixture.jobs.realms(in: "shop", RealmFilter(among: among), $0)
                }
                #expect(realms.flatMap(\.items).map(\.realm.name) == expected)
                let found = try allPages(limit) {
                    try fixture.jobs.list(JobFilter(realms: VisibleRealms(app: "shop", names: among)), $0)
                }
                let ids = found.flatMap(\.items).map { item -> RealmModel.UUID? in
                    guard case .job(let job) = item else { return nil }
                    return job.id
                }
                #expect(ids == zip(names, jobs).filter { expected.contains($0.0) }.map(\.1.id).reversed())
            }
        }
    }

    @Test func `lists for one realm read its rows alone, however many others there are`() throws {
        let ada = try fixture.upload(to: "ada")
        let job = try fixture.queueMigration(of: ada)
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: """
                    INSERT INTO realm (app_id, realm_id, name, kind)
                        SELECT app_id, gen_random_uuid(), 'user-' || n, 'local' FROM app, generate_series(1, 5000) AS n;
                    INSERT INTO job SELECT (jsonb_populate_record(job, jsonb_build_object(
                            'job_id', gen_random_uuid(), 'realm_id', r.realm_id, 'realm_name', r.name))).*
                        FROM job, realm r WHERE r.name LIKE 'user-%';
                    INSERT INTO migration_job SELECT m.app_id, j.job_id, m.source_id, m.from_version, m.to_version, m.request
                        FROM job j, migration_job m WHERE j.job_id <> m.job_id;
                    ANALYZE realm; ANALYZE job; ANALYZE migration_job
                    """)
            // What this has read is counted before anything else.
            try connection.execute(script: "SELECT pg_stat_force_next_flush()")
        }
        for elements in [["ada"], ["ada", "adam:", "zoe"]] {
            let among = try #require(RealmNames(elements))
            let before = try rowsRead()
            let realms = try fixture.jobs.realms(in: "shop", RealmFilter(among: among)).items
            let jobs = try fixture.jobs.list(JobFilter(realms: VisibleRealms(app: "shop", names: among))).items
            #expect(realms.map(\.realm.name) == ["ada"] && jobs.count == 1)
            #expect(realms[0].lastJob?.id == job.id)
            #expect(try rowsRead() - before < 50)
        }
    }

    @Test func `what is far behind is found, by pages that end early`() throws {
        _ = try fixture.queueMigration(of: try fixture.upload(to: "ada"))
        _ = try fixture.jobs.store.realms.put("zz", in: "shop", kind: .synced)
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: """
                    INSERT INTO realm (app_id, realm_id, name, kind)
                        SELECT app_id, gen_random_uuid(), 'user-' || to_char(n, 'FM00000'), 'local' FROM app, generate_series(1, 25000) AS n;
                    INSERT INTO job SELECT (jsonb_populate_record(job, jsonb_build_object('job_id', gen_random_uuid(), 'state', 'failed',
                            'finished_at', now(), 'problem', jsonb_build_object('status', 422, 'code', 'x', 'detail', 'y'),
                            'realm_id', r.realm_id, 'realm_name', r.name))).*
                        FROM job, realm r WHERE r.name LIKE 'user-%0';
                    ANALYZE realm; ANALYZE job
                    """)
        }
        func found(_ filter: RealmFilter, by order: RealmOrder, _ limit: Int) throws -> (names: [String], pages: Int) {
            let pages = try allPages(limit) { try fixture.jobs.realms(in: "shop", filter, by: order, $0) }
            return (pages.flatMap(\.items).map(\.realm.name), pages.count)
        }
        let failed = (1...2500).map { "user-" + String(100_000 + $0 * 10).dropFirst() }
        for order in RealmOrder.allCases {
            let synced = try found(RealmFilter(kind: .synced), by: order, 100)
            #expect(synced.names == ["zz"] && synced.pages == 2)
            #expect(try found(RealmFilter(part: "25000"), by: order, 100).names == ["user-25000"])
            let ended = try found(RealmFilter(lastJob: [.failed]), by: order, 400).names
            #expect(Set(ended) == Set(failed) && ended.count == failed.count)
            if order == .name { #expect(ended == failed) }
            if order == .nameReversed { #expect(ended == failed.reversed()) }
        }
        #expect(try found(RealmFilter(lastJob: [.succeeded]), by: .name, 100).names.isEmpty)
        #expect(try found(RealmFilter(lastJob: [.queued]), by: .name, 100).names == ["ada"])
        let total = try fixture.jobs.realms(in: "shop", RealmFilter(), PageRequest(limit: 1, wantsTotal: true)).total
        #expect(total == ListTotal(found: 25_002) && total?.isExact == false)
    }

    /// Rows of realms and jobs that were read until now.
    private func rowsRead() throws -> Int {
        try fixture.pool.withConnection { try $0.execute(script: "SELECT pg_stat_force_next_flush()") }
        return try fixture.pool.withConnection {
            try $0.query(
                """
                SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS read FROM pg_stat_user_tables
                WHERE relname IN ('realm', 'job')
                """)[0].value("read")
        }
    }
}
