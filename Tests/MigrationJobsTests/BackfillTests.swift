import Foundation
import RealmMigration
import RealmModel
import SnapshotStore
import Testing

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
        #expect(try fixture.store.jobs.cancel(job.id).state == .cancelled)
        #expect(try fixture.sync().unsyncedCount == 3)
        #expect(try fixture.store.jobs.retry(job.id).state == .queued)
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
