import Foundation
import JobStore
import Postgres
import RealmFleet
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore
import Testing

@testable import MigrationJobs

@Suite struct `Fleets of realms` {
    private let fixture: JobFixture
    private var store: SnapshotStore { fixture.store }

    /// The realms `t0` to `t9`, beside `alice`, all at version 1.
    init() throws {
        fixture = try JobFixture()
        _ = try store.schemaVersions.put(
            2, of: "shop", schema: JobFixture.schema([JobFixture.age]), migration: Self.script("append +"))
        for number in 0..<10 { try fixture.upload(3, to: "t\(number)") }
    }

    private static func script(_ source: String) -> DeclaredMigration {
        DeclaredMigration(script: ScriptSource(.javaScript, source))
    }

    private func make(
        _ policy: FleetPolicy = FleetPolicy(), names: [String] = ["t*"], script: String? = nil, dryRun: Bool = false
    ) throws -> Fleet {
        try fixture.jobs.fleets.make(
            FleetRequest(
                targetVersion: 2, selection: FleetSelection(names: names.map { NamePattern($0) }), policy: policy,
                dryRun: dryRun), migration: script.map(Self.script), in: "shop")
    }

    /// Waits until a fleet stands there, and counts its realms.
    private func wait(_ fleet: Fleet, _ state: FleetState) throws -> Fleet {
        try fixture.wait { try fixture.jobs.fleets.find(fleet.id, in: "shop").machine.state == state }
        let found = try fixture.jobs.fleets.find(fleet.id, in: "shop")
        var counts = FleetCounts()
        for member in try fixture.jobs.fleets.members(of: found).items { counts[member.state] += 1 }
        #expect(counts == found.machine.counts)
        return found
    }

    private func names(_ number: Int) throws -> [Value] { try fixture.names("t\(number)") }
    private static let before: [Value] = (0..<3).map { .string("person \($0)") }
    private static let after: [Value] = (0..<3).map { .string("person \($0)+") }

    @Test func `migrate those that are selected, each once, and are undone`() throws {
        let fleet = try make()
        try fixture.withWorkers { _ in
            let done = try wait(fleet, .succeeded)
            #expect(done.machine.counts[.succeeded] == 10)
            for number in 0..<10 { #expect(try names(number) == Self.after) }
            #expect(try fixture.names("alice")[0] == .string("person 0"))
            #expect(try store.realms.versions(in: "shop").map(\.count) == [1, 10])
            // Somebody goes on with one of them, and removes others, one of which comes again.
            try fixture.upload(3, to: "t4")
            for name in ["t5", "t6"] { try store.realms.delete(name, in: "shop") }
            try fixture.upload(3, to: "t6")
            _ = try fixture.jobs.fleets.take(.undo, fleet.id, in: "shop")
            let undone = try wait(fleet, .undone)
            #expect(undone.machine.counts[.undone] == 7)
            let kept = try fixture.jobs.fleets.failures(of: undone)
            let reasons = Dictionary(uniqueKeysWithValues: kept.map { ($0.sample, $0.reason) })
            #expect(reasons[["t4"]]?.hasPrefix("realm_changed: ") == true)
            #expect(reasons[["t5", "t6"]]?.hasPrefix("realm_not_found: The realm was deleted") == true)
            for number in 0..<10 where number != 5 { #expect(try names(number) == Self.before) }
            #expect(try store.realms.versions(in: "shop").map(\.count) == [10])
        }
    }

    /// Jobs that undo a fleet side by side leave each other's realms alone, and the last of them leaves none.
    @Test func `are undone by several jobs, none of which waits for another's realms`() throws {
        let fleet = try make()
        try fixture.withWorkers { _ in
            _ = try wait(fleet, .succeeded)
            try fixture.pool.transaction { other in
                let held = try other.query(
                    """
                    SELECT realm_name FROM fleet_member WHERE fleet_id = \(fleet.id) AND state = 'succeeded'
                    ORDER BY position LIMIT 4 FOR UPDATE
                    """
                ).map { try $0.value("realm_name", as: String.self) }
                _ = try fixture.jobs.fleets.take(.undo, fleet.id, in: "shop")
                try fixture.wait { try fixture.jobs.fleets.find(fleet.id, in: "shop").machine.counts[.undone] == 6 }
                for number in 0..<10 {
                    #expect(try names(number) == (held.contains("t\(number)") ? Self.after : Self.before))
                }
            }
            #expect(try wait(fleet, .undone).machine.counts[.undone] == 10)
            for number in 0..<10 { #expect(try names(number) == Self.before) }
        }
    }

    @Test func `change nothing that fails, tell of it once, and retry it with another script`() throws {
        let fleet = try make(script: "throw")
        try fixture.withWorkers { _ in
            let failed = try wait(fleet, .failed)
            let failures = try fixture.jobs.fleets.failures(of: failed)
            #expect(failures.map(\.reason) == ["script_failed: Error: no (line 3)"])
            #expect(failures.map(\.count) == [10])
            #expect(failures[0].sample == (0..<5).map { "t\($0)" })
            for number in 0..<10 { #expect(try names(number) == Self.before) }
            _ = try fixture.jobs.fleets.take(.retryFailed, fleet.id, in: "shop", migration: Self.script("append +"))
            #expect(try wait(fleet, .succeeded).machine.counts[.succeeded] == 10)
            for number in 0..<10 { #expect(try names(number) == Self.after) }
        }
    }

    @Test func `stop after the canary until somebody says so, and are cancelled`() throws {
        let fleet = try make(FleetPolicy(canary: .init(.count(3)), concurrency: 1))
        try fixture.withWorkers { _ in
            let paused = try wait(fleet, .paused)
            #expect(paused.machine.pause == .canary)
            #expect(try (0..<10).filter { try names($0) == Self.after }.count == 3)
            #expect(throws: StoreError.self) { try fixture.jobs.fleets.take(.pause, fleet.id, in: "shop") }
            _ = try fixture.jobs.fleets.take(.cancel, fleet.id, in: "shop")
            #expect(try wait(fleet, .cancelled).machine.counts[.pending] == 7)
        }
    }

    @Test(arguments: [FleetMachine.Verb.pause, .resume])
    func `leave no job waiting for the end of a canary's pause that somebody ended`(verb: FleetMachine.Verb) throws {
        let fleet = try make(FleetPolicy(canary: .init(.count(1), pauseSeconds: 3600)))
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.fleets.find(fleet.id, in: "shop").heldUntil != nil }
            _ = try fixture.jobs.fleets.take(verb, fleet.id, in: "shop")
            let then = try wait(fleet, verb == .pause ? .paused : .succeeded)
            #expect(then.machine.counts[.succeeded] == (verb == .pause ? 1 : 10))
            // The held job is taken once more, and finds nothing to do.
            try fixture.wait {
                let states = try fixture.countsByState()
                return states["queued"] == nil && states["running"] == nil
            }
        }
    }

    @Test func `go on by themselves when the pause after the canary is over`() throws {
        let fleet = try make(FleetPolicy(canary: .init(.percent(10), pauseSeconds: 0.3)))
        try fixture.withWorkers { _ in
            try fixture.wait { try fixture.jobs.fleets.find(fleet.id, in: "shop").heldUntil != nil }
            let done = try wait(fleet, .succeeded)
            #expect(done.machine.counts[.succeeded] == 10)
        }
    }

    @Test func `that are rehearsed change nothing`() throws {
        let fleet = try make(dryRun: true)
        try fixture.withWorkers { _ in
            let done = try wait(fleet, .succeeded)
            #expect(done.machine.counts[.succeeded] == 10)
            for number in 0..<10 { #expect(try names(number) == Self.before) }
            #expect(throws: StoreError.self) { try fixture.jobs.fleets.take(.undo, fleet.id, in: "shop") }
        }
    }

    @Test func `of realms that are what they should be change nothing`() throws {
        let first = try make()
        try fixture.withWorkers { _ in
            _ = try wait(first, .succeeded)
            let second = try make()
            #expect(try wait(second, .succeeded).machine.counts[.unchanged] == 10)
            for number in 0..<10 { #expect(try names(number) == Self.after) }
        }
    }

    @Test func `of no realm are not made`() throws {
        #expect(throws: StoreError.noRealmSelected(of: 11)) { try make(names: ["nobody"]) }
        #expect(try fixture.count("fleet") == 0 && fixture.count("job") == 0)
    }

    @Test func `are about labels and versions as well`() throws {
        _ = try store.realms.put("t3", in: "shop", kind: .local, labels: ["ring": "0", "plan": "free"])
        _ = try store.realms.put("t5", in: "shop", kind: .local, labels: ["ring": "0"])
        func count(_ selection: FleetSelection) throws -> Int {
            try fixture.jobs.fleets.make(
                FleetRequest(targetVersion: 2, selection: selection), migration: nil, in: "shop"
            )
            .machine.counts.total
        }
        #expect(try count(FleetSelection(labels: ["ring": "0"])) == 2)
        #expect(try count(FleetSelection(labels: ["ring": "0", "plan": "free"])) == 1)
        #expect(try count(FleetSelection(version: VersionCondition("<2"))) == 11)
        #expect(throws: StoreError.self) { try count(FleetSelection(version: VersionCondition(">=2"))) }
        #expect(try count(FleetSelection(names: [NamePattern("t1"), NamePattern("*lic*")])) == 2)
    }

    // MARK: Losses

    @Test func `lose nothing with a worker, and run nothing twice`() throws {
        let fleet = try make(FleetPolicy(concurrency: 4))
        let lease = try #require(try fixture.jobs.claim(lease: .milliseconds(1)))
        guard case .fleet(let order) = lease.job.order else {
            Issue.record("The job is another.")
            return
        }
        let slice = try fixture.jobs.fleets.claim(lease, of: order)
        #expect(slice.realms.count == 4)
        #expect(try fixture.jobs.fleets.find(fleet.id, in: "shop").machine.counts[.running] == 4)
        Thread.sleep(forTimeInterval: 0.01)
        try fixture.jobs.requeueLost()
        // Its worker is not told of it, and finishes: too late.
        #expect(throws: StoreError.leaseLost) {
            try fixture.jobs.finish(lease, FleetJob.outcome([], of: slice, in: fixture.jobs))
        }
        let done = try fixture.withWorkers { _ in try wait(fleet, .succeeded) }
        #expect(done.machine.counts[.succeeded] == 10)
        for number in 0..<10 { #expect(try names(number) == Self.after) }
        #expect(try fixture.count("snapshot") == 21)
    }

    @Test func `try those again that change meanwhile, some times, and those no more that are gone`() throws {
        let fleet = try make(names: ["t1", "t2", "t3"])
        // One of them has had nine turns.
        try fixture.pool.withConnection {
            _ = try $0.execute("UPDATE fleet_member SET attempt = 9 WHERE realm_name = 't2'")
        }
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        guard case .fleet(let order) = lease.job.order else {
            Issue.record("The job is another.")
            return
        }
        let slice = try fixture.jobs.fleets.claim(lease, of: order)
        let results = try slice.realms.map {
            (realm: $0, result: FleetOutcome.Result.unchanged(try store.snapshots.openCurrent(of: $0.name, in: "shop")))
        }
        for name in ["t1", "t2"] { try fixture.upload(4, to: name) }
        try store.realms.delete("t3", in: "shop")
        _ = try fixture.jobs.finish(lease, FleetJob.outcome(results, of: slice, in: fixture.jobs))
        let members = try fixture.jobs.fleets.members(of: fleet).items
        #expect(members.map(\.state) == [.pending, .failed, .failed])
        #expect(
            members.map(\.reason) == [
                nil, "realm_changed: \(StoreError.realmChanged)", "realm_not_found: There is no realm “…”.",
            ])
        #expect(members[2].problem?.detail == "There is no realm “t3”.")
    }

    /// A claim that looks at every realm that waits would take a fleet as much longer as it is larger, for each of its realms.
    @Test func `take realms at a cost that does not follow how many wait`() throws {
        let (claims, slice) = (8, 64)
        for waiting in [claims * slice, 20 * claims * slice] {
            let read = try Self().rowsRead(byClaims: claims, of: waiting)
            // Realms that are taken are found, looked at again, and written; a small table may be read whole.
            #expect(read <= 16 * claims * slice, "\(waiting) realms")
            #expect(read >= claims * slice)
        }
    }

    /// Rows of members that some claims of a fleet read, each of which takes as many realms as it may.
    private func rowsRead(byClaims count: Int, of waiting: Int) throws -> Int {
        let fleet = try make(names: ["t1"])
        // One connection, which counts what it reads, and tells it when it is asked.
        let pool = PostgresPool(fixture.url, size: 1)
        defer { pool.close() }
        let claiming = JobStore(SnapshotStore(pool))
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO fleet_member (app_id, fleet_id, realm_id, realm_name, position, from_version, weight)
                SELECT app_id, fleet_id, gen_random_uuid(), 'more ' || number, number, 1, 1
                FROM fleet, generate_series(1, \(waiting)) AS number WHERE fleet_id = \(fleet.id)
                """)
            _ = try connection.execute(
                "UPDATE fleet SET total = total + \(waiting), pending = pending + \(waiting) WHERE fleet_id = \(fleet.id)"
            )
        }
        try claiming.fleets.heal()
        let before = try Self.rowsRead(pool)
        var taken = 0
        for _ in 0..<count {
            let lease = try #require(try claiming.claim(lease: .seconds(60)))
            guard case .fleet(let order) = lease.job.order else { continue }
            taken += try claiming.fleets.claim(lease, of: order).realms.count
        }
        #expect(taken == count * 64)
        return try Self.rowsRead(pool) - before
    }

    private static func rowsRead(_ pool: PostgresPool) throws -> Int {
        try pool.withConnection { try $0.execute(script: "SELECT pg_stat_force_next_flush()") }
        return try pool.withConnection {
            try $0.query(
                """
                SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables
                WHERE relid = 'fleet_member'::regclass
                """)[0].value("read")
        }
    }

    @Test func `take back what a job had that was cancelled`() throws {
        let fleet = try make(FleetPolicy(concurrency: 4))
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        guard case .fleet(let order) = lease.job.order else { return }
        _ = try fixture.jobs.fleets.claim(lease, of: order)
        _ = try fixture.jobs.release(lease, .cancelled)
        try fixture.jobs.fleets.heal()
        #expect(try fixture.jobs.fleets.find(fleet.id, in: "shop").machine.counts[.running] == 0)
        let done = try fixture.withWorkers { _ in try wait(fleet, .succeeded) }
        #expect(done.machine.counts[.succeeded] == 10)
    }

    @Test(arguments: [
        ("state = 'pending', finished_at = NULL, source_id = NULL, result_id = NULL", "fleet_member_once"),
        ("state = 'running', finished_at = NULL, source_id = NULL, result_id = NULL", "fleet_member_once"),
        ("result_id = source_id", "fleet_member_result"), ("result_id = NULL", "fleet_member_result"),
        ("state = 'failed', reason = 'x', problem = '{}'", "result_of_success"),
    ])
    func `never run a realm again that is migrated, whoever says so`(change: String, law: String) throws {
        let fleet = try make(names: ["t1"])
        try fixture.withWorkers { _ in _ = try wait(fleet, .succeeded) }
        let error = #expect(throws: PostgresError.self) {
            try fixture.pool.withConnection { try $0.execute(script: "UPDATE fleet_member SET \(change)") }
        }
        #expect(error?.constraint == law)
    }
}
