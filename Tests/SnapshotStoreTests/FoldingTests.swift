import Columns
import RealmJSON
import RealmModel
import RealmSync
import Testing

@testable import SnapshotStore

/// Patches of a synced realm are folded into its row groups while it changes.
@Suite struct FoldingTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        _ = try fixture.store.realms.put("team", in: "shop", kind: .synced)
        let draft = try fixture.store.snapshots.beginDraft(of: "team", in: "shop")
        var snapshot = try StoreFixture.persons(500, into: draft.store)
        snapshot.declared.classes[0] = Self.person
        snapshot.classes[0].schema = Self.person
        _ = try draft.commit(snapshot)
    }

    private static let person = ObjectSchema(
        "Person", primaryKey: "_id", properties: [Property("_id", .int), Property("name", .string)])

    @discardableResult
    private func change(_ names: [Int64: String], deleting gone: [Int64] = []) throws -> SnapshotInfo {
        let draft = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
        return try commit(names, deleting: gone, to: draft)
    }

    private func commit(
        _ names: [Int64: String], deleting gone: [Int64] = [], to draft: ChangeDraft
    ) throws -> SnapshotInfo {
        let application = ChangeApplication(to: try #require(draft.current).snapshot, in: draft.store)
        var batch = ChangeBatch()
        batch.upserts = names.sorted { $0.key < $1.key }.map {
            ChangeBatch.Upsert(
                classIndex: 0, primaryKey: .int($0.key), members: [.init(property: 1, value: .value(.string($0.value)))]
            )
        }
        batch.deletes = gone.map { ChangeBatch.Delete(classIndex: 0, primaryKey: .int($0)) }
        _ = try application.apply(batch)
        let (snapshot, delta) = try application.finish()
        return try draft.commit(snapshot, delta: delta)
    }

    private func name(_ id: Int64, in snapshot: RealmModel.UUID) throws -> String? {
        let opened = try fixture.store.snapshots.open(snapshot)
        let found = try ObjectJSON(opened.snapshot, from: opened.store).object(primaryKey: .int(id), ofClass: "Person")
        return try found.flatMap { try JSONValue.parse($0)["name"]?.string }
    }

    private func patches(_ snapshot: RealmModel.UUID) throws -> [Patch] {
        try fixture.store.snapshots.open(snapshot).snapshot.classes[0].patches
    }

    @Test func `keeps the snapshot, and its contents`() throws {
        let first = try change([7: "seven", 900: "new"], deleting: [8])
        let second = try change([7: "more", 450: "x", 901: "newer"], deleting: [900])
        #expect(try !patches(second.id).isEmpty)
        #expect(try fixture.store.maintenance.foldPatches(atLeast: 1))
        #expect(try fixture.store.realms.find("team", in: "shop").currentSnapshot == second.id)
        #expect(try patches(second.id).isEmpty && !patches(first.id).isEmpty)
        for (id, expected): (Int64, String?) in [
            (7, "more"), (8, nil), (450, "x"), (900, nil), (901, "newer"), (9, "person 9"),
        ] {
            #expect(try name(id, in: second.id) == expected, "\(id)")
        }
        // The snapshot before has what it had.
        #expect(try name(7, in: first.id) == "seven" && name(900, in: first.id) == "new")
        #expect(try !fixture.store.maintenance.foldPatches(atLeast: 1))
    }

    @Test func `goes on with changes that came meanwhile, and has the ones in the making begin again`() throws {
        try change([7: "seven"])
        let inTheMaking = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
        #expect(try fixture.store.maintenance.foldPatches(atLeast: 1))
        #expect(throws: StoreError.realmChanged) { try commit([7: "eight"], to: inTheMaking) }
        let after = try change([7: "eight", 300: "y"])
        #expect(try patches(after.id).map(\.changedCount) == [2])
        #expect(try name(7, in: after.id) == "eight" && name(300, in: after.id) == "y")
    }

    @Test func `leaves nothing that is named by nobody, and removes nothing that is`() throws {
        let first = try change([7: "seven", 900: "new"])
        _ = try fixture.store.maintenance.foldPatches(atLeast: 1)
        let second = try change([8: "eight"])
        _ = try fixture.store.maintenance.foldPatches(atLeast: 1)
        try SnapshotStore(fixture.pool, maintenance: MaintenanceLimits(grace: .zero)).maintenance.sweep()
        #expect(try name(7, in: first.id) == "seven" && name(8, in: first.id) == "person 8")
        #expect(try name(8, in: second.id) == "eight" && name(900, in: second.id) == "new")
    }

    @Test func `finds objects by primary key through patches and many at once`() throws {
        let ids = (0..<40).map { Int64($0 * 12) }
        let info = try change(Dictionary(uniqueKeysWithValues: ids.map { ($0, "n\($0)") }))
        for id in ids { #expect(try name(id, in: info.id) == "n\(id)") }
        let more = try change(Dictionary(uniqueKeysWithValues: (1000..<1040).map { (Int64($0), "m\($0)") }))
        let again = try change(Dictionary(uniqueKeysWithValues: (1000..<1040).map { (Int64($0), "k\($0)") }))
        #expect(more.objectCounts == again.objectCounts)
        for id in Int64(1000)..<1040 { #expect(try name(id, in: again.id) == "k\(id)") }
    }
}
