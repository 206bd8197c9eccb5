import AccessStore
import Postgres
import RealmModel
import StoreCore
import TestStores
import Testing

/// Sessions in the database: they open what their key opens until they are ended, or their key or their time is over.
@Suite struct SessionTests {
    private let fixture: StoreFixture
    private let key: APIKey
    private var access: AccessStore { fixture.access }

    init() throws {
        fixture = try StoreFixture()
        key = try fixture.access.keys.create(named: "ada", scopes: [.read, .write], apps: .named(["shop"])).key
    }

    private func isValid(_ made: (id: RealmModel.UUID, secret: String)) throws -> Bool {
        let found = try access.sessions.find(authenticating: made.secret)
        #expect(found == nil || (found?.id == made.id && found?.key == key))
        #expect(try access.keys.valid(among: [made.id]).isEmpty == (found == nil))
        return found != nil
    }

    private func execute(_ statement: PostgresStatement) throws {
        _ = try fixture.pool.withConnection { try $0.execute(statement) }
    }

    @Test func `are kept as digests, and open until they are ended`() throws {
        let made = try access.sessions.create(for: key.id)
        #expect(made.secret.hasPrefix(Session.mark) && made.secret.utf8.count == 68)
        #expect(try isValid(made))
        #expect(try access.sessions.find(authenticating: made.secret + "0") == nil)
        #expect(try access.keys.find(authenticating: made.secret) == nil)
        let stored = try fixture.pool.withConnection {
            try $0.query("SELECT s::text AS row FROM session s")[0].value("row", as: String.self)
        }
        #expect(!stored.contains(made.secret.dropFirst(4)))
        try access.sessions.delete(made.id)
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.session, "\(made.id)")) { try access.sessions.delete(made.id) }
    }

    @Test func `end after twelve hours without use, and are removed`() throws {
        let (used, unused) = (try access.sessions.create(for: key.id), try access.sessions.create(for: key.id))
        try execute("UPDATE session SET used_at = now() - interval '11 hours'")
        #expect(try isValid(used))
        // Being used has begun its twelve hours anew.
        try execute("UPDATE session SET used_at = used_at - interval '2 hours'")
        #expect(try isValid(used) && !isValid(unused))
        try access.sessions.removeEnded()
        #expect(throws: StoreError.notFound(.session, "\(unused.id)")) { try access.sessions.delete(unused.id) }
        #expect(try isValid(used))
    }

    @Test func `end with their key`() throws {
        let made = try access.sessions.create(for: key.id)
        try execute("UPDATE api_key SET expires_at = now() WHERE api_key_id = \(key.id)")
        #expect(try !isValid(made))
        #expect(throws: StoreError.notFound(.apiKey, "\(key.id)")) { try access.sessions.create(for: key.id) }
        try access.keys.delete(key.id)
        #expect(throws: StoreError.notFound(.session, "\(made.id)")) { try access.sessions.delete(made.id) }
    }

    @Test func `are a hundred of a key at most, of which the one used longest ago ends`() throws {
        let first = try access.sessions.create(for: key.id)
        try execute("UPDATE session SET used_at = now() - interval '1 hour'")
        let others = try (1...Session.limit).map { _ in try access.sessions.create(for: key.id) }
        #expect(try !isValid(first))
        for other in others { #expect(try isValid(other)) }
    }
}
