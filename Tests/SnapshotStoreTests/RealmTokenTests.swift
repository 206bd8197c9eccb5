import Foundation
import Postgres
import RealmModel
import Testing

@testable import SnapshotStore

/// Tokens in the database: they open until they are revoked, or their time, their key or their app is over.
@Suite struct RealmTokenTests {
    private let fixture: StoreFixture
    private let key: APIKey
    private var store: SnapshotStore { fixture.store }

    init() throws {
        fixture = try StoreFixture()
        key = try fixture.store.keys.create(named: "backend", scopes: [.read, .write], apps: .named(["shop"])).key
    }

    private func make(
        _ realms: [String] = ["ada"], by maker: APIKey? = nil, of app: String = "shop", life: Duration = .seconds(3600)
    ) throws -> (token: RealmToken, secret: String) {
        try store.tokens.create(
            by: (maker ?? key).id, for: try #require(RealmNames(realms)), of: app, scopes: [.read], life: life)
    }

    private func isValid(_ made: (token: RealmToken, secret: String)) throws -> Bool {
        let found = try store.tokens.find(authenticating: made.secret)
        #expect(found == nil || found == made.token)
        #expect(try store.keys.valid(among: [made.token.id]).isEmpty == (found == nil))
        return found != nil
    }

    @Test func `are kept as digests, and open until they are deleted`() throws {
        let made = try make(["ada", "team:"])
        #expect(made.token.realms.elements == ["ada", "team:"])
        #expect(made.token.makerName == "backend" && made.token.app == "shop" && made.token.scopes == [.read])
        #expect(made.secret.hasPrefix(RealmToken.mark) && made.secret.utf8.count == 68)
        #expect(try isValid(made))
        #expect(try store.tokens.find(authenticating: made.secret + "0") == nil)
        #expect(try store.keys.find(authenticating: made.secret) == nil)
        let stored = try fixture.pool.withConnection {
            try $0.query("SELECT t::text AS row FROM realm_token t")[0].value("row", as: String.self)
        }
        #expect(!stored.contains(made.secret.dropFirst(4)))
        try store.tokens.delete(made.token.id)
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.token, "\(made.token.id)")) { try store.tokens.delete(made.token.id) }
    }

    @Test func `end with their time, and are swept up`() throws {
        let (made, other) = (try make(), try make())
        try fixture.pool.withConnection {
            _ = try $0.execute(
                "UPDATE realm_token SET expires_at = now() WHERE realm_token_id = \(made.token.id)")
        }
        #expect(try !isValid(made) && isValid(other))
        #expect(try store.tokens.list(among: .made(by: key.id)).items == [other.token])
        #expect(try fixture.count("realm_token") == 2)
        try store.maintenance.sweep()
        #expect(try fixture.count("realm_token") == 1)
    }

    @Test func `end with the key that made them`() throws {
        let made = try make()
        try store.keys.delete(key.id)
        #expect(try !isValid(made))
        #expect(try fixture.count("realm_token") == 0)
        #expect(throws: StoreError.notFound(.apiKey, "\(key.id)")) { try make() }
    }

    @Test func `end when their key does, and are made for no longer`() throws {
        let later = try #require(Timestamp("2999-12-31T23:59:59Z"))
        let brief = try store.keys.create(named: "brief", scopes: [.read], apps: .all, expiresAt: later).key
        let made = try make(by: brief)
        func expire(_ interval: String) throws {
            try fixture.pool.withConnection {
                _ = try $0.execute(
                    "UPDATE api_key SET expires_at = now() + \(interval)::text::interval WHERE api_key_id = \(brief.id)"
                )
            }
        }
        try expire("10 minutes")
        let short = try make(by: brief).token
        #expect(short.expiresAt == (try store.keys.find(brief.id).expiresAt))
        #expect(try isValid(made))
        try expire("-1 seconds")
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.apiKey, "\(brief.id)")) { try make(by: brief) }
    }

    @Test func `end with their app, of which another of the name has none`() throws {
        let made = try make()
        try store.apps.delete("shop")
        _ = try store.apps.put("shop")
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.app, "none")) { try make(of: "none") }
    }

    @Test func `a realm that is made anew under its name is theirs again`() throws {
        try fixture.upload(to: "ada")
        let made = try make()
        try store.realms.delete("ada", in: "shop")
        let snapshot = try fixture.upload(to: "ada")
        #expect(try isValid(made))
        let place = try #require(try store.realms.place(ofSnapshot: snapshot.id))
        #expect(place == ("shop", "ada"))
    }

    @Test func `are as many as a key may have at a time, whoever asks at once`() throws {
        try fixture.pool.withConnection {
            _ = try $0.execute(
                """
                INSERT INTO realm_token (realm_token_id, api_key_id, app_id, hash, scopes, realms, expires_at)
                SELECT gen_random_uuid(), \(key.id), app_id, sha256(n::text::bytea), '{read}', '{ada}',
                    now() + CASE WHEN n < 5 THEN interval '0' ELSE interval '1 hour' END
                FROM app, generate_series(0, \(RealmToken.limit + 1)) AS n
                """)
        }
        // Those that have expired count no more: three are left.
        DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? make() }
        #expect(try fixture.count("realm_token") == RealmToken.limit + 5)
        #expect(throws: StoreError.tokensFull(limit: RealmToken.limit)) { try make() }
        let other = try store.keys.create(named: "other", scopes: [.read], apps: .all).key
        #expect(try isValid(make(by: other)))
    }

    @Test func `are listed as far as they may be seen`() throws {
        _ = try store.apps.put("zoo")
        let other = try store.keys.create(named: "other", scopes: [.read], apps: .all).key
        let made = try [make(), make(by: other), make(by: other, of: "zoo")].map(\.token)
        func list(_ visible: VisibleTokens) throws -> [RealmToken] {
            let pages = try allPages(1) { try store.tokens.list($0, among: visible) }
            for token in made {
                let found = try? store.tokens.find(token.id, among: visible)
                #expect((found != nil) == pages.flatMap(\.items).contains(token))
            }
            return pages.flatMap(\.items)
        }
        // Ids of one millisecond are in no order.
        #expect(try Set(list(.made(by: key.id))) == [made[0]])
        #expect(try Set(list(.made(by: other.id))) == Set(made[1...]))
        #expect(try Set(list(.of(.named(["shop"]), orMadeBy: key.id))) == Set(made[...1]))
        #expect(try Set(list(.of(.named(["none"]), orMadeBy: key.id))) == [made[0]])
        #expect(try list(.of(.all, orMadeBy: key.id)).count == 3)
    }

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
                    try store.realms.list(in: "shop", RealmFilter(among: among), $0)
                }
                #expect(realms.flatMap(\.items).map(\.realm.name) == expected)
                let found = try allPages(limit) {
                    try store.jobs.list(JobFilter(realms: VisibleRealms(app: "shop", names: among)), $0)
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
        }
        for elements in [["ada"], ["ada", "adam:", "zoe"]] {
            let among = try #require(RealmNames(elements))
            let before = try rowsRead()
            let realms = try store.realms.list(in: "shop", RealmFilter(among: among)).items
            let jobs = try store.jobs.list(JobFilter(realms: VisibleRealms(app: "shop", names: among))).items
            #expect(realms.map(\.realm.name) == ["ada"] && jobs.count == 1)
            #expect(realms[0].lastJob?.id == job.id)
            #expect(try rowsRead() - before < 50)
        }
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
