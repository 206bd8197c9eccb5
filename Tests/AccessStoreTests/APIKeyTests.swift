import AccessStore
import Foundation
import Postgres
import RealmModel
import StoreCore
import TestStores
import Testing

@Suite struct APIKeyTests {
    private let fixture: StoreFixture
    private var access: AccessStore { fixture.access }

    init() throws { fixture = try StoreFixture() }

    @Test func `are none that permit nothing`() throws {
        #expect(throws: PostgresError.self) { try access.keys.create(named: "none", scopes: [], apps: .all) }
        #expect(throws: PostgresError.self) {
            try access.keys.create(named: "nowhere", scopes: [.read], apps: .named([]))
        }
    }

    @Test func `open until their time is over`() throws {
        let later = try #require(Timestamp("2999-12-31T23:59:59.000001Z"))
        let made = try access.keys.create(named: "guest", scopes: [.read], apps: .all, expiresAt: later)
        #expect(made.key.expiresAt == later)
        #expect(try access.keys.find(authenticating: made.secret) == made.key)
        try fixture.pool.withConnection {
            _ = try $0.execute("UPDATE api_key SET expires_at = now() - interval '1 microsecond'")
        }
        #expect(try access.keys.find(authenticating: made.secret) == nil)
        #expect(try access.keys.find(made.key.id).name == "guest")
    }

    @Test func `are listed of some apps and of no other`() throws {
        for apps: VisibleApps in [.all, .named(["shop"]), .named(["notes", "shop"]), .named(["zoo"])] {
            _ = try access.keys.create(named: "key", scopes: [.read], apps: apps)
        }
        #expect(try access.keys.list(within: .all).items.count == 4)
        let found = try access.keys.list(within: .named(["notes", "shop"])).items.map(\.apps)
        #expect(found.count == 2 && Set(found) == [.named(["shop"]), .named(["notes", "shop"])])
    }

    @Test func `open until they are deleted`() throws {
        let made = try access.keys.create(named: "laptop", scopes: [.read, .migrate], apps: .named(["shop", "notes"]))
        #expect(made.key.scopes == [.read, .migrate])
        #expect(made.key.apps == .named(["notes", "shop"]))
        #expect(try access.keys.find(authenticating: made.secret) == made.key)
        #expect(try access.keys.find(authenticating: made.secret + "0") == nil)
        #expect(try access.keys.list().items == [made.key])
        let stored = try fixture.pool.withConnection {
            try $0.query("SELECT encode(hash, 'hex') AS hash FROM api_key")[0].value("hash", as: String.self)
        }
        #expect(!made.secret.contains(stored))
        try access.keys.delete(made.key.id)
        #expect(try access.keys.find(authenticating: made.secret) == nil)
        #expect(throws: StoreError.notFound(.apiKey, made.key.id.description)) { try access.keys.delete(made.key.id) }
    }
}
