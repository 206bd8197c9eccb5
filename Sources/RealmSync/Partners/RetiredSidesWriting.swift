import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Makes changes that clients had not sent when sides of partners left the realm's schema.
///
/// Changes of a side that left go over to the one that stayed, and from there on where that has left, too, or has a partner of its own.
/// Belongs to one thread.
package final class RetiredSidesWriting {
    /// A change that can't be made, by its class and primary key, and why.
    package struct Refusal {
        /// The class.
        package let className: String
        /// The primary key.
        package let primaryKey: Value
        /// The property; nil for the whole object.
        package var property: String?
        /// Why.
        package let reason: String
        /// Whether another side of the object says what the value is instead.
        package var isOverruled = false
    }

    let application: ChangeApplication
    let schema: Schema
    let steps: [RetiredSideWriting]
    private let call: PartnerWriting.Call
    /// The objects that are new, and were made of what a batch gives a side that is there.
    var made: Set<Name> = []

    /// Begins beside an application of a realm as if the sides were there.
    ///
    /// - Parameter store: has the segments of the snapshot as it was.
    package init(
        _ sides: RetiredSides, beside application: ChangeApplication, in store: any SegmentStore,
        call: @escaping PartnerWriting.Call
    ) throws {
        (self.application, self.call) = (application, call)
        schema = sides.schema
        steps = try sides.steps.map { try RetiredSideWriting($0, beside: application, in: store, call: call) }
    }

    /// The applications to finish with.
    package var applications: [ChangeApplication] { steps.map(\.partner.derived) }

    // MARK: Bringing up to date

    /// An object by its class and primary key.
    struct Name: Hashable {
        let className: NameKey
        let primaryKey: Value
    }

    func name(_ classIndex: Int, _ primaryKey: Value) -> Name {
        Name(className: NameKey(schema.classes[classIndex].name), primaryKey: primaryKey)
    }

    /// Brings those objects up to date that a batch changes, and sees to it that those are there which it deletes or links to.
    ///
    /// - Returns: what it names and can't be made for.
    package func refresh(for batch: ChangeBatch) throws -> [Refusal] {
        try makeStanding(for: batch)
        return try bringUpToDate(batch)
    }

    /// Brings what a batch mentions up to date, before or after it is applied.
    func bringUpToDate(_ batch: ChangeBatch) throws -> [Refusal] {
        var (changed, named, origins) = mentions(in: batch)
        var keys: [(changed: [Value], named: [Value])] = []
        var others: [[Value: Value]] = []
        for step in steps {
            let (retired, standing) = (NameKey(step.step.retired.name), NameKey(step.step.standing.name))
            let own = Set(changed[retired] ?? [])
            let rest = Set(named[retired] ?? []).subtracting(own)
            keys.append((Array(own), Array(rest)))
            others.append(retired == standing ? Dictionary(uniqueKeysWithValues: own.map { ($0, $0) }) : [:])
            guard retired != standing else { continue }
            for (list, isChanged) in [(Array(own), true), (Array(rest), false)] {
                for (primaryKey, other) in zip(list, try step.standingKeys(of: list)) {
                    guard let other else { continue }
                    if isChanged {
                        others[others.count - 1][primaryKey] = other
                        changed[standing, default: []].append(other)
                    } else {
                        named[standing, default: []].append(other)
                    }
                    guard let origin = origins[Name(className: retired, primaryKey: primaryKey)] else { continue }
                    let name = Name(className: standing, primaryKey: other)
                    if origins[name] == nil { origins[name] = origin }
                }
            }
        }
        var refusals: [Refusal] = []
        func refuse(_ failures: [RetiredSideWriting.Failure], of retired: NameKey) {
            refusals += failures.compactMap { failure in
                origins[Name(className: retired, primaryKey: failure.primaryKey)].map {
                    Refusal(className: $0.className.name, primaryKey: $0.primaryKey, reason: failure.reason)
                }
            }
        }
        for (place, step) in steps.enumerated().reversed() {
            let (retired, standing) = (NameKey(step.step.retired.name), NameKey(step.step.standing.name))
            // Nothing that follows for a new object is there already, and the object may do without what its other side says.
            let new = Set(
                others[place].filter { made.contains(Name(className: standing, primaryKey: $0.value)) }.keys)
            made.formUnion(new.map { Name(className: retired, primaryKey: $0) })
            let (changed, named) = keys[place]
            let unmade = try step.ensure(named)
            let failures = try step.refresh(changed) { try ensure(Array($1), of: $0) }
            refuse(unmade + failures.filter { !new.contains($0.primaryKey) }, of: retired)
            keys[place].changed = changed.filter { !new.contains($0) }
        }
        for (step, keys) in zip(steps, keys) {
            refuse(try step.remember(keys.changed), of: NameKey(step.step.retired.name))
        }
        return refusals
    }

    /// The objects that a batch changes and those that it names otherwise, by their classes, and whose changes come to nothing where one
    /// can't be brought up to date.
    private func mentions(
        in batch: ChangeBatch
    ) -> (changed: [NameKey: [Value]], named: [NameKey: [Value]], origins: [Name: Name]) {
        var (changed, named, origins) = ([NameKey: [Value]](), [NameKey: [Value]](), [Name: Name]())
        for upsert in batch.upserts {
            let own = name(upsert.classIndex, upsert.primaryKey)
            changed[own.className, default: []].append(upsert.primaryKey)
            origins[own] = own
        }
        for delete in batch.deletes {
            let own = name(delete.classIndex, delete.primaryKey)
            named[own.className, default: []].append(delete.primaryKey)
            origins[own] = own
        }
        for reference in batch.references {
            guard case .primaryKey(let value) = reference.target else { continue }
            named[name(reference.classIndex, value).className, default: []].append(value)
        }
        return (changed, named, origins)
    }

    /// Sees to it that objects of a class that left are there where their other sides are, which may have left as well.
    ///
    /// - Parameter keepsOthers: whether objects that are there stay: their other sides may still be made.
    private func ensure(_ primaryKeys: [Value], of className: String, keepingOthers keepsOthers: Bool = false) throws {
        let primaryKeys = try keepsOthers ? primaryKeys.filter { try !has($0, of: className) } : primaryKeys
        guard !primaryKeys.isEmpty,
            let place = steps.lastIndex(where: { step in
                step.step.properties == nil && step.step.retired.name.hasSameBytes(as: className)
            })
        else { return }
        let step = steps[place]
        let others = try step.standingKeys(of: primaryKeys).compactMap { $0 }
        try ensure(others, of: step.step.standing.name, keepingOthers: keepsOthers)
        _ = try step.ensure(primaryKeys)
    }

    /// Whether an object is there.
    ///
    /// - Parameter className: of the schema that the batch is read with.
    package func has(_ primaryKey: Value, of className: String) throws -> Bool {
        guard let index = application.editor.view.index(of: className) else { return false }
        return try application.editor.object(in: index, of: primaryKey) != nil
    }

    /// Whether the other side of an object is there, of which a partner that is being prepared makes it.
    package func hasOtherSide(
        _ primaryKey: Value, of className: String, through partners: [PartnerPlan]
    ) throws -> Bool {
        try partners.contains { plan in
            let isLeft = plan.left.name.hasSameBytes(as: className)
            guard !plan.isWithinClass, isLeft || plan.right.name.hasSameBytes(as: className) else { return false }
            let function = isLeft ? plan.forward : plan.backward
            let others = try PartnerKeys(plan, call: call).others(of: [primaryKey], by: function)
            guard case .success(let other)? = others.first else { return false }
            return try has(other, of: isLeft ? plan.right.name : plan.left.name)
        }
    }

    /// Adds to what a batch gives objects what the functions make of it for their other sides, in the order in which these are written.
    ///
    /// - Parameter partners: those of the realm that are on their way.
    package func complete(_ objects: inout CompletedObjects, through partners: [PartnerPlan]) throws {
        for step in steps { try objects.lead(step.partner.plan, by: step.step.lead, call: call) }
        for plan in partners {
            for function in [plan.forward, plan.backward] { try objects.lead(plan, by: function, call: call) }
        }
    }

    // MARK: Making the changes

    /// The outcome of a batch.
    package struct Outcome {
        /// How many objects were made, changed or deleted.
        package var count = 0
        /// The effects on each partner that is on its way; nil for one that the batch leaves alone.
        package var effects: [PartnerEffects?] = []
        /// The changes that can't be made; where there is any, nothing else counts, and the application is of no use.
        package var refusals: [Refusal] = []
        /// The changed values of which nothing came to what stayed: a function on their way makes nothing of them.
        package var unheard: [Refusal] = []
    }

    /// Makes the changes of a batch whose objects are up to date.
    ///
    /// - Parameter partners: those of the realm that are on their way.
    package func apply(_ batch: ChangeBatch, writing partners: [PartnerWriting]) throws -> Outcome {
        for partner in partners {
            partner.writesChangesAlone = true
            let unready = try partner.prepare(for: batch, readWith: schema)
            let refusals = unready.map { refusal(of: batch.upserts[$0.upsert], nil, $0.reason) }
            guard refusals.isEmpty else { return Outcome(refusals: refusals) }
            partner.brokenLinks = []
        }
        var deleted = try application.apply(batch)
        deleted.formUnion(try deleteOtherSides(of: batch, writing: partners))
        let cleared = try application.clearLinks()
        try makeLinkedSides(of: batch, writing: partners)
        let own = try ChangedObjects(batch, application, schema)
        var (changed, traces) = (own, Traces())
        // A link to what a later step makes is there the second time.
        for isWhole in linksToLaterSides ? [false, true] : [true] {
            (changed, traces) = (own, Traces())
            for step in steps {
                let refusals = try write(step, &changed, &traces, of: batch, isWhole: isWhole)
                guard refusals.isEmpty else { return Outcome(refusals: refusals) }
            }
        }
        var changes = application.delta
        changes.merge(changed.delta)
        let followed = try FollowedBatch(batch, readWith: schema, changed, in: application)
        let effects: [PartnerEffects?]
        do {
            effects = try partners.map {
                try $0.write(changes, cleared, ClearedObjects(), of: followed.batch, readWith: schema)
            }
        } catch ChangeError.contradictions(let found) {
            let contradictions = Contradictions(in: batch, of: schema, beside: steps)
            let last = found.reduce(into: Set<ChangedValue>()) { last, values in
                let causes = values.map { followed.causes(of: $0) }
                last.formUnion(contradictions.sooner(causes.first ?? [], Set(causes.dropFirst().joined())))
            }
            let refused = last.isEmpty ? traces.contradicted : last
            guard !refused.isEmpty else { throw ChangeError.contradictions(found) }
            return Outcome(refusals: contradicted(refused, in: batch))
        } catch let error as MigrationError {
            let refused = try failures(of: partners, for: changes, of: batch, changed)
            guard !refused.isEmpty else { throw error }
            return Outcome(refusals: refused)
        }
        let broken = try broken(by: partners, following: followed, in: batch)
        guard broken.isEmpty else { return Outcome(refusals: broken) }
        guard traces.contradicted.isEmpty else {
            return Outcome(refusals: contradicted(traces.contradicted, in: batch))
        }
        let overruled = try overruled(traces.unchanged, by: changed, of: batch, beside: partners)
        guard overruled.isEmpty else { return Outcome(refusals: overruled) }
        return Outcome(
            count: batch.upserts.count + deleted.count, effects: effects, unheard: unheard(traces, in: batch))
    }

    /// The objects that were changed for which a function of a partner on its way fails.
    private func failures(
        of partners: [PartnerWriting], for changes: SnapshotDelta, of batch: ChangeBatch, _ changed: ChangedObjects
    ) throws -> [Refusal] {
        try partners.flatMap { partner in
            try partner.failures(for: changes, of: batch, readWith: schema).compactMap { className, failure in
                changed.objects(of: className)[failure.key].map {
                    refusal(of: batch.upserts[$0.upsert], nil, failure.reason ?? "")
                }
            }
        }
    }

    /// Whether what stayed of a side may link to what stayed of one that left later.
    private var linksToLaterSides: Bool {
        steps.indices.contains { place in
            let later = Set(steps[(place + 1)...].map { NameKey($0.step.standing.name) })
            return steps[place].step.standing.properties.contains { steps[place].step.plan.holdsLinks($0, to: later) }
        }
    }

    /// Deletes on all sides what a batch deletes on one, before anything is written to the others.
    ///
    /// - Returns: the deletes for which there was something, by their places in the batch.
    private func deleteOtherSides(of batch: ChangeBatch, writing partners: [PartnerWriting]) throws -> Set<Int> {
        let others = try OtherSides(of: batch.deletes, in: schema, through: steps.map(\.partner) + partners)
        var deletes = ChangeBatch()
        deletes.deletes = others.objects
        return Set(try application.apply(deletes).map { others.origins[$0] })
    }

    /// Makes the other sides that partners on their way give new objects, with their primary keys alone: what stayed of sides that left may
    /// link to them, and is written first.
    private func makeLinkedSides(of batch: ChangeBatch, writing partners: [PartnerWriting]) throws {
        for partner in partners where !partner.plan.isWithinClass {
            let (plan, editor) = (partner.plan, partner.derived.editor)
            for (side, other, function) in [
                (plan.left, plan.right, plan.forward), (plan.right, plan.left, plan.backward),
            ] {
                let isLinked = steps.contains { step in
                    step.step.standing.properties.contains { step.step.plan.holdsLinks($0, to: [NameKey(other.name)]) }
                }
                guard isLinked, let own = schema.index(of: side.name), let index = editor.view.index(of: other.name)
                else {
                    continue
                }
                // The batch may delete what it upserts.
                let keys = try batch.upserts.map(\.primaryKey).enumerated().filter { place, key in
                    try batch.upserts[place].classIndex == own && application.editor.object(in: own, of: key) != nil
                }.map(\.element)
                let others = Set(try partner.keys.others(of: keys, by: function).compactMap { try? $0.get() })
                var made = ChangeBatch()
                for key in others where try editor.object(in: index, of: key) == nil {
                    made.upserts.append(ChangeBatch.Upsert(classIndex: index, primaryKey: key, members: []))
                }
                _ = try partner.derived.upsert(made)
            }
        }
    }

    /// Writes what was changed of a side that left to the one that stayed.
    ///
    /// - Parameter isWhole: whether all is there that it may link to; before, nothing is said of values.
    private func write(
        _ step: RetiredSideWriting, _ changed: inout ChangedObjects, _ traces: inout Traces, of batch: ChangeBatch,
        isWhole: Bool
    ) throws -> [Refusal] {
        let (retired, standing) = (step.step.retired.name, step.step.standing.name)
        let meant = meant(changed.objects(of: retired), by: step)
        let keys = try meant.keys.filter { try step.isThere($0) }.sorted()
        let named = meant.mapValues { object in
            Set(object.properties.keys).intersection(step.step.properties ?? Set(object.properties.keys))
        }
        // Values of the batch, and those that follow from them, are not to be written over.
        let held = changed.objects(of: standing).mapValues { $0.properties.filter { !$0.value.isEmpty } }
        let written = try step.write(keys, naming: named, sparing: held.mapValues { Set($0.keys) }) {
            try ensure(Array($1), of: $0, keepingOthers: true)
        }
        let contradictions = Contradictions(in: batch, of: schema, beside: steps)
        var refusals = written.failures.compactMap { failure in
            meant[failure.key].map { refusal(of: batch.upserts[$0.upsert], nil, failure.reason) }
        }
        var contradicted: Set<ChangedValue> = []
        for object in written.objects {
            guard let origin = meant[object.retired] else { continue }
            var causes = causes(of: object, from: origin, by: step, written)
            if isWhole {
                let left = try contradictions.left(
                    of: object, following: causes, beside: held[object.standing] ?? [:], from: origin, by: step, written
                )
                contradicted.formUnion(left.values.joined())
                causes = causes.filter { left[$0.key] == nil }
                for (property, target) in object.broken.sorted(by: { $0.key.name < $1.key.name }) {
                    refusals += self.refusals(of: causes[property] ?? [], Self.linksToNothing(of: target), in: batch)
                }
            }
            changed.note(object.standing, of: standing, causes, because: origin)
            for (property, values) in causes where contradictions.end(of: property, of: standing) == nil {
                traces.arrived.formUnion(values)
            }
        }
        if !contradicted.isEmpty { traces.contradicted = contradicted }
        for (key, properties) in written.consequences {
            for property in properties.keys { traces.begun.formUnion(meant[key]?.properties[property] ?? []) }
        }
        for key in keys {
            let changed = written.consequences[key] ?? [:]
            for property in named[key] ?? [] where changed[property] == nil {
                for value in meant[key]?.properties[property] ?? [] where isOwn(value, property, of: retired, in: batch)
                {
                    traces.unchanged.append(UnchangedValue(value: value, key: key, step: step))
                }
            }
        }
        return refusals
    }

    /// Those of some changed objects of a side that left of which something is written to the one that stayed.
    private func meant(
        _ changed: [Int64: ChangedObjects.Object], by step: RetiredSideWriting
    ) -> [Int64: ChangedObjects.Object] {
        guard let properties = step.step.properties else { return changed }
        let given = Set(step.step.lead.outputs.properties.map { NameKey($0.name) })
        // All follows that a function makes of a new object; nothing does of values that nobody gave though they are required.
        let isMade = !step.step.needsValue
        return changed.filter { key, object in
            object.has(properties) || isMade && object.isNamed && step.earlier.rows[key] == nil && !object.has(given)
        }
    }

    /// Whether a batch gives a value to that property itself.
    private func isOwn(
        _ value: ChangedValue, _ property: NameKey, of className: String, in batch: ChangeBatch
    ) -> Bool {
        value.property == property
            && schema.classes[batch.upserts[value.upsert].classIndex].name.hasSameBytes(as: className)
    }

    /// The values of the batch that the properties of an object's other side follow from.
    private func causes(
        of object: RetiredSideWriting.Written.Object, from origin: ChangedObjects.Object, by step: RetiredSideWriting,
        _ written: RetiredSideWriting.Written
    ) -> [NameKey: Set<ChangedValue>] {
        let consequences = written.consequences[object.retired] ?? [:]
        var causes = Dictionary(uniqueKeysWithValues: object.properties.map { ($0, Set<ChangedValue>()) })
        for (property, following) in consequences {
            for name in following { causes[name]?.formUnion(origin.properties[property] ?? []) }
        }
        return causes
    }

    static func linksToNothing(of className: String) -> String {
        "The partner's function links the object to one of the class '\(className)' that is not there."
    }

    /// The ways of changed values from what left to what stayed.
    private struct Traces {
        /// Those that something might have come of.
        var begun: Set<ChangedValue> = []
        /// Those of which something came to what stayed.
        var arrived: Set<ChangedValue> = []
        /// Those to leave out because others contradict them, found by the last step that found any: without those, the ones before may
        /// be in effect.
        var contradicted: Set<ChangedValue> = []
        /// Those that the object had before.
        var unchanged: [UnchangedValue] = []
    }

    private func unheard(_ traces: Traces, in batch: ChangeBatch) -> [Refusal] {
        refusals(
            of: traces.begun.subtracting(traces.arrived), "The partner's function makes nothing of it.", in: batch)
    }

    /// The values of a batch to leave out because others contradict them.
    func contradicted(_ values: Set<ChangedValue>, in batch: ChangeBatch) -> [Refusal] {
        refusals(of: values, Contradictions.reason, in: batch).map { refusal in
            var refusal = refusal
            refusal.isOverruled = true
            return refusal
        }
    }

    func refusals(of values: Set<ChangedValue>, _ reason: String, in batch: ChangeBatch) -> [Refusal] {
        values.sorted { ($0.upsert, $0.property.name) < ($1.upsert, $1.property.name) }.map { value in
            let upsert = batch.upserts[value.upsert]
            let property = schema.classes[upsert.classIndex].property(named: value.property.name)
            return refusal(of: upsert, property?.publicName ?? value.property.name, reason)
        }
    }

    private func refusal(of upsert: ChangeBatch.Upsert, _ property: String?, _ reason: String) -> Refusal {
        Refusal(
            className: schema.classes[upsert.classIndex].name, primaryKey: upsert.primaryKey, property: property,
            reason: reason)
    }
}
