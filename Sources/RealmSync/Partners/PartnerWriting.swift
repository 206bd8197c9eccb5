import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Writes to the other side of a partner what was changed on one, in the same snapshot.
///
/// Derived values go no further: only what clients changed is ever the origin, and what their deletions did to
/// other objects. Where a batch changes both an object and its partner, each keeps what it was given; what the batch deletes on
/// one side is deleted on both. Belongs to one thread.
package final class PartnerWriting {
    /// Calls a function of one object in a host, and the one that is to lead back; the last is called while they run.
    package typealias Call = (
        ObjectFunction, ReturnFunction?, FunctionObjects, FunctionFailurePolicy, () throws -> Void
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?)

    /// Tells which of some objects of the class wait for their partners: neither a backfill nor a change has come to them.
    package typealias Waiting = (Set<Int64>) throws -> Set<Int64>

    /// The partner.
    package let plan: PartnerPlan
    /// Makes the derived changes.
    package let derived: ChangeApplication

    let before: Snapshot
    /// The realm before what objects are written for as a consequence of it.
    let earlier: Snapshot
    let store: any SegmentStore
    /// Nil where no object waits.
    let waiting: Waiting?
    /// Tells which of some objects of the class have no partner, since a function failed for them; nil where that is not known.
    let failed: Waiting?
    /// The partner classes of which objects may not be there yet.
    let unmade: Set<NameKey>
    let left: FunctionRows
    let right: FunctionRows
    let leftClass: Int
    let rightClass: Int
    let keys: PartnerKeys
    /// The partners that a batch changes as these were before it, and what the functions gave for them.
    var prepared: Prepared?
    /// Whether of what a function gives that alone is written which it did not give before the batch.
    ///
    /// That is for changes that come late: others may have changed the rest meanwhile.
    var writesChangesAlone = false
    /// Links to what is not there, of which functions make nothing, where the changes alone are written.
    var brokenLinks: [BrokenLinks] = []
    /// The objects of the other side that were looked up while functions ran; good until that is written.
    var lookedUp: LookedUp?

    private let functions: Call

    /// Begins to write beside the changes of clients.
    ///
    /// - Parameters:
    ///   - earlier: the realm before what is to be followed, where that was not done beside this application.
    ///   - store: has the segments of the snapshot as it was.
    ///   - waiting: nil where no object waits.
    ///   - failed: tells which objects have no properties of a partner, since a function failed for them.
    ///   - unmade: the classes of the realm's partners that are being prepared; nil where they are not known.
    package init(
        _ plan: PartnerPlan, beside application: ChangeApplication, after earlier: Snapshot? = nil,
        in store: any SegmentStore, waiting: Waiting? = nil, failed: Waiting? = nil, unmade: Set<NameKey>? = nil,
        call: @escaping Call
    ) throws {
        self.plan = plan
        self.store = store
        self.waiting = waiting
        self.failed = failed
        self.unmade = unmade ?? Set(plan.expanded.classes.map { NameKey($0.name) })
        functions = call
        keys = PartnerKeys(plan, call: call)
        before = application.before
        self.earlier = earlier ?? application.before
        derived = ChangeApplication(beside: application, as: plan.expanded)
        let view = derived.editor.view
        left = try FunctionRows(of: plan.left, in: view)
        right = try FunctionRows(of: plan.right, in: view)
        guard let leftClass = view.index(of: plan.left.name), let rightClass = view.index(of: plan.right.name) else {
            throw PartnerError.unfit("A side is missing.", pointer: "/class", className: plan.left.name)
        }
        (self.leftClass, self.rightClass) = (leftClass, rightClass)
    }

    // MARK: From the class to the partner

    /// Gives objects of the class their partners, or writes what their partners hold anew.
    ///
    /// - Parameters:
    ///   - policy: collects where an object for which a function fails is to have no partner, and be found.
    ///   - areNew: whether none of the objects has a partner, so that there is nothing to look up.
    package func writeRight(
        of keys: [Int64], policy: FunctionFailurePolicy, areNew: Bool = false
    ) throws -> PartnerEffects {
        guard !keys.isEmpty else { return PartnerEffects() }
        let answered = try ask(for: keys, policy: policy, areNew: areNew)
        return try writesChangesAlone ? writeChanges(answered, policy: policy) : writeRight(answered, policy: policy)
    }

    /// Asks the functions about objects of the class, and changes nothing.
    ///
    /// The answers are good for as long as neither the objects nor the schema change.
    package func ask(for keys: [Int64], policy: FunctionFailurePolicy, areNew: Bool = false) throws -> Answered {
        let (objects, unseen) = policy == .collects ? try left.seen(keys) : (try left.objects(keys), [])
        let areNew = areNew && !plan.isWithinClass && hasSameKeyType
        let back = try wayBack(plan.backward, of: right, in: rightClass, after: plan.forward, of: left, areNew: areNew)
        let (answers, returned) = try call(plan.forward, back, objects, policy) {
            if !areNew { try lookUp(objects, seenAs: left, on: right, in: rightClass) }
        }
        return Answered(
            objects: objects, answers: answers, returned: returned, areNew: areNew,
            unseen: try unseen.map {
                failure($0.error.message, ObjectKey($0.key), try left.primaryKey(of: $0.key) ?? .null)
            })
    }

    /// Gives the objects that functions were asked about their partners, as `writeRight(of:policy:areNew:)` does.
    package func writeRight(_ answered: Answered, policy: FunctionFailurePolicy) throws -> PartnerEffects {
        let (objects, answers, areNew) = (answered.objects, answered.answers, answered.areNew)
        let keys = objects.keys.map(\.value)
        let made = areNew ? try made(of: answers, for: objects) : nil
        let written =
            try made.flatMap { try insert($0, for: objects) }
            ?? write(answers, of: objects, by: plan.forward, to: rightClass, policy: policy, areNew: areNew)
        var effects = try written.effects(of: keys) { pairs in
            // The law: what comes back is what was there.
            if let returned = answered.returned, pairs.count == keys.count {
                return try findings(.violation, objects, returned, plan.backward, seenAs: left, of: objects, left)
            }
            return try violations(of: pairs)
        }
        effects.forwarded = effects.pairs.map(\.object)
        effects.examined.formUnion(answered.unseen.map(\.key))
        effects.findings += answered.unseen
        return effects
    }

    /// Gives partners the links to others that were not there when they got theirs, and changes nothing else of them.
    ///
    /// - Parameter given: the properties that clients gave partners since then, by the keys of the objects: these stay.
    package func writeLinks(_ answered: Answered, except given: [Int64: Set<NameKey>]) throws -> PartnerEffects {
        let whole = answered
        var answered = answered
        let keys = answered.objects.keys.map(\.value)
        let areThere = try havePartners(keys)
        for (place, property) in plan.forward.outputs.properties.enumerated() {
            let stored = plan.right.property(named: property.name)
            // A primary key is written by nobody, and says which partner is meant.
            let isMeant = stored.map { plan.holdsLinks($0) || plan.right.isPrimaryKey($0) } ?? false
            var rows = Bitmap(repeating: true, count: keys.count)
            for (row, key) in keys.enumerated() {
                let isGiven = given[key]?.contains(NameKey(property.name)) ?? false
                // A partner that is still to be made gets everything.
                rows[row] = answered.answers.columns[place].isGiven(row) && (!areThere[row] || isMeant && !isGiven)
            }
            answered.answers.columns[place].given = rows
        }
        answered.returned = nil
        var effects = try writeRight(answered, policy: .collects)
        // Values that clients gave stay, and are told where `forward` gives something else.
        effects.findings += try divergences(from: whole, of: effects.pairs)
        effects.forwarded = []
        return effects
    }

    // MARK: From the partner to the class

    /// Writes the objects of the class that partners stand in for.
    ///
    /// - Parameters:
    ///   - narrow: takes away what is not to be written; nil where all is.
    ///   - asConsequence: whether that alone is written which the function gives otherwise than before.
    ///   - given: stays as it is; nil where nobody gave anything.
    func writeLeft(
        of keys: [Int64], narrowing narrow: ((FunctionAnswers) throws -> FunctionAnswers)?,
        asConsequence: Bool = false, sparing given: GivenNames? = nil
    ) throws -> PartnerEffects {
        guard !keys.isEmpty else { return PartnerEffects() }
        let objects = try right.objects(keys)
        let changesAlone = asConsequence || writesChangesAlone
        // The object may hold something else than the function gave.
        let back =
            try narrow == nil && !changesAlone
            ? wayBack(plan.forward, of: left, in: leftClass, after: plan.backward, of: right) : nil
        let (answers, returned) = try call(plan.backward, back, objects, .stops) {
            try lookUp(objects, seenAs: right, on: left, in: leftClass)
        }
        var meant = try narrow?(answers) ?? answers
        if changesAlone { meant = try withoutUnchanged(meant, of: keys, by: plan.backward) }
        if asConsequence { meant = try sparingOwnChanges(meant, of: objects, by: plan.backward) }
        if let given { meant = try sparing(given, in: meant, of: objects, by: plan.backward) }
        let written = try write(meant, of: objects, by: plan.backward, to: leftClass, policy: .stops)
        let origins = written.pairs.map { PartnerEffects.Pair(object: $0.partner, partner: $0.object) }
        return try Written(pairs: origins, failures: []).effects(of: origins.map(\.object)) { pairs in
            if let returned, pairs.count == keys.count, let key = objects.primaryKey {
                let keys = pairs.map { ObjectKey($0.object) }
                let own = FunctionObjects(keys: keys, columns: objects.columns, primaryKey: key)
                return try findings(.divergence, objects, returned, plan.forward, seenAs: right, of: own, right)
            }
            let own = try left.objects(pairs.map(\.object))
            let (forth, _) = try call(plan.forward, nil, own, .collects)
            let divergences = try findings(
                .divergence, try right.objects(pairs.map(\.partner)), forth, plan.forward, seenAs: right, of: own,
                left)
            // A partner without all its links gives back less than there is, for now.
            return changesAlone && !mayLackLinks ? divergences + (try violations(of: pairs)) : divergences
        }
    }

    /// Calls a function, and another one with what it answered.
    ///
    /// - Parameter meanwhile: called while they run, which is in another process.
    func call(
        _ function: ObjectFunction, _ back: ReturnFunction?, _ objects: FunctionObjects,
        _ policy: FunctionFailurePolicy, meanwhile: () throws -> Void = {}
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?) {
        try functions(function, back, objects, policy, meanwhile)
    }

    /// Whether partners may lack links to others, which are not there yet.
    var mayLackLinks: Bool {
        waiting != nil && !plan.isWithinClass && plan.right.properties.contains { plan.holdsLinks($0, to: unmade) }
    }

    func isThere(_ key: Int64, _ classIndex: Int) throws -> Bool {
        try derived.editor.view.isValid(
            ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(key)))
    }
}
