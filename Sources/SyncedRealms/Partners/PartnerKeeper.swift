import Columns
import JobStore
import RealmEditing
import RealmMigration
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore

/// Makes partners, cuts over to them and takes them back: each by one snapshot, and with it what is written down.
public struct PartnerKeeper: Sendable {
    private let tools: PartnerTools
    private var jobs: JobStore { tools.jobs }
    private var store: SnapshotStore { jobs.store }

    /// A keeper of a store's partners.
    public init(_ tools: PartnerTools) { self.tools = tools }

    // MARK: Making

    /// Makes a partner of a class or a property, from now on writes both, and queues the job that fills it.
    ///
    /// - Throws: `PartnerError`, `MigrationError` for a schema or a function that can't be; `StoreError.notFound` (app, realm;
    ///   snapshot where the realm has none), `partnerActive`, `migrationActive`; `PartnerRefusal`; what the condition throws.
    public func make(
        _ definition: PartnerDefinition, of realm: String, in app: String, where condition: RealmCondition? = nil
    ) throws -> Partner {
        var definition = definition
        let made = try changing(realm, app, condition) { draft, current in
            let server = current.snapshot.declared
            if definition.property != nil, let existing = server[definition.className] {
                // Properties that the class has already are not added to it.
                definition.partner.properties.removeAll { existing.property(named: $0.name) != nil }
            }
            let plan = try PartnerPlan(definition, to: server)
            let remains = try PartnerRemains(
                of: plan, in: current, takenBack: jobs.partners.takenBack(of: draft.realm))
            let source = remains.rest
            do throws(ServerSchemaError) {
                try ServerSchema(source).requireAdditions(to: plan.expanded)
            } catch {
                throw SyncedRealmError.schema(error)
            }
            for name in [plan.left.name, plan.right.name] where try jobs.partners.isActive(name, in: current.info) {
                // A partner has no partner: it would miss what clients write.
                throw StoreError.partnerActive(className: name)
            }
            try check(plan, current)
            var changed = try Self.migrated(source, to: plan.expanded, in: draft)
            if let index = changed.classes.firstIndex(where: { $0.schema.name.hasSameBytes(as: plan.right.name) }) {
                // No key is given twice.
                let last = current.snapshot[plan.right.name]?.nextSequence ?? 0
                changed.classes[index].nextSequence = max(changed.classes[index].nextSequence, last)
            }
            let fill = Partner.Fill(.objects, of: current.snapshot[plan.left.name])
            let delta = remains.deleted.map { deleted in
                var delta = SnapshotDelta.schema(of: plan, deleting: deleted)
                delta.merge(remains.cleared)
                return delta
            }
            return try jobs.partners.make(definition, fill: fill, in: changed, delta: delta, by: draft)
        }
        jobs.announce(made.job)
        return try jobs.partners.find(made.partner, of: realm, in: app)
    }

    /// Objects of the class that functions are tried with where they make primary keys.
    private static let triedObjects = 256

    /// Checks that both texts are functions, and that they lead from primary key to primary key, before an object is touched.
    private func check(_ plan: PartnerPlan, _ current: OpenSnapshot) throws {
        let caller = FunctionCaller(app: current.info.appID, limits: tools.limits)
        for function in [plan.forward, plan.backward] {
            let columns = try function.inputs.map { try ColumnArray([Value](), as: ColumnType($0)) }
            _ = try tools.functions.call(
                function, on: FunctionObjects(keys: [], columns: columns), policy: .stops, for: caller)
        }
        let keys = PartnerKeys(plan, call: tools.call(for: caller))
        let fill = Partner.Fill(.objects, of: current.snapshot[plan.left.name])
        guard !keys.areSame, fill.total > 0 else { return }
        let first = try PartnerBackfillPart(of: plan, fill, atMost: Self.triedObjects, in: current).keys
        let view = RealmEditor(editing: current.snapshot, as: plan.expanded, in: current.store).view
        do {
            try keys.check(try FunctionRows(of: plan.left, in: view).objects(first))
        } catch let error as EditingError {
            throw MigrationError(error.code, error.message, script: .exception, details: error.details)
        }
    }

    /// The realm with another schema, which only has more.
    private static func migrated(_ source: Snapshot, to schema: Schema, in draft: ChangeDraft) throws -> Snapshot {
        let request = MigrationRequest(
            source: source, target: schema, targetVersion: source.schemaVersion ?? 0, mode: .additiveDiscovered)
        var changed = try Migration(request, store: draft.store).run(script: nil).snapshot
        changed.schemaVersion = source.schemaVersion
        changed.declared = schema
        return changed
    }

    // MARK: Ending

    /// Cuts over to a partner: what it stands in for leaves the schema, and its data stays.
    ///
    /// - Parameter accepted: the primary keys of violations that are gone over.
    /// - Throws: `StoreError.partnerState` where the state or a violation stands against it; `PartnerError.linked`; what the
    ///   condition throws.
    public func cutOver(
        _ id: RealmModel.UUID, accepting accepted: [Value] = [], of realm: String, in app: String,
        where condition: RealmCondition? = nil
    ) throws -> Partner {
        if let condition { try condition(try store.realms.find(realm, in: app)) }
        let partner = try jobs.partners.find(id, of: realm, in: app)
        if partner.state == .dual || partner.state == .cutOver {
            let unknown = try jobs.partners.accept(accepted, of: partner)
            guard unknown.isEmpty else {
                throw StoreError.partnerState(
                    partner.state, "\(unknown.count) of the keys to accept are those of no violation.")
            }
        }
        return try changing(realm, app, condition) { draft, current in
            let partner = try jobs.partners.find(id, of: realm, in: app)
            var events: [PartnerState.Event] = [.contracted]
            if partner.state != .cutOver {
                guard partner.state == .dual else { throw StoreError.partnerState(partner.state, nil) }
                let counts = try jobs.partners.counts(of: partner)
                guard counts.unaccepted == 0 else {
                    throw StoreError.partnerState(
                        partner.state,
                        "\(counts.unaccepted) objects do not come back as they were, and are neither mended nor accepted."
                    )
                }
                events.insert(.cutOver, at: 0)
            }
            let plan = try PartnerPlan(partner.definition, in: current.snapshot.declared)
            return try end(
                partner, plan, with: try plan.contracted(), leaving: plan.leavingByCutOver, events, draft, current)
        }
    }

    /// Takes a partner back: the realm is as it was, with all that was written since, on either side.
    ///
    /// - Throws: `StoreError.partnerState`; `PartnerError.linked`; what the condition throws.
    public func abort(
        _ id: RealmModel.UUID, of realm: String, in app: String, where condition: RealmCondition? = nil
    ) throws -> Partner {
        try changing(realm, app, condition) { draft, current in
            let partner = try jobs.partners.find(id, of: realm, in: app)
            guard partner.state.writesBoth else { throw StoreError.partnerState(partner.state, nil) }
            let plan = try PartnerPlan(partner.definition, in: current.snapshot.declared)
            return try end(
                partner, plan, with: try plan.withdrawn(), leaving: plan.leavingByAbort, [.abort], draft, current)
        }
    }

    private func end(
        _ partner: Partner, _ plan: PartnerPlan, with schema: Schema, leaving side: ObjectSchema,
        _ events: [PartnerState.Event], _ draft: ChangeDraft, _ current: OpenSnapshot
    ) throws -> Partner {
        var changed = try SchemaReplacement(current.snapshot, in: draft.store).without(side)
        changed.declared = schema
        var (partner, books) = (partner, [PartnerBook]())
        for event in events {
            books.append(event == events.last ? .end(partner, event, leaving: side) : .move(partner, event))
            partner.state = try partner.state.after(event)
        }
        var delta = SnapshotDelta.schema(of: plan)
        if !plan.isWithinClass { delta.merge(.mixedValues(of: current.snapshot)) }
        _ = try draft.commit(changed, delta: delta, books: books)
        return partner
    }

    /// Cuts over to the partners whose time has come, and ends what was interrupted.
    ///
    /// - Returns: how many; one that can't be cut over keeps none of the others from it, and `failed` is told.
    package func cutOverDue(failed: (Partner, any Error) -> Void) throws -> Int {
        var count = 0
        for partner in try jobs.partners.dueForCutOver() {
            do {
                _ = try cutOver(partner.id, of: partner.realm, in: partner.app)
                count += 1
            } catch {
                failed(partner, error)
            }
        }
        return count
    }

    /// Changes a realm that others change too.
    private func changing<Result>(
        _ realm: String, _ app: String, _ condition: RealmCondition?,
        _ body: (ChangeDraft, OpenSnapshot) throws -> Result
    ) throws -> Result {
        try store.snapshots.change(realm, in: app) { draft in
            try condition?(draft.realm)
            guard draft.realm.kind == .synced else { throw PartnerRefusal.localRealm }
            guard let current = draft.current else { throw PartnerRefusal.emptyRealm }
            return try body(draft, current)
        }
    }
}

/// Why a realm can have no partner.
public enum PartnerRefusal: Error, Hashable, Sendable {
    /// Only clients of synced realms go on with an old version.
    case localRealm
    /// There is no snapshot yet.
    case emptyRealm
    /// The realm stores objects of the class from before, though its schema does not show them.
    case stored(className: String)
    /// The realm's schema is not one with both sides of the class's partner any more.
    case misfit(className: String, PartnerError)
}

extension SnapshotDelta {
    /// The classes whose objects have mixed values, or others embedded that have: links to what leaves the schema are not shown.
    fileprivate static func mixedValues(of snapshot: Snapshot) -> SnapshotDelta {
        let schema = snapshot.declared
        func hasMixed(_ declared: ObjectSchema, seen: Set<NameKey>) -> Bool {
            guard !seen.contains(NameKey(declared.name)) else { return false }
            return declared.persistedProperties.contains { property in
                guard property.type != .mixed else { return true }
                let target = property.objectType.flatMap { schema[$0] }
                return target.map { $0.isEmbedded && hasMixed($0, seen: seen.union([NameKey(declared.name)])) } ?? false
            }
        }
        return SnapshotDelta(
            classes: schema.classes.filter { !$0.isEmbedded && hasMixed($0, seen: []) }
                .map { ClassDelta($0.name, isWhole: true, keepsValues: true) })
    }

    /// Another schema, with what it shows of the sides of a partner.
    ///
    /// - Parameter remains: the objects of the partner's class that are gone.
    fileprivate static func schema(
        of plan: PartnerPlan, deleting remains: [SnapshotDelta.DeletedObject] = []
    ) -> SnapshotDelta {
        var classes = [SnapshotDelta.ClassDelta(plan.left.name, isWhole: true, keepsValues: true)]
        if !plan.isWithinClass {
            classes.append(
                SnapshotDelta.ClassDelta(plan.right.name, isWhole: true, keepsValues: true, deleted: remains))
        }
        return SnapshotDelta(changesSchema: true, classes: classes)
    }
}
