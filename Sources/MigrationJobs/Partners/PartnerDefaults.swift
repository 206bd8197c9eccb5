import Columns
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Writes the other side of all objects that a migration has given defaults: they were changed as by a client.
struct PartnerDefaults {
    private let partner: Partner
    private let given: [String]
    private let tools: JobTools
    private let attempt: JobAttempt
    private let segments: PostgresSegmentStore

    /// Objects that a delta names at most; of a class with more all count as changed.
    private static let namedObjects = 100_000

    /// - Parameter given: the classes whose objects got defaults.
    init(
        _ partner: Partner, given: [String], tools: JobTools, attempt: JobAttempt, segments: PostgresSegmentStore
    ) {
        self.partner = partner
        self.given = given
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
        // Where both sides got defaults, the partner counts.
        let origin = [plan.right, plan.left].map(\.name).first { name in given.contains { $0.hasSameBytes(as: name) } }
        guard let origin, let stored = additions.snapshot[origin], stored.objectCount > 0 else { return }
        guard let functions = tools.functions else {
            throw MigrationError(nil, "The worker that took the job has no script host.", script: .crash)
        }
        let writer = PartnerWriter(PartnerTools(tools.store, functions: functions))
        var effects = PartnerEffects()
        var delta = SnapshotDelta()
        let reader = try ClassReader(stored, store: segments)
        for (number, group) in reader.rowGroups.enumerated() {
            let keys = try reader.keys(inGroup: number)
            let there = keys.indices.filter { group.deleted?[$0] != true }.map { keys[$0] }
            guard !there.isEmpty else { continue }
            let application = ChangeApplication(to: additions.snapshot, in: segments)
            let writing = try writer.writing(
                plan, of: partner, beside: application, in: segments, for: attempt.functionCaller())
            effects.merge(try writing.follow(there, of: origin))
            let (snapshot, changes) = try application.finish(with: [writing.derived])
            additions.snapshot = snapshot
            delta.merge(changes)
        }
        for index in delta.classes.indices where delta.classes[index].upserted.count > Self.namedObjects {
            delta.classes[index] = SnapshotDelta.ClassDelta(
                delta.classes[index].className, isWhole: true, deleted: delta.classes[index].deleted)
        }
        additions.delta.merge(delta)
        additions.books.append(.write(partner, effects))
    }
}
