import Columns
import RealmEditing
import RealmJSON
import RealmModel

/// A value that a batch gives.
struct ChangedValue: Hashable {
    /// The last upsert that gives it, by its place.
    let upsert: Int
    /// The property.
    let property: NameKey
}

/// The objects that a batch has made or changed, and those that were changed with them.
struct ChangedObjects {
    struct Object {
        /// The upsert that it was changed by or because of, by its place.
        let upsert: Int
        /// Whether the batch names it.
        let isNamed: Bool
        /// The properties that were changed, and the values of the batch that they follow from.
        var properties: [NameKey: Set<ChangedValue>]
        /// The properties that follow from values of other objects.
        var following: Set<NameKey> = []

        /// Whether one of some properties was given.
        func has(_ names: Set<NameKey>) -> Bool { properties.keys.contains { names.contains($0) } }
    }

    /// By their classes and keys.
    private(set) var objects: [NameKey: [Int64: Object]] = [:]

    init(_ batch: ChangeBatch, _ application: ChangeApplication, _ schema: Schema) throws {
        for (place, upsert) in batch.upserts.enumerated() {
            guard let object = try application.editor.object(in: upsert.classIndex, of: upsert.primaryKey) else {
                continue
            }
            let declared = schema.classes[upsert.classIndex]
            var changed =
                objects(of: declared.name)[object.key.value]
                ?? Object(upsert: place, isNamed: true, properties: [:])
            for member in upsert.members {
                let name = NameKey(declared.properties[member.property].name)
                changed.properties[name] = [ChangedValue(upsert: place, property: name)]
            }
            objects[NameKey(declared.name), default: [:]][object.key.value] = changed
        }
    }

    func objects(of className: String) -> [Int64: Object] { objects[name: className] ?? [:] }

    /// Notes what was changed of an object because of another one.
    mutating func note(
        _ key: Int64, of className: String, _ properties: [NameKey: Set<ChangedValue>], because origin: Object
    ) {
        var object = objects(of: className)[key] ?? Object(upsert: origin.upsert, isNamed: false, properties: [:])
        object.properties.merge(properties) { $0.union($1) }
        object.following.formUnion(properties.filter { !$0.value.isEmpty }.keys)
        objects[NameKey(className), default: [:]][key] = object
    }

    /// All of them.
    var delta: SnapshotDelta {
        SnapshotDelta(
            classes: objects.sorted { $0.key.name < $1.key.name }.map {
                SnapshotDelta.ClassDelta($0.key.name, upserted: $0.value.keys.sorted())
            })
    }
}
