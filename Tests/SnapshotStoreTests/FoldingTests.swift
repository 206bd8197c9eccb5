import Columns
import Foundation
import Postgres
import RealmJSON
import RealmModel
import RealmSync
import StoreCore
import TestStores
import Testing
import Threads

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

    @Test func `has changes in the making go on where they can be made of what it left`() throws {
        try change([7: "seven", 900: "new"])
        let draft = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
        let application = ChangeApplication(to: try #require(draft.current).snapshot, in: draft.store)
        var batch = ChangeBatch()
        batch.upserts = [7, 8, 901].map {
            ChangeBatch.Upsert(
                classIndex: 0, primaryKey: .int($0), members: [.init(property: 1, value: .value(.string("n\($0)")))])
        }
        batch.deletes = [ChangeBatch.Delete(classIndex: 0, primaryKey: .int(900))]
        _ = try application.apply(batch)
        let (snapshot, delta) = try application.finish()
        #expect(try fixture.store.maintenance.foldPatches(atLeast: 1))
        let info = try draft.commit(snapshot, delta: delta, rebasing: application.finished(on:))
        #expect(try patches(info.id).map(\.changedCount) == [2] && info.objectCounts.map(\.count) == [501])
        for (id, expected): (Int64, String?) in [(7, "n7"), (8, "n8"), (900, nil), (901, "n901"), (9, "person 9")] {
            #expect(try name(id, in: info.id) == expected, "\(id)")
        }
        // A snapshot that another client made is another matter.
        let late = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
        let again = ChangeApplication(to: try #require(late.current).snapshot, in: late.store)
        _ = try again.apply(batch)
        let second = try again.finish()
        try change([10: "ten"])
        #expect(throws: StoreError.realmChanged) {
            try late.commit(second.snapshot, delta: second.delta, rebasing: again.finished(on:))
        }
    }

    @Test func `says how many bytes the snapshot takes then`() throws {
        let info = try change([7: "seven", 900: "new"])
        _ = try fixture.store.maintenance.foldPatches(atLeast: 1)
        let folded = try fixture.store.snapshots.find(info.id)
        let same = try change([:])
        #expect(same.parent == info.id && folded.storedBytes == same.storedBytes)
        #expect(folded.storedBytes != info.storedBytes)
    }

    /// The index of primary keys that a fold leaves is the one that a look-up would make.
    @Test func `leaves an index of the primary keys where it adds objects`() throws {
        func pages() throws -> [[UInt8]] {
            let current = try #require(try fixture.store.realms.find("team", in: "shop").currentSnapshot)
            let opened = try fixture.store.snapshots.open(current)
            guard case .segments(let column) = opened.snapshot.classes[0].columns[0] else { return [] }
            return try fixture.pool.withConnection { connection in
                try connection.query(
                    """
                    SELECT bytes FROM primary_key_page WHERE batch_id = \(column.batch) AND ordinal = \(column.ordinal)
                    ORDER BY run, first_hash
                    """
                ).map { try $0.value("bytes", as: PostgresBytes.self).bytes }
            }
        }
        for round in 0..<3 {
            let base = Int64(1000 * (round + 1))
            let info = try change(
                Dictionary(uniqueKeysWithValues: (0..<300).map { (base + $0, "m\($0)") }), deleting: [Int64(round)])
            #expect(try fixture.store.maintenance.foldPatches(atLeast: 1))
            let made = try pages()
            #expect(!made.isEmpty)
            _ = try fixture.pool.withConnection { try $0.execute("DELETE FROM primary_key_page") }
            #expect(try name(base + 299, in: info.id) == "m299")
            try fixture.wait { try pages().count == made.count }
            #expect(try pages() == made, "round \(round)")
            #expect(try name(Int64(round), in: info.id) == nil && name(499, in: info.id) == "person 499")
        }
    }

    @Test func `takes whole runs of an index from another one`() throws {
        let store = PostgresSegmentStore(
            fixture.store, appID: try fixture.store.realms.find("team", in: "shop").appID,
            realmID: try fixture.store.realms.find("team", in: "shop").id, owner: .draft)
        let segment = try store.write(ColumnArray(count: 2, values: .int([1, 5])))
        let (old, new) = (try store.write(column: [segment]), try store.write(column: [segment, segment]))
        try store.flush()
        let (from, to) = (PrimaryKeyPages(of: old, in: store), PrimaryKeyPages(of: new, in: store))
        func page(_ run: Int) throws -> [PrimaryKeyPage] {
            var (writer, pages) = (PrimaryKeyIndexWriter(), [PrimaryKeyPage]())
            try writer.append(ColumnArray(count: 1, values: .int([Int64(run)]))) { pages += $0 }
            try writer.finish { pages += $0 }
            for index in pages.indices { pages[index].run = run }
            return pages
        }
        try from.write(page(0))
        try from.write(page(1))
        #expect(try !to.copy(runs: 3, from: from) && to.run(0) == nil)
        #expect(try to.copy(runs: 1, from: from) && to.run(1) == nil)
        #expect(try to.run(0) == from.run(0) && to.run(0)?.count == 1)
    }

    /// Two clients write, each objects of its own, while maintenance folds without a pause.
    @Test func `loses nothing that clients were told is kept, whenever maintenance folds`() throws {
        let state = Mutex((isWriting: true, failures: [String](), folds: 0))
        let expected = Mutex(Dictionary(uniqueKeysWithValues: (0..<500).map { (Int64($0), "person \($0)") }))
        let folding = ThreadGroup()
        folding.start("folding") { [maintenance = fixture.store.maintenance] in
            do {
                while state.withLock({ $0.isWriting }) {
                    if try maintenance.foldPatches(atLeast: 1) { state.withLock { $0.folds += 1 } }
                }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
        }
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            do {
                for step in 0..<40 {
                    let (upserts, gone) = Self.batch(step, of: number)
                    try changeAtLast(upserts, deleting: gone)
                    expected.withLock { model in
                        model.merge(upserts) { $1 }
                        for id in gone { model[id] = nil }
                    }
                }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
        }
        state.withLock { $0.isWriting = false }
        #expect(folding.wait(timeout: .seconds(60)))
        #expect(state.withLock { $0.failures } == [])
        #expect(state.withLock { $0.folds } > 0)
        let opened = try fixture.store.snapshots.openCurrent(of: "team", in: "shop")
        let objects = try ObjectJSON(opened.snapshot, from: opened.store).objects(ofClass: "Person", limit: 5000) ?? []
        var found: [Int64: String] = [:]
        for object in objects {
            let json = try JSONValue.parse(object.bytes)
            found[try #require(json["_id"]?.int)] = json["name"]?.string
        }
        #expect(found == expected.withLock { $0 } && found.count == objects.count)
        #expect(opened.info.objectCounts.map(\.count) == [found.count])
    }

    /// Objects of a writer that are made, changed and deleted: those that were there, too.
    private static func batch(_ step: Int, of writer: Int) -> (upserts: [Int64: String], gone: [Int64]) {
        let own = Int64(1000 + writer * 1000)
        let others = (0..<3).map { Int64((step * 11 + $0) * 2 % 500 + writer) }
        let ids = (0..<5).map { own + Int64((step * 7 + $0 * 3) % 60) } + others
        let upserts = Dictionary(ids.map { ($0, "w\(writer) \(step)") }, uniquingKeysWith: { $1 })
        return (upserts, step.isMultiple(of: 3) ? [own + Int64(step * 5 % 60), Int64(step * 2 + writer)] : [])
    }

    /// A batch, as the service makes it: on what maintenance left where that is all that happened, else anew.
    private func changeAtLast(_ names: [Int64: String], deleting gone: [Int64]) throws {
        for _ in 0..<500 {
            let draft = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
            defer { draft.cancel() }
            let application = ChangeApplication(to: try #require(draft.current).snapshot, in: draft.store)
            var batch = ChangeBatch()
            batch.upserts = names.map {
                ChangeBatch.Upsert(
                    classIndex: 0, primaryKey: .int($0.key),
                    members: [.init(property: 1, value: .value(.string($0.value)))])
            }
            batch.deletes = gone.map { ChangeBatch.Delete(classIndex: 0, primaryKey: .int($0)) }
            _ = try application.apply(batch)
            let (snapshot, delta) = try application.finish()
            do {
                _ = try draft.commit(snapshot, delta: delta, rebasing: application.finished(on:))
                return
            } catch StoreError.realmChanged {
                continue
            }
        }
        Issue.record("a batch was never faster than the others")
    }

    @Test func `folds a realm where no other process does`() throws {
        func others(haveItFor seconds: Int) throws {
            try fixture.store.pool.withConnection { connection in
                _ = try connection.execute(
                    "UPDATE realm SET folding_until = now() + \(seconds) * interval '1 second' WHERE name = 'team'")
            }
        }
        let folded = try change([7: "seven"])
        try others(haveItFor: 60)
        #expect(try !fixture.store.maintenance.foldPatches(atLeast: 1))
        #expect(try !fixture.store.maintenance.fold("team", in: "shop"))
        #expect(try !patches(folded.id).isEmpty)
        try others(haveItFor: -1)
        // A turn is over with the fold.
        for text in ["eight", "nine"] {
            #expect(try fixture.store.maintenance.foldPatches(atLeast: 1))
            #expect(try !fixture.store.maintenance.foldPatches(atLeast: 1))
            try change([7: text])
        }
    }

    @Test(arguments: [2, 4]) func `of many that fold a realm, one does it`(count: Int) throws {
        try change(Dictionary(uniqueKeysWithValues: (0..<400).map { (Int64($0), "changed") }))
        let done = Mutex((folds: 0, failures: [String]()))
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            do {
                if try fixture.store.maintenance.fold("team", in: "shop") { done.withLock { $0.folds += 1 } }
            } catch {
                done.withLock { $0.failures.append("\(error)") }
            }
        }
        #expect(done.withLock { $0.folds } == 1 && done.withLock { $0.failures } == [])
        // Nothing was written by the others.
        let batches = try fixture.store.pool.withConnection { connection in
            try connection.query("SELECT count(*)::int AS count FROM segment_batch WHERE state <> 'committed'")
        }
        #expect(try batches.first?.value("count", as: Int.self) == 0)
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
