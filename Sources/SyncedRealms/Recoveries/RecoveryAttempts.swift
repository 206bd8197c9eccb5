import Columns
import RealmJSON
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore

/// Attempts to do the changes of a recovery's batch: what does not fit is left out until the rest does.
struct RecoveryAttempts {
    /// The changes, made and not yet committed.
    typealias Done = (application: ChangeApplication, outcome: RetiredSidesWriting.Outcome, written: WrittenSides)

    private let sides: RetiredSides
    private let server: Schema
    /// The realm as if what has left the schema were there.
    private let before: Snapshot
    private let view: SchemaView
    private let objects: ObjectJSON
    private let plans: [PartnerPlan]
    private let preparing: [PartnerPlan]
    private let partners: PartnerWriter
    private let draft: ChangeDraft

    /// - Parameters:
    ///   - sent: the schema that the changes were made for.
    ///   - plans: of the partners on their way.
    ///   - preparing: of those that are being prepared.
    init(
        from sent: Schema, version: UInt64, to sides: RetiredSides, of current: Snapshot, through plans: [PartnerPlan],
        preparing: [PartnerPlan], _ partners: PartnerWriter, _ draft: ChangeDraft
    ) throws {
        (self.sides, self.plans, self.preparing) = (sides, plans, preparing)
        (self.partners, self.draft) = (partners, draft)
        server = current.declared
        var before = current
        before.declared = sides.schema
        self.before = before
        view = try SchemaView(
            server: sides.schema, version: version, declared: sides.schema.showingEmbedded(of: sent))
        objects = ObjectJSON(current, from: draft.store)
    }

    /// Does as many of the changes as fit.
    ///
    /// Where a function fails, and for none of the objects that the changes name, the first change is left out without which those before
    /// it can be done.
    func make(_ fitting: inout FittingChanges) throws -> Done {
        while true {
            do { return try fit(&fitting) } catch let error as MigrationError where error.isOfObject {
                guard fitting.count > 0 else { throw error }
                var (done, failing, reason) = (0, fitting.count, error.message)
                while failing - done > 1 {
                    let middle = (done + failing) / 2
                    if let found = try failure(of: fitting.first(middle)) {
                        (failing, reason) = (middle, found)
                    } else {
                        done = middle
                    }
                }
                fitting.leaveOut(done, "The partner's function fails: \(reason)")
            }
        }
    }

    /// Why a function fails for some of the changes; nil where they can be done.
    private func failure(of changes: FittingChanges) throws -> String? {
        var changes = changes
        do {
            _ = try fit(&changes)
            return nil
        } catch let error as MigrationError where error.isOfObject { return error.message }
    }

    /// Does the changes, without those of which it is known why they do not fit.
    private func fit(_ fitting: inout FittingChanges) throws -> Done {
        while true {
            // Each round leaves something out: of many changes that is much work.
            try WorkBudget.spend(fitting.byteCount)
            try WorkBudget.current?.look()
            let application = ChangeApplication(to: before, as: view, in: draft.store)
            let writing = try partners.writing(sides, beside: application, in: draft)
            let reader = ChangeBatchReader(view.shown, limit: .max)
            func read() throws -> ChangeBatch { try reader.read(fitting.batch.encoded()) }
            let named: ChangeBatch
            do {
                named = try read()
            } catch let error as InputError {
                guard fitting.leaveOut(error) else { throw error }
                continue
            }
            // An object that fails has changed nothing for the others, but the application is of no use any more.
            let stale = try writing.refresh(for: named)
            if try fitting.leaveOut(stale) { continue }
            let isIncomplete = try fitting.leaveOutIncomplete(completing: writing) { className, key in
                try server[className] == nil
                    ? writing.has(key, of: className)
                    : objects.object(primaryKey: key, ofClass: className) != nil
                        || writing.hasOtherSide(key, of: className, through: plans)
            }
            if isIncomplete { continue }
            // An object that is left out may have given others what they need.
            let broken = try application.brokenLinks(in: try read()) { className, key in
                try writing.hasOtherSide(key, of: className, through: preparing)
            }
            if fitting.leaveOut(broken) { continue }
            let (outcome, written) = try partners.apply(try read(), by: writing, to: application, in: draft)
            if try fitting.leaveOut(outcome.refusals) { continue }
            return (application, outcome, written)
        }
    }
}

extension MigrationError {
    /// Whether a function fails for an object, and not for want of what the service has.
    fileprivate var isOfObject: Bool { script == .exception || script == .timeLimit }
}

extension Schema {
    /// The schema with the embedded classes as another one declares them: what that does not have of them is kept.
    fileprivate func showingEmbedded(of other: Schema) -> Schema {
        var shown = self
        for index in shown.classes.indices where shown.classes[index].isEmbedded {
            guard let known = other[shown.classes[index].name] else { continue }
            let fitting = shown.classes[index].properties.filter { known.property(named: $0.name) != nil }
            if !fitting.isEmpty { shown.classes[index].properties = fitting }
        }
        return shown
    }
}
