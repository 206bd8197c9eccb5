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
    }

    private let application: ChangeApplication
    private let schema: Schema
    private let steps: [RetiredSideWriting]

    /// Begins beside an application of a realm as if the sides were there.
    ///
    /// - Parameter store: has the segments of the snapshot as it was.
    package init(
        _ sides: RetiredSides, beside application: ChangeApplication, in store: any SegmentStore,
        call: @escaping PartnerWriting.Call
    ) throws {
        self.application = application
        schema = sides.schema
        steps = try sides.steps.map { try RetiredSideWriting($0, beside: application, in: store, call: call) }
    }

    /// The applications to finish with.
    package var applications: [ChangeApplication] { steps.map(\.partner.derived) }

    // MARK: Bringing up to date

    /// An object by its class and primary key.
    private struct Name: Hashable {
        let className: NameKey
        let primaryKey: Value
    }

    /// Brings those objects up to date that a batch changes, and sees to it that those are there which it deletes or links to.
    ///
    /// - Returns: what it names and can't be made for.
    package func refresh(for batch: ChangeBatch) throws -> [Refusal] {
        var (changed, named) = ([NameKey: [Value]](), [NameKey: [Value]]())
        // Whose changes come to nothing where an object can't be brought up to date.
        var origins: [Name: Name] = [:]
        func name(_ classIndex: Int, _ primaryKey: Value) -> Name {
            Name(className: NameKey(schema.classes[classIndex].name), primaryKey: primaryKey)
        }
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
        var keys: [(changed: [Value], named: [Value])] = []
        for step in steps {
            let (retired, standing) = (NameKey(step.step.retired.name), NameKey(step.step.standing.name))
            let own = Set(changed[retired] ?? [])
            let others = Set(named[retired] ?? []).subtracting(own)
            keys.append((Array(own), Array(others)))
            guard retired != standing else { continue }
            for (list, isChanged) in [(Array(own), true), (Array(others), false)] {
                for (primaryKey, other) in zip(list, try step.standingKeys(of: list)) {
                    guard let other else { continue }
                    if isChanged {
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
        for (step, keys) in zip(steps, keys).reversed() {
            let retired = NameKey(step.step.retired.name)
            refuse(
                try step.ensure(keys.named) + step.refresh(keys.changed) { try ensure(Array($1), of: $0) }, of: retired)
        }
        for (step, keys) in zip(steps, keys) {
            refuse(try step.remember(keys.changed), of: NameKey(step.step.retired.name))
        }
        return refusals
    }

    /// Sees to it that objects of a class that left are there where their other sides are, which may have left as well.
    private func ensure(_ primaryKeys: [Value], of className: String) throws {
        guard
            let place = steps.lastIndex(where: { step in
                step.step.properties == nil && step.step.retired.name.hasSameBytes(as: className)
            })
        else { return }
        let step = steps[place]
        try ensure(try step.standingKeys(of: primaryKeys).compactMap { $0 }, of: step.step.standing.name)
        _ = try step.ensure(primaryKeys)
    }

    /// Whether an object is there.
    ///
    /// - Parameter className: of the schema that the batch is read with.
    package func has(_ primaryKey: Value, of className: String) throws -> Bool {
        guard let index = application.editor.view.index(of: className) else { return false }
        return try application.editor.object(in: index, of: primaryKey) != nil
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
            try partner.prepare(for: batch, readWith: schema)
        }
        var deleted = try application.apply(batch)
        deleted.formUnion(try deleteOtherSides(of: batch, writing: partners))
        let cleared = try application.clearLinks()
        var changed = try ChangedObjects(batch, application, schema)
        var traces = Traces()
        // A link to what a later step makes is there the second time.
        for _ in 0..<(linksToLaterSides ? 2 : 1) {
            traces = Traces()
            for step in steps {
                let refusals = try write(step, &changed, &traces, of: batch)
                guard refusals.isEmpty else { return Outcome(refusals: refusals) }
            }
        }
        var changes = application.delta
        changes.merge(changed.delta)
        let effects: [PartnerEffects?]
        do {
            effects = try partners.map { try $0.write(changes, cleared, ClearedObjects(), of: batch, readWith: schema) }
        } catch ChangeError.contradiction(let values) where !values.isEmpty {
            let value = values[0]
            return Outcome(refusals: [
                refusal(of: batch.upserts[value.upsert], value.property, Self.isContradicted)
            ])
        }
        return Outcome(
            count: batch.upserts.count + deleted.count, effects: effects, unheard: unheard(traces, in: batch))
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
        let others = try DeletedSides(of: batch, readWith: schema, through: steps.map(\.partner) + partners)
        var deletes = ChangeBatch()
        deletes.deletes = others.deletes
        return Set(try application.apply(deletes).map { others.origins[$0] })
    }

    /// Writes what was changed of a side that left to the one that stayed.
    private func write(
        _ step: RetiredSideWriting, _ changed: inout ChangedObjects, _ traces: inout Traces, of batch: ChangeBatch
    ) throws -> [Refusal] {
        let (retired, standing) = (step.step.retired.name, step.step.standing.name)
        var meant = changed.objects(of: retired)
        if let properties = step.step.properties {
            let given = Set(step.step.lead.outputs.properties.map { NameKey($0.name) })
            // All follows that a function makes of a new object.
            meant = meant.filter { key, object in
                object.has(properties) || object.isNamed && step.earlier.rows[key] == nil && !object.has(given)
            }
        }
        let keys = try meant.keys.filter { try step.isThere($0) }.sorted()
        let named = meant.mapValues { object in
            Set(object.properties.keys).intersection(step.step.properties ?? Set(object.properties.keys))
        }
        let others = try given(changed.objects(of: standing), on: step, meaning: meant)
        let written = try step.write(keys, naming: named, sparing: others.mapValues { Set($0.keys) })
        for object in written.objects {
            guard let origin = meant[object.retired] else { continue }
            var properties = Dictionary(uniqueKeysWithValues: object.properties.map { ($0, Set<ChangedValue>()) })
            for (property, following) in written.consequences[object.retired] ?? [:] {
                for name in following { properties[name]?.formUnion(origin.properties[property] ?? []) }
            }
            changed.note(object.standing, of: standing, properties, because: origin)
            for (property, values) in properties where !leaves(property, of: standing) {
                traces.arrived.formUnion(values)
            }
        }
        for (key, properties) in written.consequences {
            for property in properties.keys { traces.begun.formUnion(meant[key]?.properties[property] ?? []) }
        }
        return contradictions(written, meant, others, in: batch)
            + written.failures.compactMap { failure in
                meant[failure.key].map { refusal(of: batch.upserts[$0.upsert], nil, failure.reason) }
            }
    }

    /// The properties that a batch gives the other sides of objects of a side that left, by the keys of these, and the places of the upserts.
    private func given(
        _ standing: [Int64: ChangedObjects.Object], on step: RetiredSideWriting,
        meaning meant: [Int64: ChangedObjects.Object]
    ) throws -> [Int64: [NameKey: Int]] {
        let named = standing.filter { !$0.value.given.isEmpty }
        if let properties = step.step.properties {
            // An upsert that names properties of both is one of the partner, which counts.
            return named.mapValues { object in
                let ofPartner = step.step.isCutOver ? [] : Set(properties.compactMap { object.given[$0] })
                return object.given.filter { !ofPartner.contains($0.value) }
            }
        }
        var given: [Int64: [NameKey: Int]] = [:]
        let objects = Array(named.values)
        for (object, primaryKey) in zip(objects, try step.retiredKeys(of: objects.map(\.primaryKey))) {
            guard let key = try primaryKey.flatMap({ try step.retiredObject($0) }), meant[key] != nil else { continue }
            given[key] = object.given
        }
        return given
    }

    /// The values of a batch that another one of its values contradicts.
    ///
    /// - Parameter given: the properties of the other sides that it gives, with the places of the upserts.
    private func contradictions(
        _ written: RetiredSideWriting.Written, _ meant: [Int64: ChangedObjects.Object],
        _ given: [Int64: [NameKey: Int]], in batch: ChangeBatch
    ) -> [Refusal] {
        written.contradicted.sorted { $0.key < $1.key }.flatMap { key, properties -> [Refusal] in
            guard let origin = meant[key] else { return [] }
            let causes = (written.consequences[key] ?? [:]).filter { property, following in
                // Within one upsert the partner counts.
                following.intersection(properties).contains { given[key]?[$0] != origin.given[property] }
            }
            let values = Set(causes.keys.flatMap { origin.properties[$0] ?? [] })
            return values.sorted { ($0.upsert, $0.property.name) < ($1.upsert, $1.property.name) }.map { value in
                let upsert = batch.upserts[value.upsert]
                let property = schema.classes[upsert.classIndex].property(named: value.property.name)
                return refusal(
                    of: upsert, property?.publicName ?? value.property.name, Self.isContradicted)
            }
        }
    }

    private static let isContradicted = "The batch gives the object's other side a value that contradicts it."

    /// Whether a property of a class has left the schema.
    private func leaves(_ property: NameKey, of className: String) -> Bool {
        steps.contains {
            $0.step.retired.name.hasSameBytes(as: className) && $0.step.properties?.contains(property) != false
        }
    }

    /// The ways of changed values from what left to what stayed.
    private struct Traces {
        /// Those that something might have come of.
        var begun: Set<ChangedValue> = []
        /// Those of which something came to what stayed.
        var arrived: Set<ChangedValue> = []
    }

    private func unheard(_ traces: Traces, in batch: ChangeBatch) -> [Refusal] {
        let lost = traces.begun.subtracting(traces.arrived).sorted {
            ($0.upsert, $0.property.name) < ($1.upsert, $1.property.name)
        }
        return lost.map { value in
            let upsert = batch.upserts[value.upsert]
            let property = schema.classes[upsert.classIndex].property(named: value.property.name)
            return refusal(
                of: upsert, property?.publicName ?? value.property.name, "The partner's function makes nothing of it.")
        }
    }

    private func refusal(of upsert: ChangeBatch.Upsert, _ property: String?, _ reason: String) -> Refusal {
        Refusal(
            className: schema.classes[upsert.classIndex].name, primaryKey: upsert.primaryKey, property: property,
            reason: reason)
    }
}

/// A value that a batch gives.
private struct ChangedValue: Hashable {
    /// The first upsert of the object, by its place.
    let upsert: Int
    /// The property.
    let property: NameKey
}

/// The objects that a batch has made or changed, and those that were changed with them.
private struct ChangedObjects {
    struct Object {
        /// The upsert that it was changed by or because of, by its place.
        let upsert: Int
        /// Its primary key; null of one that the batch does not name.
        let primaryKey: Value
        /// Whether the batch names it.
        var isNamed: Bool
        /// The properties that were changed, and the values of the batch that they follow from.
        var properties: [NameKey: Set<ChangedValue>]
        /// The properties that the batch gives, with the place of the last upsert that does.
        var given: [NameKey: Int] = [:]

        /// Whether one of some properties was given.
        func has(_ names: Set<NameKey>) -> Bool { properties.keys.contains { names.contains($0) } }
    }

    private var objects: [NameKey: [Int64: Object]] = [:]

    init(_ batch: ChangeBatch, _ application: ChangeApplication, _ schema: Schema) throws {
        for (place, upsert) in batch.upserts.enumerated() {
            guard let object = try application.editor.object(in: upsert.classIndex, of: upsert.primaryKey) else {
                continue
            }
            let declared = schema.classes[upsert.classIndex]
            var changed =
                objects[NameKey(declared.name)]?[object.key.value]
                ?? Object(upsert: place, primaryKey: upsert.primaryKey, isNamed: true, properties: [:])
            for member in upsert.members {
                let name = NameKey(declared.properties[member.property].name)
                changed.properties[name] = [ChangedValue(upsert: changed.upsert, property: name)]
                changed.given[name] = place
            }
            objects[NameKey(declared.name), default: [:]][object.key.value] = changed
        }
    }

    func objects(of className: String) -> [Int64: Object] { objects[name: className] ?? [:] }

    mutating func note(
        _ key: Int64, of className: String, _ properties: [NameKey: Set<ChangedValue>], because origin: Object
    ) {
        objects[NameKey(className), default: [:]][
            key,
            default: Object(upsert: origin.upsert, primaryKey: origin.primaryKey, isNamed: false, properties: [:])
        ].properties.merge(properties) { $0.union($1) }
    }

    /// All of them.
    var delta: SnapshotDelta {
        SnapshotDelta(
            classes: objects.sorted { $0.key.name < $1.key.name }.map {
                SnapshotDelta.ClassDelta($0.key.name, upserted: $0.value.keys.sorted())
            })
    }
}
