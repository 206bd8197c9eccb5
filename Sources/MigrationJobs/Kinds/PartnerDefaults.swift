import Columns
import JobStore
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import SyncedRealms

/// Writes the other side of all objects that a migration has given defaults: they were changed as by a client.
struct PartnerDefaults {
    private let partner: Partner
    private let given: GivenDefaults
    private let earlier: Snapshot
    private let tools: JobTools
    private let attempt: JobAttempt
    private let segments: PostgresSegmentStore

    /// Objects that a delta names at most; of a class with more all count as changed.
    static let namedObjects = 100_000
    /// Objects that are written at once.
    private static let objectsAtOnce = 8_192

    /// - Parameters:
    ///   - given: the objects that got defaults.
    ///   - earlier: the realm without them.
    init(
        _ partner: Partner, given: GivenDefaults, to earlier: Snapshot, tools: JobTools, attempt: JobAttempt,
        segments: PostgresSegmentStore
    ) {
        self.partner = partner
        self.given = given
        self.earlier = earlier
        self.tools = tools
        self.attempt = attempt
        self.segments = segments
    }

    /// Adds what follows for the partner to what a migration adds.
    ///
    /// - Throws: `MigrationError` of a function that fails, with the object's key; `PartnerRefusal.misfit`.
    func follow(_ additions: inout MigrationOutcome.Additions) throws {
        let plan: PartnerPlan
        do throws(PartnerError) {
            plan = try PartnerPlan(partner.definition, in: additions.snapshot.declared)
        } catch {
            throw PartnerRefusal.misfit(className: partner.definition.className, error)
        }
        var effects = PartnerEffects()
        var delta = SnapshotDelta()
        let partners = try plan.isWithinClass ? [] : keys(of: plan.right, in: additions.snapshot)
        try forEachPart(of: try keys(of: plan.left, in: additions.snapshot)) { part in
            delta.merge(
                try write(plan, &additions.snapshot, &effects) { writing in
                    try partners.isEmpty ? writing.follow(part, of: plan.left.name) : writing.followBoth(part)
                })
        }
        let written = Set(effects.pairs.map(\.partner))
        try forEachPart(of: partners.filter { !written.contains($0) }) { part in
            delta.merge(
                try write(plan, &additions.snapshot, &effects) { try $0.follow(part, of: plan.right.name) })
        }
        guard !effects.examined.isEmpty else { return }
        for index in delta.classes.indices where delta.classes[index].upserted.count > Self.namedObjects {
            delta.classes[index] = SnapshotDelta.ClassDelta(
                delta.classes[index].className, isWhole: true, deleted: delta.classes[index].deleted)
        }
        additions.delta.merge(delta)
        additions.books.append(.write(partner, effects))
    }

    /// The objects of a side that got defaults, by their keys.
    private func keys(of side: ObjectSchema, in snapshot: Snapshot) throws -> [Int64] {
        guard let stored = snapshot[side.name], let objects = given.objects(of: side.name) else { return [] }
        switch objects {
        case .all: return try GivenDefaults.keys(of: stored, in: segments)
        case .these(let some): return some
        }
    }

    private func forEachPart(of keys: [Int64], _ body: ([Int64]) throws -> Void) throws {
        for start in stride(from: 0, to: keys.count, by: Self.objectsAtOnce) {
            try body(Array(keys[start..<min(start + Self.objectsAtOnce, keys.count)]))
        }
    }

    /// Writes what follows from some objects.
    ///
    /// - Returns: what was changed by that.
    private func write(
        _ plan: PartnerPlan, _ snapshot: inout Snapshot, _ effects: inout PartnerEffects,
        _ follow: (PartnerWriting) throws -> PartnerEffects
    ) throws -> SnapshotDelta {
        guard let functions = tools.functions else {
            throw MigrationError(nil, "The worker that took the job has no script host.", script: .crash)
        }
        let application = ChangeApplication(to: snapshot, in: segments)
        let writing = try PartnerWriter(PartnerTools(tools.jobs, functions: functions)).writing(
            plan, of: partner, beside: application, after: earlier, in: segments, for: attempt.functionCaller())
        effects.merge(try follow(writing))
        let (changed, delta) = try application.finish(with: [writing.derived])
        snapshot = changed
        return delta
    }
}
