import Columns
import Foundation
import JobStore
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct SweepTests {
    /// Stores over one database, of which one finds that everything is old enough to go.
    let patient: StoreFixture
    let hasty: SnapshotStore

    init() throws {
        patient = try StoreFixture()
        hasty = SnapshotStore(patient.pool, maintenance: MaintenanceLimits(grace: .zero))
    }

    @Test func `leaves what snapshots name`() throws {
        let infos = try [0, 5, 500].map { try patient.upload($0) }
        let before = try patient.count("segment")
        try hasty.maintenance.sweep()
        try hasty.maintenance.sweep()
        #expect(try patient.count("segment") == before)
        for (info, count) in zip(infos, [0, 5, 500]) {
            let opened = try hasty.snapshots.open(info.id)
            #expect(try StoreFixture.names(opened.snapshot, opened.store).count == count)
        }
    }

    @Test func `removes what a deleted realm leaves, after the grace period`() throws {
        try patient.upload(500)
        let kept = try patient.upload(500, to: "bob")
        try patient.store.realms.delete("alice", in: "shop")
        try patient.store.maintenance.sweep()
        #expect(try patient.count("segment_batch") == 2)
        try hasty.maintenance.sweep()
        #expect(try patient.count("segment_batch") == 1)
        let opened = try hasty.snapshots.open(kept.id)
        #expect(try StoreFixture.names(opened.snapshot, opened.store).count == 500)
    }

    @Test func `removes intermediate results that a commit left`() throws {
        let draft = try patient.store.snapshots.beginDraft(of: "alice", in: "shop")
        _ = try StoreFixture.persons(1000, into: draft.store)
        let info = try draft.commit(try StoreFixture.persons(10, into: draft.store))
        let segments = try patient.count("segment")
        try patient.store.maintenance.sweep()
        #expect(try patient.count("segment") == segments)
        let report = try hasty.maintenance.sweep()
        #expect(report.segments > 20)
        #expect(try patient.count("segment") == 4)
        #expect(try patient.count("segment_column") == 3)
        let opened = try hasty.snapshots.open(info.id)
        #expect(try StoreFixture.names(opened.snapshot, opened.store).count == 10)
    }

    @Test func `removes a deleted snapshot but not what others share with it`() throws {
        let first = try patient.upload(300)
        let changes = try patient.store.snapshots.beginDraft(of: "alice", in: "shop")
        var shared = try patient.store.snapshots.open(first.id).snapshot
        let other = try StoreFixture.persons(300, into: changes.store)
        shared.classes[0].columns[0] = other.classes[0].columns[0]
        let second = try changes.commit(shared, createdBy: .changes)
        #expect(throws: StoreError.snapshotInUse) { try patient.store.snapshots.delete(second.id) }
        try patient.store.snapshots.delete(first.id)
        for _ in 0..<3 { try hasty.maintenance.sweep() }
        let opened = try hasty.snapshots.open(second.id)
        #expect(try StoreFixture.names(opened.snapshot, opened.store).count == 300)
        // Row groups, keys and names of the first, ids of the second: 1 + 3 · 3 segments in 3 columns.
        #expect(try patient.count("segment") == 10)
        #expect(try patient.count("segment_column") == 3)
    }

    @Test func `waits for those who read`() throws {
        // Every read is a long one here: a quarter of no grace period is over at once.
        let reading = SnapshotStore(patient.pool, maintenance: MaintenanceLimits(grace: .seconds(2)))
        let info = try patient.upload(500)
        var opened: OpenSnapshot? = try reading.snapshots.open(info.id)
        Thread.sleep(forTimeInterval: 0.6)
        let stored = try #require(opened?.snapshot.classes.first)
        let reader = try ClassReader(stored, store: try #require(opened?.store))
        #expect(try patient.count("segment_reader") == 1)
        try patient.store.realms.delete("alice", in: "shop")
        try hasty.maintenance.sweep()
        #expect(try reader.column(1, inGroup: 4).count == 100)
        opened = nil
    }

    @Test func `gives up a draft that stands still, and fences it off`() throws {
        let draft = try patient.store.snapshots.beginDraft(of: "alice", in: "shop")
        let snapshot = try StoreFixture.persons(1000, into: draft.store)
        try draft.store.flush()
        try patient.store.maintenance.sweep()
        #expect(try patient.count("segment_batch") == 1)
        try hasty.maintenance.sweep()
        #expect(try patient.count("segment_batch") == 0)
        #expect(throws: StoreError.draftExpired) { try draft.commit(snapshot) }
        #expect(throws: StoreError.notFound(.realm, "alice")) { try patient.store.realms.find("alice", in: "shop") }
    }

    @Test func `gives up what an attempt wrote when its lease is gone, and fences it off`() throws {
        let source = try patient.upload(10)
        let order = try patient.queueMigration(of: source).migration
        let lease = try #require(try patient.jobs.claim(lease: .seconds(60)))
        let segments = patient.jobs.segments(for: lease, of: order)
        let snapshot = try StoreFixture.persons(1000, version: 2, into: segments)
        try segments.flush()
        let staged = try patient.count("segment")
        try hasty.maintenance.sweep()
        #expect(try patient.count("segment") == staged)
        _ = try patient.jobs.release(lease, .handBack)
        try hasty.maintenance.sweep()
        #expect(try patient.count("segment_batch") == 1)
        #expect(throws: StoreError.leaseLost) {
            try patient.jobs.finish(lease, MigrationOutcome(.migrated(snapshot), of: order, segments: segments))
        }
        _ = try segments.write(segment: [1])
        #expect(throws: StoreError.leaseLost) { try segments.flush() }
    }

    @Test func `is done by one of many processes`() throws {
        #expect(try hasty.maintenance.takeSweep(every: .seconds(60)) != nil)
        #expect(try hasty.maintenance.takeSweep(every: .seconds(60)) == nil)
    }
}
