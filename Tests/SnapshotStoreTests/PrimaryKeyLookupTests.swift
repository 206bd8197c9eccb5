import Columns
import RealmJSON
import RealmModel
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct PrimaryKeyLookupTests {
    let fixture: StoreFixture
    init() throws { fixture = try StoreFixture() }

    /// The name of the person of a primary key.
    private func name(_ id: Int64, in info: SnapshotInfo) throws -> JSONValue? {
        let opened = try fixture.store.snapshots.open(info.id)
        return try ObjectJSON(opened.snapshot, from: opened.store)
            .object(primaryKey: .int(id), ofClass: "Person").flatMap { try JSONValue.parse($0)["name"] }
    }

    /// Waits for the index that a look-up has made in the background.
    private func waitForIndex() throws { try fixture.wait { try fixture.count("primary_key_page") == 2 } }

    @Test func `finds objects by an index that the first look-up makes`() throws {
        let info = try fixture.upload(500)
        #expect(try fixture.count("primary_key_page") == 0)
        // Without the index, perhaps, and then with it.
        for _ in 0..<2 {
            for id: Int64 in [0, 1, 99, 100, 250, 499] { #expect(try name(id, in: info) == .string("person \(id)")) }
            for id: Int64 in [-1, 500, .max] { #expect(try name(id, in: info) == nil) }
            try waitForIndex()
        }
    }

    @Test func `makes an index again that is not whole`() throws {
        let info = try fixture.upload(500)
        #expect(try name(7, in: info) == "person 7")
        try waitForIndex()
        _ = try fixture.pool.withConnection { try $0.execute("DELETE FROM primary_key_page") }
        // A look-up leaves it to a later one while the first index is not ended.
        try fixture.wait {
            #expect(try name(8, in: info) == "person 8")
            return try fixture.count("primary_key_page") == 2
        }
    }

    @Test func `goes through the column while another index is being made`() throws {
        let info = try fixture.upload(500)
        let isFree = try fixture.store.indexing.ifFree { () throws -> Void in
            #expect(try name(123, in: info) == "person 123")
            #expect(try name(500, in: info) == nil)
            #expect(try fixture.count("primary_key_page") == 0)
        }
        #expect(isFree)
    }

    @Test func `goes through the column where there is a single row group`() throws {
        let info = try fixture.upload(50)
        #expect(try name(49, in: info) == "person 49")
        #expect(try name(50, in: info) == nil)
        #expect(try fixture.count("primary_key_page") == 0)
    }

    @Test func `does not find an object that was deleted since the index was made`() throws {
        let first = try fixture.upload(500)
        #expect(try name(123, in: first) == "person 123")
        try waitForIndex()
        let changes = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        var snapshot = try fixture.store.snapshots.open(first.id).snapshot
        let reader = try ClassReader(snapshot.classes[0], store: changes.store)
        var groups = reader.rowGroups
        var deleted = Bitmap(repeating: false, count: groups[1].rowCount)
        deleted[23] = true
        groups[1].deleted = deleted
        snapshot.classes[0].rowGroups = try changes.store.write(segment: SnapshotCoding.encode(rowGroups: groups))
        snapshot.classes[0].objectCount -= 1
        let second = try changes.commit(snapshot, createdBy: .changes)
        #expect(try name(123, in: second) == nil)
        #expect(try name(124, in: second) == "person 124")
        #expect(try name(123, in: first) == "person 123")
        #expect(try fixture.count("primary_key_page") == 2)
    }

    @Test func `lets an index go with its column`() throws {
        let info = try fixture.upload(500)
        #expect(try name(3, in: info) == "person 3")
        try waitForIndex()
        try fixture.store.realms.delete("alice", in: "shop")
        try SnapshotStore(fixture.pool, maintenance: MaintenanceLimits(grace: .zero)).maintenance.sweep()
        #expect(try fixture.count("primary_key_page") == 0)
    }
}
