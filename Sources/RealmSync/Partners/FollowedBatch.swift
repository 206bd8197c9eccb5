import RealmEditing
import RealmJSON
import RealmModel

/// A batch with what follows from it on other sides, as if it gave that: there the values of the batch stay, or contradict others.
struct FollowedBatch {
    /// The batch; of its own upserts the places are kept, and the values of the others are not told.
    private(set) var batch: ChangeBatch
    private let schema: Schema
    private let count: Int
    /// The values that the properties of the other upserts follow from.
    private var causes: [[NameKey: Set<ChangedValue>]] = []

    /// - Parameters:
    ///   - schema: what the batch was read with.
    ///   - application: has made the changes.
    init(
        _ batch: ChangeBatch, readWith schema: Schema, _ changed: ChangedObjects, in application: ChangeApplication
    ) throws {
        (self.batch, self.schema, count) = (batch, schema, batch.upserts.count)
        let view = application.editor.view
        for (className, objects) in changed.objects.sorted(by: { $0.key.name < $1.key.name }) {
            guard let index = schema.index(of: className.name), let key = schema.classes[index].primaryKeyProperty,
                let keyPlace = schema.classes[index].properties.firstIndex(of: key)
            else { continue }
            let properties = schema.classes[index].properties
            for (object, changes) in objects.sorted(by: { $0.key < $1.key }) where !changes.following.isEmpty {
                let reference = ObjectReference(side: .new, classIndex: index, key: ObjectKey(object))
                guard try view.isValid(reference) else { continue }
                let members = properties.indices.filter { changes.following.contains(NameKey(properties[$0].name)) }
                self.batch.upserts.append(
                    ChangeBatch.Upsert(
                        classIndex: index, primaryKey: try view.value(keyPlace, of: reference),
                        members: members.map { ChangeBatch.Member(property: $0, value: .value(.null)) }))
                causes.append(changes.properties)
            }
        }
    }

    /// The values of the batch itself that one of the whole follows from.
    func causes(of value: ChangeError.GivenValue) -> Set<ChangedValue> {
        let declared = schema.classes[batch.upserts[value.upsert].classIndex]
        guard let property = declared.index(ofPublicName: value.property).map({ declared.properties[$0] }) else {
            return []
        }
        let name = NameKey(property.name)
        guard value.upsert >= count else { return [ChangedValue(upsert: value.upsert, property: name)] }
        return causes[value.upsert - count][name] ?? []
    }
}
