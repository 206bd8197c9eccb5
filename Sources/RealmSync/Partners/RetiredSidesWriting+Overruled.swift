import Columns
import RealmJSON
import RealmMigration
import RealmModel

/// A value that a batch gives an object of a side that left, and that the object has already.
///
/// Nothing follows from it, so that no step meets what the batch gives another side instead.
struct UnchangedValue {
    let value: ChangedValue
    /// The object.
    let key: Int64
    let step: RetiredSideWriting

    /// The object by now; nil where it is gone.
    func object() throws -> FunctionObjects? { try step.isThere(key) ? step.retired.rows.objects([key]) : nil }

    /// Whether two states of the object have the same value.
    func isSame(in object: FunctionObjects?, as earlier: FunctionObjects?) throws -> Bool {
        let properties = step.retired.rows.properties
        guard let object, let earlier, let place = properties.firstIndex(where: { NameKey($0.name) == value.property })
        else { return object == nil && earlier == nil }
        let type = ColumnType(properties[place])
        return try object.columns[place].value(at: 0, as: type) == earlier.columns[place].value(at: 0, as: type)
    }
}

extension RetiredSidesWriting {
    /// Those of some values that objects have no more after a batch, as it gives another of their sides a value that contradicts them.
    ///
    /// Which of the two is left out follows from which side left first.
    func overruled(
        _ unchanged: [UnchangedValue], by changed: ChangedObjects, of batch: ChangeBatch,
        beside partners: [PartnerWriting]
    ) throws -> Set<ChangedValue> {
        guard !unchanged.isEmpty else { return [] }
        let others = try others(of: unchanged, by: changed, of: batch, beside: partners)
        let met = zip(unchanged, others).filter { !$1.isEmpty }
        guard !met.isEmpty else { return [] }
        let before = try met.map { try $0.0.object() }
        // Follows from all that the batch has come to on the sides that stayed.
        _ = try refresh(for: batch)
        return try zip(met, before).reduce(into: []) { found, known in
            let ((unchanged, others), before) = known
            guard try !unchanged.isSame(in: unchanged.object(), as: before),
                // Functions that do not lead back make another value of it all the same.
                try before.map({ try !unchanged.step.isHeld($0) }) ?? true
            else { return }
            found.formUnion(sooner([unchanged.value], others, in: batch))
        }
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
