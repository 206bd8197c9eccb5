import Columns
import JobStore
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct SnapshotTests {
    let fixture: StoreFixture
    var store: SnapshotStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test(arguments: [0, 1, 99, 100, 101, 12_345])
    func `gives back what was uploaded`(_ count: Int) throws {
        let info = try fixture.upload(count)
        let opened = try store.snapshots.open(info.id)
        #expect(opened.info == info)
        #expect(info.objectCounts == [SnapshotInfo.ClassCount(className: "Person", count: count)])
        #expect((info.storedBytes > 0) == (count > 0))
        #expect(try StoreFixture.names(opened.snapshot, opened.store) == (0..<count).map { .string("person \($0)") })
    }

    @Test func `makes the realm and becomes its current snapshot`() throws {
        #expect(throws: StoreError.notFound(.realm, "alice")) { try store.realms.find("alice", in: "shop") }
        let first = try fixture.upload()
        let second = try fixture.upload()
        let realm = try store.realms.find("alice", in: "shop")
        #expect(realm.kind == .local)
        #expect(realm.currentSnapshot == second.id)
        #expect(first.parent == nil)
        #expect(second.parent == first.id)
    }

    @Test func `is found by its id, and in its app alone where that is named`() throws {
        let info = try fixture.upload()
        let other = try store.apps.put("zoo").app.id
        #expect(try store.snapshots.find(info.id) == info)
        #expect(try store.snapshots.find(info.id, in: info.appID) == info)
        #expect(try store.snapshots.open(info.id, in: info.appID).info == info)
        let missing = StoreError.notFound(.snapshot, "\(info.id)")
        #expect(throws: missing) { try store.snapshots.find(info.id, in: other) }
        #expect(throws: missing) { try store.snapshots.open(info.id, in: other) }
    }

    @Test func `leaves nothing where a draft is given up`() throws {
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        _ = try StoreFixture.persons(1000, into: draft.store)
        try draft.store.flush()
        draft.cancel()
        #expect(throws: StoreError.notFound(.realm, "alice")) { try store.realms.find("alice", in: "shop") }
        try store.maintenance.sweep()
        #expect(try fixture.count("segment") == 0)
        #expect(try fixture.count("segment_batch") == 0)
    }

    @Test(arguments: [1, 2, 5])
    func `is listed newest first, once each`(_ limit: Int) throws {
        let made = try (0..<5).map { try fixture.upload($0) }
        try fixture.upload(3, to: "bob")
        let pages = try allPages(limit) { try store.snapshots.list(of: "alice", in: "shop", $0) }
        #expect(pages.flatMap(\.items).map(\.id) == made.reversed().map(\.id))
    }

    @Test func `becomes current again by being restored`() throws {
        let first = try fixture.upload(1)
        try fixture.upload(2)
        let other = try fixture.upload(3, to: "bob")
        #expect(try store.realms.restore(first.id, in: "alice", of: "shop").currentSnapshot == first.id)
        #expect(try store.snapshots.find(first.id) == first)
        #expect(throws: StoreError.notFound(.snapshot, other.id.description)) {
            try store.realms.restore(other.id, in: "alice", of: "shop")
        }
        #expect(try fixture.upload(4).parent == first.id)
    }

    @Test func `is not replaced while the realm is being migrated`() throws {
        let source = try fixture.upload()
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        let job = try fixture.queueMigration(of: source)
        let active = StoreError.migrationActive(job: job.id)
        #expect(throws: active) { try draft.commit(try StoreFixture.persons(3, into: draft.store)) }
        #expect(throws: active) { try store.snapshots.beginDraft(of: "alice", in: "shop") }
        #expect(throws: active) { try store.realms.restore(source.id, in: "alice", of: "shop") }
        #expect(throws: active) {
            try fixture.queueMigration(of: source)
        }
        #expect(try store.realms.find("alice", in: "shop").currentSnapshot == source.id)
        _ = try fixture.jobs.cancel(job.id)
        try fixture.upload()
    }

    @Test func `is fenced off where another one came first, if that is asked for`() throws {
        try fixture.upload()
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        let snapshot = try StoreFixture.persons(3, into: draft.store)
        let meanwhile = try fixture.upload()
        #expect(throws: StoreError.realmChanged) {
            try draft.commit(snapshot, createdBy: .changes, onlyIfCurrent: true)
        }
        #expect(try draft.commit(snapshot).parent == meanwhile.id)
    }

    @Test func `make a realm again that was deleted since they began, whichever is first`() throws {
        try fixture.upload()
        let drafts = try (0..<2).map { _ in try store.snapshots.beginDraft(of: "alice", in: "shop") }
        let snapshots = try drafts.map { try StoreFixture.persons(3, into: $0.store) }
        try store.realms.delete("alice", in: "shop")
        let made = try zip(drafts, snapshots).map { try $0.commit($1) }
        #expect(made[1].parent == made[0].id)
        #expect(try store.realms.find("alice", in: "shop").currentSnapshot == made[1].id)
    }

    @Test func `may not name what is not stored`() throws {
        let draft = try store.snapshots.beginDraft(of: "alice", in: "shop")
        let elsewhere = try StoreFixture.persons(3, into: MemorySegmentStore())
        #expect(throws: StoreError.self) { try draft.commit(elsewhere) }
        #expect(throws: StoreError.notFound(.realm, "alice")) { try store.realms.find("alice", in: "shop") }
    }

    @Test func `of a synced realm stays synced`() throws {
        #expect(try store.realms.put("team", in: "shop", kind: .synced).isNew)
        #expect(throws: StoreError.realmKindInUse(.synced)) { try store.realms.put("team", in: "shop", kind: .local) }
        let schema = Schema([ObjectSchema("Note", primaryKey: "_id", properties: [Property("_id", .int)])])
        let draft = try store.snapshots.beginDraft(of: "team", in: "shop")
        _ = try draft.commit(
            Snapshot(schemaVersion: 1, declared: schema, classes: schema.classes.map { StoredClass(empty: $0) }))
        #expect(try store.realms.find("team", in: "shop").kind == .synced)
        let pages = try allPages(1) { try fixture.jobs.realms(in: "shop", RealmFilter(), $0) }
        #expect(pages.flatMap(\.items).map(\.realm.name) == ["team"])
    }
}
