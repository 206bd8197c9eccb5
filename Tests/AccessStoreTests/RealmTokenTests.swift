import AccessStore
import Foundation
import Postgres
import RealmModel
import SnapshotStore
import StoreCore
import TestStores
import Testing

/// Tokens in the database: they open until they are revoked, or their time, their key or their app is over.
@Suite struct RealmTokenTests {
    private let fixture: StoreFixture
    private let key: APIKey
    private var store: SnapshotStore { fixture.store }
    private var access: AccessStore { fixture.access }

    init() throws {
        fixture = try StoreFixture()
        key = try fixture.access.keys.create(named: "backend", scopes: [.read, .write], apps: .named(["shop"])).key
    }

    private func make(
        _ realms: [String] = ["ada"], by maker: APIKey? = nil, of app: String = "shop", life: Duration = .seconds(3600)
    ) throws -> (token: RealmToken, secret: String) {
        try access.tokens.create(
            by: (maker ?? key).id, for: try #require(RealmNames(realms)), of: app, scopes: [.read], life: life)
    }

    private func isValid(_ made: (token: RealmToken, secret: String)) throws -> Bool {
        let found = try access.tokens.find(authenticating: made.secret)
        #expect(found == nil || found == made.token)
        #expect(try access.keys.valid(among: [made.token.id]).isEmpty == (found == nil))
        return found != nil
    }

    @Test func `are kept as digests, and open until they are deleted`() throws {
        let made = try make(["ada", "team:"])
        #expect(made.token.realms.elements == ["ada", "team:"])
        #expect(made.token.makerName == "backend" && made.token.app == "shop" && made.token.scopes == [.read])
        #expect(made.secret.hasPrefix(RealmToken.mark) && made.secret.utf8.count == 68)
        #expect(try isValid(made))
        #expect(try access.tokens.find(authenticating: made.secret + "0") == nil)
        #expect(try access.keys.find(authenticating: made.secret) == nil)
        let stored = try fixture.pool.withConnection {
            try $0.query("SELECT t::text AS row FROM realm_token t")[0].value("row", as: String.self)
        }
        #expect(!stored.contains(made.secret.dropFirst(4)))
        try access.tokens.delete(made.token.id)
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.token, "\(made.token.id)")) { try access.tokens.delete(made.token.id) }
    }

    @Test func `end with their time, and are removed`() throws {
        let (made, other) = (try make(), try make())
        try fixture.pool.withConnection {
            _ = try $0.execute(
                "UPDATE realm_token SET expires_at = now() WHERE realm_token_id = \(made.token.id)")
        }
        #expect(try !isValid(made) && isValid(other))
        #expect(try access.tokens.list(among: .made(by: key.id)).items == [other.token])
        #expect(try fixture.count("realm_token") == 2)
        try access.tokens.removeExpired()
        #expect(try fixture.count("realm_token") == 1)
    }

    @Test func `end with the key that made them`() throws {
        let made = try make()
        try access.keys.delete(key.id)
        #expect(try !isValid(made))
        #expect(try fixture.count("realm_token") == 0)
        #expect(throws: StoreError.notFound(.apiKey, "\(key.id)")) { try make() }
    }

    @Test func `end when their key does, and are made for no longer`() throws {
        let later = try #require(Timestamp("2999-12-31T23:59:59Z"))
        let brief = try access.keys.create(named: "brief", scopes: [.read], apps: .all, expiresAt: later).key
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
        #expect(short.expiresAt == (try access.keys.find(brief.id).expiresAt))
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
        let place = try #require(try store.snapshots.place(of: snapshot.id))
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
        let other = try access.keys.create(named: "other", scopes: [.read], apps: .all).key
        #expect(try isValid(make(by: other)))
    }

    @Test func `are listed as far as they may be seen`() throws {
        _ = try store.apps.put("zoo")
        let other = try access.keys.create(named: "other", scopes: [.read], apps: .all).key
        let made = try [make(), make(by: other), make(by: other, of: "zoo")].map(\.token)
        func list(_ visible: VisibleTokens) throws -> [RealmToken] {
            let pages = try allPages(1) { try access.tokens.list($0, among: visible) }
            for token in made {
                let found = try? access.tokens.find(token.id, among: visible)
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
}
