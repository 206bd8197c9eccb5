import RealmJSON
import RealmModel

/// Which values of a batch are left out because others contradict them.
///
/// Those are left out whose side left the schema first.
struct Contradictions {
    private let schema: Schema
    private let steps: [RetiredSideWriting]
    private let batch: ChangeBatch

    /// Begins with a batch.
    ///
    /// - Parameters:
    ///   - schema: which the batch is read with.
    ///   - steps: the partners of the sides that left, in the order in which they left.
    init(in batch: ChangeBatch, of schema: Schema, beside steps: [RetiredSideWriting]) {
        (self.batch, self.schema, self.steps) = (batch, schema, steps)
    }

    /// What a client is told of a value that is left out.
    static let reason = "The batch gives the object's other side a value that contradicts it."

    /// Those of two sets of values whose side left the schema first.
    ///
    /// Values of a set agree, so that it counts as much as the one of them whose side left last, or is there.
    func sooner(_ values: Set<ChangedValue>, _ others: Set<ChangedValue>) -> Set<ChangedValue> {
        func end(of values: Set<ChangedValue>) -> Int {
            values.map { value in
                self.end(of: value.property, of: schema.classes[batch.upserts[value.upsert].classIndex].name)
                    ?? steps.count
            }.max() ?? steps.count
        }
        return end(of: others) < end(of: values) ? others : values
    }

    /// The place of the partner with whose end a property of a class left the schema; nil where it is there.
    func end(of property: NameKey, of className: String) -> Int? {
        steps.firstIndex {
            $0.step.retired.name.hasSameBytes(as: className) && $0.step.properties?.contains(property) != false
        }
    }

    /// The values that are left out where the other side of an object was given others than follow for it, by its properties.
    ///
    /// - Parameters:
    ///   - causes: the values that the properties of the other side follow from.
    ///   - held: those that the other side was given, or that what it was given follows from.
    ///   - origin: the object.
    ///   - step: writes to its other side.
    func left(
        of object: RetiredSideWriting.Written.Object, following causes: [NameKey: Set<ChangedValue>],
        beside held: [NameKey: Set<ChangedValue>], from origin: ChangedObjects.Object, by step: RetiredSideWriting,
        _ written: RetiredSideWriting.Written
    ) throws -> [NameKey: Set<ChangedValue>] {
        // A value may be given as the object has it; then the other side leads back to another one. A new object had none.
        let isNew = step.earlier.rows[object.retired] == nil
        let (changed, reversed) = (written.consequences[object.retired] ?? [:], written.reversed[object.retired] ?? [:])
        func unchanged(leadingTo property: NameKey) throws -> Set<ChangedValue> {
            let names = Set(
                origin.properties.keys.filter {
                    (isNew || changed[$0] == nil) && reversed[$0]?.contains(property) ?? true
                })
            return Set(
                try step.differing(names, of: object, from: written.returned).flatMap { origin.properties[$0] ?? [] })
        }
        // Both stay where the functions lose what distinguishes them.
        func isLost(_ property: NameKey) throws -> Bool {
            let names = changed.filter { $0.value.contains(property) }.keys
            return try !names.isEmpty
                && step.differing(Set(names), of: object, from: written.returned, needsAll: true).isEmpty
        }
        return try object.contradicted.reduce(into: [:]) { found, property in
            guard try !isLost(property) else { return }
            let following = causes[property] ?? []
            let values = try following.isEmpty ? unchanged(leadingTo: property) : following
            if !values.isEmpty { found[property] = sooner(values, held[property] ?? []) }
        }
    }
}
