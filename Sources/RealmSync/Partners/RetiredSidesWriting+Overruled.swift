import Columns
import RealmJSON
import RealmModel

/// A value that a batch gives an object of a side that left, and that the object has already.
///
/// Nothing follows from it, so that no step meets what the batch gives another side instead.
struct UnchangedValue {
    let value: ChangedValue
    /// The object.
    let key: Int64
    let step: RetiredSideWriting
}

extension RetiredSidesWriting {
    /// The changes to leave out because objects don't have some values any more after a batch, which gives a farther one of their
    /// sides a value that contradicts them.
    ///
    /// Which of the two is left out follows from which side left first. Where the functions can't say any more whether the object has the
    /// value, that is left out.
    func overruled(
        _ unchanged: [UnchangedValue], by changed: ChangedObjects, of batch: ChangeBatch,
        beside partners: [PartnerWriting]
    ) throws -> [Refusal] {
        guard !unchanged.isEmpty else { return [] }
        let others = try others(of: unchanged, by: changed, of: batch, beside: partners)
        let met = zip(unchanged, others).filter { !$1.isEmpty }
        guard !met.isEmpty else { return [] }
        let parts = try Dictionary(grouping: met) { ObjectIdentifier($0.0.step) }.values.map { part in
            (values: part, before: try part[0].0.step.objects(Set(part.map(\.0.key))))
        }
        // Follows from all that the batch has come to on the sides that stayed.
        let failures = Dictionary(
            try bringUpToDate(batch).map {
                (Name(className: NameKey($0.className), primaryKey: $0.primaryKey), $0.reason)
            }
        ) { first, _ in first }
        let contradictions = Contradictions(in: batch, of: schema, beside: steps)
        var (left, refusals): (Set<ChangedValue>, [Refusal]) = ([], [])
        for part in parts {
            let step = part.values[0].0.step
            let after = try step.objects(Set(part.values.map(\.0.key)))
            // Functions that do not lead back make other values of these all the same.
            let held = try step.held(part.before)
            for (unchanged, others) in part.values where !held.contains(unchanged.key) {
                let (value, key) = (unchanged.value, unchanged.key)
                let upsert = batch.upserts[value.upsert]
                if let reason = failures[name(upsert.classIndex, upsert.primaryKey)] {
                    refusals += self.refusals(of: [value], "The partner's function fails: \(reason)", in: batch)
                } else if try step.value(value.property, of: key, in: part.before)
                    != step.value(value.property, of: key, in: after)
                {
                    left.formUnion(contradictions.sooner([value], others))
                }
            }
        }
        return refusals + contradicted(left, in: batch)
    }

    /// The values that a batch gives sides of objects that are farther away than the other side of what it gives a value each.
    private func others(
        of unchanged: [UnchangedValue], by changed: ChangedObjects, of batch: ChangeBatch,
        beside partners: [PartnerWriting]
    ) throws -> [Set<ChangedValue>] {
        let own = unchanged.map { unchanged in
            let upsert = batch.upserts[unchanged.value.upsert]
            return OtherSides.Object(classIndex: upsert.classIndex, primaryKey: upsert.primaryKey)
        }
        var sides: [OtherSides.Object: [OtherSides.Object]] = [:]
        // By classes: of the sides of two objects that are sides of each other each would have but some.
        for objects in Dictionary(grouping: Set(own), by: \.classIndex).values {
            let found = try OtherSides(of: objects, in: schema, through: steps.map(\.partner) + partners)
            for object in objects { sides[object] = [object] }
            for (side, origin) in zip(found.objects, found.origins) { sides[objects[origin], default: []].append(side) }
        }
        // Another one that an object has already changes nothing.
        let same = Set(unchanged.map(\.value))
        return try zip(unchanged, own).map { unchanged, own in
            try (sides[own] ?? []).reduce(into: []) { found, side in
                let name = schema.classes[side.classIndex].name
                guard let key = try application.editor.object(in: side.classIndex, of: side.primaryKey)?.key.value,
                    let given = changed.objects(of: name)[key]?.properties.values
                else { return }
                found.formUnion(
                    given.joined().filter { value in
                        !same.contains(value) && isFarther(value, than: unchanged.step.step, in: batch)
                    })
            }
        }
    }

    /// Whether a value is neither of the side that left with a partner nor of the one that stayed.
    private func isFarther(_ value: ChangedValue, than step: RetiredSides.Step, in batch: ChangeBatch) -> Bool {
        let className = schema.classes[batch.upserts[value.upsert].classIndex].name
        guard let properties = step.properties else {
            return ![step.retired, step.standing].contains { $0.name.hasSameBytes(as: className) }
        }
        return !step.retired.name.hasSameBytes(as: className)
            || !properties.contains(value.property)
                && step.standing.property(named: value.property.name).map { _ in
                    !step.lead.outputs.properties.contains { NameKey($0.name) == value.property }
                } ?? true
    }
}
