import RealmJSON
import RealmModel

extension RetiredSidesWriting {
    /// Whether an object is new, and was made of what the batch gives a side of it that is there.
    package func isMade(_ primaryKey: Value, of className: String) -> Bool {
        made.contains(Name(className: NameKey(className), primaryKey: primaryKey))
    }

    /// Makes the new objects of which a batch gives a side that is there something: their sides that left are as that says.
    func makeStanding(for batch: ChangeBatch) throws {
        var ahead = ChangeBatch()
        var known: [Int: (fitting: Set<Int>, outputs: Set<Int>)] = [:]
        for upsert in batch.upserts {
            let properties = known[upsert.classIndex] ?? propertiesAhead(of: upsert.classIndex)
            known[upsert.classIndex] = properties
            let members = upsert.members.filter { properties.fitting.contains($0.property) }
            guard members.contains(where: { properties.outputs.contains($0.property) }),
                try application.editor.object(in: upsert.classIndex, of: upsert.primaryKey) == nil
            else { continue }
            ahead.upserts.append(
                ChangeBatch.Upsert(classIndex: upsert.classIndex, primaryKey: upsert.primaryKey, members: members))
            made.insert(name(upsert.classIndex, upsert.primaryKey))
        }
        _ = try application.apply(ahead)
    }

    /// The properties of a class that objects can be given ahead, and those of them that follow from sides that left; none of a class that
    /// has left itself.
    private func propertiesAhead(of classIndex: Int) -> (fitting: Set<Int>, outputs: Set<Int>) {
        let declared = schema.classes[classIndex]
        let left = steps.filter { $0.step.retired.name.hasSameBytes(as: declared.name) }
        guard left.allSatisfy({ $0.step.properties != nil }) else { return ([], []) }
        let gone = left.reduce(into: Set<NameKey>()) { $0.formUnion($1.step.properties ?? []) }
        // Links may lead to what is not made yet.
        let fitting = declared.properties.indices.filter { place in
            let property = declared.properties[place]
            return property.type != .object && property.type != .mixed && !gone.contains(NameKey(property.name))
        }
        let outputs = steps.filter { $0.step.standing.name.hasSameBytes(as: declared.name) }.reduce(
            into: Set<NameKey>()
        ) { outputs, step in
            outputs.formUnion(step.step.lead.outputs.properties.filter { !step.isKey($0) }.map { NameKey($0.name) })
        }
        return (Set(fitting), Set(fitting.filter { outputs.contains(NameKey(declared.properties[$0].name)) }))
    }
}
