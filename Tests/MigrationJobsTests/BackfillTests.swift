import Columns
import Foundation
import JobStore
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import StoreCore
import Testing
import Threads

@testable import MigrationJobs

@Suite struct `A backfill` {
    private static let size = Property("size", .int)

    /// A realm whose notes lack a required property.
    private func lacking(_ notes: Int) throws -> SyncedFixture {
        let fixture = try SyncedFixture(notes: notes)
        let job = try fixture.migrated(
            .init(targetVersion: 2, schema: SyncedFixture.note { $0.properties.append(Self.size) }))
        #expect(job.state == .succeeded)
        #expect(try fixture.sync().unsyncedCount == notes)
        return fixture
    }

    private func enqueue(_ fixture: SyncedFixture, _ value: Int64 = 7) throws -> Job {
        try fixture.queue.enqueue(
            BackfillRequest(className: "Note", property: "size", fill: .value(.int(value))), realm: fixture.realm,
            app: "shop")
    }

    @Test(arguments: [1, 3_000, 20_000]) func `fills all that lacks the value, batch by batch`(notes: Int) throws {
        let fixture = try lacking(notes)
        let job = try enqueue(fixture)
        let done = try fixture.base.withWorkers { _ in try fixture.base.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(done.progress?.objectsDone == notes)
        #expect(try fixture.sync().unsyncedCount == 0)
        #expect(try fixture.values("Note", "size").allSatisfy { $0 == .int(7) })
        let snapshots = try fixture.base.count("snapshot")
        #expect(notes < 2_000 || snapshots > 3, "\(snapshots)")
    }

    @Test func `leaves alone what clients set meanwhile, and loses none of their changes`() throws {
        let fixture = try lacking(3_000)
        let job = try enqueue(fixture)
        let done = try fixture.base.withWorkers { _ in
            for number in 0..<40 {
                let id = Int64(2_999 - number)
                while true {
                    do {
                        try fixture.change { editor in
                            let note = try #require(try editor.view.object(in: 0, primaryKey: .int(id)))
                            try editor.set(4, of: note, to: .int(-1))
                            try editor.set(1, of: note, to: .string("changed"))
                        }
                        break
                    } catch StoreError.realmChanged {
                        // The backfill was faster: once more.
                    }
                }
            }
            return try fixture.base.end(of: job)
        }
        #expect(done.state == .succeeded)
        #expect(try fixture.sync().unsyncedCount == 0)
        #expect(try fixture.values("Note", "size").count { $0 == .int(-1) } == 40)
        #expect(try fixture.values("Note", "title").count { $0 == .string("changed") } == 40)
    }

    /// Without a turn of its own it would never come to an end, as small as its batches might get.
    @Test func `has its turn though clients are always faster, and asks anew about what they changed`() throws {
        let fixture = try lacking(3_000)
        let client = FasterClient(fixture)
        let job = try fixture.queue.enqueue(
            BackfillRequest(className: "Note", property: "size", fill: .script("the length of the title")),
            realm: fixture.realm, app: "shop")
        let done = try fixture.base.withWorkers(host: client) { _ in try fixture.base.end(of: job) }
        #expect(done.state == .succeeded, "\(String(describing: done.problem))")
        #expect(try fixture.sync().unsyncedCount == 0)
        let (calls, changed) = client.calls.withLock { ($0.count, $0.changed) }
        // Two batches, what the client changed of them, and that again as often as the client changes it again.
        #expect(calls == FasterClient.mostChanges + 1)
        let (titles, sizes) = (try fixture.values("Note", "title"), try fixture.values("Note", "size"))
        #expect(titles.count { $0 == .string("changed by a client") } == changed.count)
        // The first note was changed when it had its value.
        for (title, size) in zip(titles, sizes).dropFirst() {
            guard case .string(let text) = title else { continue }
            #expect(size == .int(Int64(text.utf8.count)), "\(text)")
        }
    }

    @Test func `goes on beside a migration, and a migration beside it`() throws {
        let fixture = try lacking(3)
        let fill = try enqueue(fixture)
        let more = SyncedFixture.note { $0.properties += [Self.size, Property("color", .string, isOptional: true)] }
        let grow = try fixture.enqueue(.init(targetVersion: 3, schema: more))
        let ended = try fixture.base.withWorkers { _ in try [fill, grow].map { try fixture.base.end(of: $0) } }
        #expect(ended.map(\.state) == [.succeeded, .succeeded])
        #expect(try fixture.sync().unsyncedCount == 0)
        #expect(try fixture.current().snapshot.declared == more)
    }

    @Test func `that was cancelled leaves what it has done, and goes on when it is retried`() throws {
        let fixture = try lacking(3)
        let job = try enqueue(fixture)
        #expect(try fixture.jobs.cancel(job.id).state == .cancelled)
        #expect(try fixture.sync().unsyncedCount == 3)
        #expect(try fixture.jobs.retry(job.id).state == .queued)
        let done = try fixture.base.withWorkers { _ in try fixture.base.end(of: job) }
        #expect(done.state == .succeeded)
        #expect(try fixture.sync().unsyncedCount == 0)
    }

    @Test func `needs a host for a function`() throws {
        let fixture = try lacking(3)
        let job = try fixture.queue.enqueue(
            BackfillRequest(className: "Note", property: "size", fill: .script("o => 1")), realm: fixture.realm,
            app: "shop")
        let done = try fixture.base.withWorkers { _ in try fixture.base.end(of: job) }
        #expect(done.problem?.code == "script_crashed" || done.state == .failed)
        #expect(try fixture.sync().unsyncedCount == 3)
    }
}

/// Answers what functions are asked, and each time is faster than who asks: it changes one of the objects that they are asked about.
private struct FasterClient: ScriptRunner, FunctionRunner {
    /// Behind these it changes a note that lacks nothing by then.
    static let mostChanges = 6

    let fixture: SyncedFixture
    let calls = Monitor((count: 0, changed: Set<ObjectKey>()))

    init(_ fixture: SyncedFixture) { self.fixture = fixture }

    func run(
        _ migrations: [ScriptedMigration], of app: RealmModel.UUID?, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>] {
        try TestHost().run(migrations, of: app, limits: limits)
    }

    func call(
        _ function: ObjectFunction, andBack back: ReturnFunction?, on objects: FunctionObjects,
        policy: FunctionFailurePolicy, for caller: FunctionCaller, meanwhile: () throws -> Void
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?) {
        try meanwhile()
        let key = calls.change { calls in
            calls.count += 1
            let key = calls.count <= Self.mostChanges ? objects.keys[objects.keys.count / 2] : ObjectKey(0)
            calls.changed.insert(key)
            return key
        }
        try change(key, to: "changed by a client")
        let title = try #require(function.inputs.firstIndex { $0.name.hasSameBytes(as: "title") })
        let sizes = try objects.keys.indices.map { row -> Value in
            guard case .string(let text) = try objects.columns[title].value(at: row, as: ColumnType(.string)) else {
                return .null
            }
            return .int(Int64(text.utf8.count))
        }
        let column = FunctionAnswers.Column(given: nil, values: try ColumnArray(sizes, as: ColumnType(.int)))
        return (FunctionAnswers(columns: [column]), nil)
    }

    private func change(_ key: ObjectKey, to title: String) throws {
        _ = try fixture.store.snapshots.change(fixture.realm, in: "shop") { draft in
            let application = ChangeApplication(to: try #require(draft.current).snapshot, in: draft.store)
            let place = try #require(application.editor.view.index(of: "Note"))
            var batch = ChangeBatch()
            batch.upserts = [
                .init(
                    classIndex: place, primaryKey: .int(key.value),
                    members: [.init(property: 1, value: .value(.string(title)))])
            ]
            _ = try application.apply(batch)
            let (snapshot, delta) = try application.finish()
            return try draft.commit(snapshot, delta: delta)
        }
    }
}
