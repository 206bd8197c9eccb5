import Columns
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Writes the other side of all objects that a migration has given defaults: they were changed as by a client.
struct PartnerDefaults {
    private let partner: Partner
    private let given: GivenDefaults
    private let tools: JobTools
    private let attempt: JobAttempt
    private let segments: PostgresSegmentStore

    /// Objects that a delta names at most; of a class with more all count as changed.
    static let namedObjects = 100_000
    /// Objects that are written at once.
    private static let objectsAtOnce = 8_192

    /// - Parameter given: the objects that got defaults.
    init(
        _ partner: Partner, given: GivenDefaults, tools: JobTools, attempt: JobAttempt, segments: PostgresSegmentStore
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
        var effects = PartnerEffects()
        var delta = SnapshotDelta()
        // Where both sides of an object got defaults, the partner counts.
        for side in plan.isWithinClass ? [plan.left] : [plan.right, plan.left] {
            guard let stored = additions.snapshot[side.name], let objects = given.objects(of: side.name) else {
                continue
            }
            var keys: [Int64]
            switch objects {
            case .all: keys = try GivenDefaults.keys(of: stored, in: segments)
            case .these(let some): keys = some
            }
            if side == plan.left { keys.removeAll { [written = effects.written] in written.contains($0) } }
            for start in stride(from: 0, to: keys.count, by: Self.objectsAtOnce) {
                let part = Array(keys[start..<min(start + Self.objectsAtOnce, keys.count)])
                delta.merge(try write(part, of: side.name, plan, &additions.snapshot, &effects))
            }
        }
        guard !effects.examined.isEmpty else { return }
        for index in delta.classes.indices where delta.classes[index].upserted.count > Self.namedObjects {
            delta.classes[index] = SnapshotDelta.ClassDelta(
                delta.classes[index].className, isWhole: true, deleted: delta.classes[index].deleted)
        }
        additions.delta.merge(delta)
        additions.books.append(.write(partner, effects))
    }

    /// Writes the other side of some objects.
    ///
    /// - Returns: what was changed by that.
    private func write(
        _ keys: [Int64], of className: String, _ plan: PartnerPlan, _ snapshot: inout Snapshot,
        _ effects: inout PartnerEffects
    ) throws -> SnapshotDelta {
        guard let functions = tools.functions else {
            throw MigrationError(nil, "The worker that took the job has no script host.", script: .crash)
        }
        let application = ChangeApplication(to: snapshot, in: segments)
        let writing = try PartnerWriter(PartnerTools(tools.store, functions: functions)).writing(
            plan, of: partner, beside: application, in: segments, for: attempt.functionCaller())
        effects.merge(try writing.follow(keys, of: className))
        let (changed, delta) = try application.finish(with: [writing.derived])
        snapshot = changed
        return delta
    }
}
