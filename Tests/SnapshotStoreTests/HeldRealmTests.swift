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

/// Who loses against others gets its turn: they wait for it, and nothing of either is lost.
@Suite struct HeldRealmTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        _ = try fixture.store.realms.put("team", in: "shop", kind: .synced)
        let draft = try fixture.store.snapshots.beginDraft(of: "team", in: "shop")
        var snapshot = try StoreFixture.persons(10, into: draft.store)
        let person = ObjectSchema(
            "Person", primaryKey: "_id", properties: [Property("_id", .int), Property("name", .string)])
        snapshot.declared.classes[0] = person
        snapshot.classes[0].schema = person
        _ = try draft.commit(snapshot)
    }

    private func rename(_ id: Int64, to name: String, in draft: ChangeDraft) throws -> SnapshotInfo {
        let application = ChangeApplication(to: try #require(draft.current).snapshot, in: draft.store)
        var batch = ChangeBatch()
        batch.upserts = [
            .init(classIndex: 0, primaryKey: .int(id), members: [.init(property: 1, value: .value(.string(name)))])
        ]
        _ = try application.apply(batch)
        let (snapshot, delta) = try application.finish()
        return try draft.commit(snapshot, delta: delta)
    }

    /// Somebody else's change, who is faster.
    private func overtake(_ name: String) throws {
        let draft = try fixture.store.snapshots.beginChanges(of: "team", in: "shop")
        _ = try rename(1, to: name, in: draft)
    }

    private func names() throws -> [Value] {
        let opened = try fixture.store.snapshots.openCurrent(of: "team", in: "shop")
        return try StoreFixture.names(opened.snapshot, opened.store)
    }

    @Test(arguments: [0, 1, 3])
    func `is done though others are always faster`(attempts: Int) throws {
        var tries: [Bool] = []
        let info = try fixture.store.snapshots.change("team", in: "shop", attempts: attempts) { draft in
            tries.append(draft.isHeld)
            if !draft.isHeld { try overtake("other \(tries.count)") }
            return try rename(2, to: "mine", in: draft)
        }
        #expect(tries == Array(repeating: false, count: attempts) + [true])
        #expect(try fixture.store.realms.find("team", in: "shop").currentSnapshot == info.id)
        #expect(try names()[2] == .string("mine"))
        #expect(try names()[1] == (attempts == 0 ? .string("person 1") : .string("other \(attempts)")))
    }

    @Test func `others wait while it is held, and go on on what it made`() throws {
        let order = Monitor([String]())
        let others = ThreadGroup()
        try fixture.store.snapshots.holding("team", in: "shop") { draft in
            others.start("other") { [self] in
                do {
                    try overtake("other")
                    order.change { $0.append("other") }
                } catch StoreError.realmChanged {
                    order.change { $0.append("overtaken") }
                } catch {
                    order.change { $0.append("\(error)") }
                }
            }
            // It stands in the queue of the realm's lock.
            let end = ContinuousClock.now + .seconds(20)
            while try waitingForLocks() == 0, order.withLock({ $0.isEmpty }), .now < end { usleep(1_000) }
            order.change { $0.append("held") }
            _ = try rename(2, to: "mine", in: draft)
        }
        #expect(order.wait(timeout: .seconds(20)) { $0.count == 2 })
        #expect(order.withLock { $0 } == ["held", "overtaken"])
        #expect(try names()[2] == .string("mine") && names()[1] == .string("person 1"))
    }

    private func waitingForLocks() throws -> Int {
        try fixture.pool.withConnection {
            try $0.query(
                """
                SELECT count(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)[0].value("n")
        }
    }

    @Test func `what fails while it is held leaves nothing, and lets go of it`() throws {
        let before = try fixture.store.realms.find("team", in: "shop").currentSnapshot
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try fixture.store.snapshots.holding("team", in: "shop") { draft in
                _ = try rename(2, to: "mine", in: draft)
                throw Failure()
            }
        }
        #expect(try fixture.store.realms.find("team", in: "shop").currentSnapshot == before)
        try overtake("other")
        #expect(try names()[1] == .string("other") && names()[2] == .string("person 2"))
    }

    @Test func `of all connections some are left to those that hold realms`() throws {
        let held = HeldRealms(atMost: 2)
        let state = Monitor((inside: 0, most: 0, ended: 0))
        let threads = ThreadGroup()
        for _ in 0..<8 {
            threads.start("holder") {
                held.run {
                    state.change { state in
                        state.inside += 1
                        state.most = max(state.most, state.inside)
                    }
                    sched_yield()
                    state.change { $0.inside -= 1 }
                }
                state.change { $0.ended += 1 }
            }
        }
        #expect(state.wait(timeout: .seconds(20)) { $0.ended == 8 })
        #expect(state.withLock { $0.most } <= 2)
    }
}
