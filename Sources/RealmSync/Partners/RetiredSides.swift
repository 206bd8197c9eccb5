import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// The sides of partners that have left a realm's schema, for clients that know them and had not sent all their changes.
///
/// They are stored still: with the schema that has it again, changes are made as if both sides were there.
package struct RetiredSides: Hashable, Sendable {
    /// A partner that came to its end.
    package struct Ended: Hashable, Sendable {
        let definition: PartnerDefinition
        /// Whether the partner stayed, and what it stands in for left the schema; else it was taken back.
        let isCutOver: Bool
        /// The class that left, or the class with the properties that left, as they were declared.
        let retired: ObjectSchema

        /// Describes a partner's end.
        package init(_ definition: PartnerDefinition, isCutOver: Bool, retired: ObjectSchema) {
            self.definition = definition
            self.isCutOver = isCutOver
            self.retired = retired
        }
    }

    /// A partner as if both of its sides were there.
    struct Step: Hashable, Sendable {
        let plan: PartnerPlan
        let isCutOver: Bool
        /// The properties that left, by their names; nil where a class did.
        let properties: Set<NameKey>?
    }

    /// The earliest first: what stayed of one may have left with a later one.
    let steps: [Step]
    /// The realm's schema with all that they bring back.
    package let schema: Schema

    /// The sides that a realm stores still and does not show.
    ///
    /// - Parameters:
    ///   - ended: its partners, in the order in which they ended.
    ///   - snapshot: the realm.
    package init(_ ended: [Ended], of snapshot: Snapshot) {
        var (steps, schema) = ([Step](), snapshot.declared)
        for partner in ended.reversed() {
            // The last of several that left under one name is meant; another one may have come back under it.
            guard snapshot.stores(partner.retired), let whole = schema.adding(partner.retired, of: partner.definition),
                let plan = try? PartnerPlan(partner.definition, in: whole)
            else { continue }
            schema = whole
            let names = partner.retired.properties.map { NameKey($0.name) }
            steps.append(
                Step(plan: plan, isCutOver: partner.isCutOver, properties: plan.isWithinClass ? Set(names) : nil))
        }
        self.steps = steps.reversed()
        self.schema = schema
    }

    /// The objects of the realm's schema that stand in for some of a class that left it.
    ///
    /// - Returns: their class, and of each its primary key, nil where the functions lead to none; the same where the class is there.
    package func standing(
        for primaryKeys: [Value], of className: String, call: @escaping PartnerWriting.Call
    ) throws -> (className: String, primaryKeys: [Value?]) {
        var (name, keys) = (className, primaryKeys.map(Value?.some))
        for step in steps where step.properties == nil && step.retired.name.hasSameBytes(as: name) {
            let known = keys.compactMap { $0 }
            var others = try PartnerKeys(step.plan, call: call).others(of: known, by: step.lead).makeIterator()
            keys = keys.map { $0 == nil ? nil : try? others.next()?.get() }
            name = step.standing.name
        }
        return (name, keys)
    }

    /// Deletes the objects of classes that left the schema whose other sides are deleted: one that is made anew under such a key has
    /// nothing to do with them.
    ///
    /// - Parameters:
    ///   - changes: all that is changed.
    ///   - application: has made the changes.
    /// - Returns: the application to finish with; nil where no side of what is deleted has left.
    package func deleteOtherSides(
        of changes: SnapshotDelta, beside application: ChangeApplication, call: @escaping PartnerWriting.Call
    ) throws -> ChangeApplication? {
        var gone: [NameKey: [Value]] = [:]
        for deleted in changes.classes where !deleted.deleted.isEmpty {
            gone[NameKey(deleted.className), default: []] += deleted.deleted.map(\.primaryKey)
        }
        let steps = steps.filter { $0.properties == nil }
        guard steps.contains(where: { gone[NameKey($0.standing.name)] != nil }) else { return nil }
        let retired = ChangeApplication(beside: application, as: schema)
        for step in steps.reversed() {
            guard let keys = gone[NameKey(step.standing.name)],
                let index = retired.editor.view.index(of: step.retired.name)
            else { continue }
            let found = try PartnerKeys(step.plan, call: call).others(of: keys, by: step.back)
            let others = found.compactMap { try? $0.get() }
            _ = try retired.apply(ChangeBatch(deleting: others, of: index))
            gone[NameKey(step.retired.name), default: []] += others
        }
        return retired
    }

    /// The first property of a class of which a new object needs a value and is given none, not by a partner's function either.
    ///
    /// - Parameters:
    ///   - given: the properties that are given, by their names.
    ///   - server: the realm's schema.
    ///   - partners: those of the realm that are on their way.
    package func missing(
        in className: String, given: Set<NameKey>, server: Schema, writtenBeside partners: [PartnerPlan]
    ) -> Property? {
        guard let declared = server[className] ?? schema[className] else { return nil }
        let steps = steps.filter { $0.properties != nil && $0.plan.left.name.hasSameBytes(as: className) }
        let retired = steps.reduce(into: Set<NameKey>()) { $0.formUnion($1.properties ?? []) }
        let partners = partners.filter { $0.isWithinClass && $0.left.name.hasSameBytes(as: className) }
        var known = given
        // A side may lead to one that left before it.
        for _ in 0..<steps.count + partners.count {
            for step in steps {
                let own = step.retired.properties.filter { step.properties?.contains(NameKey($0.name)) ?? false }
                known.formUnion(step.lead.given(for: own, known))
            }
            for plan in partners {
                for (side, lead) in [(plan.leavingByCutOver, plan.forward), (plan.leavingByAbort, plan.backward)] {
                    known.formUnion(lead.given(for: side.properties, known))
                }
            }
        }
        // A side that left is as its other side says. Where nobody gave that, the function would lead on what nobody gave either.
        let said = steps.reversed().reduce(into: known) { said, step in
            let own = step.standing.properties.filter { step.retired.property(named: $0.name) == nil }
            // What was taken back asks nothing of clients that never knew it.
            let isUnasked = !step.isCutOver && own.allSatisfy { !$0.needsValue }
            if isUnasked || own.contains(where: { said.contains(NameKey($0.name)) }) {
                said.formUnion(step.properties ?? [])
            }
        }
        let unsaid = steps.lazy.flatMap(\.retired.persistedProperties).first { property in
            let name = NameKey(property.name)
            return retired.contains(name) && property.needsValue && !said.contains(name)
        }
        if server[className] != nil, let unsaid { return unsaid }
        return declared.persistedProperties.first { property in
            let name = NameKey(property.name)
            return property.needsValue && !known.contains(name)
                && !(server[className] == nil && retired.contains(name))
        }
    }
}

extension RetiredSides.Step {
    /// From the side that left to the one that stayed.
    var lead: ObjectFunction { isCutOver ? plan.forward : plan.backward }
    /// From the side that stayed to the one that left.
    var back: ObjectFunction { isCutOver ? plan.backward : plan.forward }
    /// The side that left.
    var retired: ObjectSchema { isCutOver ? plan.left : plan.right }
    /// The side that stayed.
    var standing: ObjectSchema { isCutOver ? plan.right : plan.left }
    /// Whether an object has to be given a value of something that left.
    var needsValue: Bool {
        retired.persistedProperties.contains { properties?.contains(NameKey($0.name)) != false && $0.needsValue }
    }
}

extension ObjectFunction {
    /// The properties that it gives to an object of which some are known.
    ///
    /// - Parameter side: the properties that it leads from: one that lacks what it needs of them would make a value up.
    func given(for side: [Property], _ known: Set<NameKey>) -> Set<NameKey> {
        let isGiven = { (property: Property) in known.contains(NameKey(property.name)) }
        guard side.contains(where: isGiven), side.allSatisfy({ !$0.needsValue || isGiven($0) }) else { return [] }
        return Set(outputs.properties.map { NameKey($0.name) })
    }
}

extension Property {
    /// Whether an object has to be given a value of it.
    fileprivate var needsValue: Bool { requiresValue && defaultValue == nil }
}

extension Snapshot {
    /// Whether all that left the schema is stored, as what it was.
    fileprivate func stores(_ retired: ObjectSchema) -> Bool {
        guard let stored = self[retired.name]?.schema else { return false }
        return retired.persistedProperties.allSatisfy { property in
            stored.property(named: property.name).map { $0.hasSameType(as: property) } ?? false
        }
    }
}

extension Schema {
    /// The schema with what left it; nil where something of the name is there, or something is missing that it links to.
    fileprivate func adding(_ retired: ObjectSchema, of definition: PartnerDefinition) -> Schema? {
        let properties = retired.persistedProperties
        var whole = self
        let index = classes.firstIndex { $0.name.hasSameBytes(as: retired.name) }
        if definition.property != nil {
            guard let index, properties.allSatisfy({ classes[index].property(named: $0.name) == nil }) else {
                return nil
            }
            whole.classes[index].properties += properties
        } else {
            guard index == nil else { return nil }
            var side = retired
            side.properties = properties
            whole.classes.append(side)
        }
        let links = properties.compactMap(\.objectType)
        return links.allSatisfy { whole[$0] != nil } ? whole : nil
    }
}
