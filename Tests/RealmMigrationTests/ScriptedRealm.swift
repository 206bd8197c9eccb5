import RealmEditing
import RealmModel

@testable import RealmMigration

/// A model of a realm after a script's steps, kept the plain way: objects in dictionaries, links cleared at once.
struct ScriptedRealm {
    typealias Object = [String: Value]

    let schema: Schema
    private(set) var objects: [String: [Int64: Object]] = [:]
    private(set) var nextSequence: [String: Int64] = [:]

    /// The realm that `TestRealm` makes of the same objects.
    init(_ classes: [ObjectSchema], objects initial: [String: [Object]]) {
        schema = Schema(classes)
        for schema in classes {
            objects[schema.name] = [:]
            for object in initial[schema.name] ?? [] { _ = insert(object, into: schema) }
        }
    }

    /// The keys of a class, ascending.
    func keys(_ className: String) -> [Int64] { (objects[className] ?? [:]).keys.sorted() }

    func value(_ property: String, of className: String, _ key: Int64) -> Value {
        objects[className]?[key]?[property] ?? .null
    }

    /// All objects in order of their keys, each with its key as `_key`.
    var contents: [String: [Object]] {
        objects.mapValues { byKey in
            byKey.sorted { $0.key < $1.key }.map { $0.value.merging(["_key": .int($0.key)]) { first, _ in first } }
        }
    }

    // MARK: Steps

    mutating func create(in className: String, _ members: [(name: String, value: ObjectInput)]) -> Int64 {
        guard let target = schema[className] else { return -1 }
        let given = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
        var object: Object = [:]
        for property in target.properties where !property.isLink && property.type != .mixed {
            object[property.name] = given[property.name].map { value($0, for: property) }
        }
        let key = insert(object, into: target)
        for property in target.properties where property.isLink || property.type == .mixed {
            guard let input = given[property.name] else { continue }
            let value = value(input, for: property)
            objects[className]?[key]?[property.name] = value
        }
        return key
    }

    mutating func set(_ property: Property, of className: String, _ key: Int64, to input: ObjectInput) {
        let new = value(input, for: property)
        let kept = Set(new.linkedKeys)
        for child in value(property.name, of: className, key).linkedKeys
        where !kept.contains(child) && isEmbedded(property) {
            delete(property.objectType ?? "", child.value)
        }
        objects[className]?[key]?[property.name] = new
    }

    mutating func append(_ input: ObjectInput, to property: Property, of className: String, _ key: Int64) {
        var single = property
        single.collection = .none
        let element = value(input, for: single)
        guard case .list(let elements) = value(property.name, of: className, key) else { return }
        let all = elements + [element]
        objects[className]?[key]?[property.name] =
            .list(property.collection == .set ? ValueOrder.sortedUnique(all) : all)
    }

    mutating func delete(_ className: String, _ key: Int64) {
        guard let deleted = objects[className]?.removeValue(forKey: key) else { return }
        for property in schema[className]?.properties ?? [] where isEmbedded(property) {
            for child in deleted[property.name]?.linkedKeys ?? [] { delete(property.objectType ?? "", child.value) }
        }
        for origin in schema.classes {
            for property in origin.properties where property.type == .mixed || property.objectType == className {
                objects[origin.name] = objects[origin.name]?.mapValues { object in
                    var object = object
                    object[property.name] = object[property.name].map {
                        without($0, link: key, of: className, isTyped: property.type == .mixed)
                    }
                    return object
                }
            }
        }
    }

    mutating func deleteData(of className: String) {
        for key in keys(className) { delete(className, key) }
    }

    // MARK: Values

    private func isEmbedded(_ property: Property) -> Bool {
        property.objectType.flatMap { schema[$0] }?.isEmbedded ?? false
    }

    private mutating func insert(_ object: Object, into target: ObjectSchema) -> Int64 {
        let sequence = nextSequence[target.name] ?? 0
        nextSequence[target.name] = sequence + 1
        let key = ObjectKey.allocated(sequence: sequence, hasPrimaryKey: target.primaryKey != nil).value
        objects[target.name, default: [:]][key] = target.properties.reduce(into: [:]) {
            $0[$1.name] = object[$1.name] ?? $1.initialValue
        }
        return key
    }

    private mutating func value(_ input: ObjectInput, for property: Property) -> Value {
        var single = property
        single.collection = .none
        switch (property.collection, input) {
        case (.list, .array(let inputs)): return .list(inputs.map { value($0, for: single) })
        case (.set, .array(let inputs)): return .list(ValueOrder.sortedUnique(inputs.map { value($0, for: single) }))
        case (.dictionary, .members(let members)):
            return .dictionary(members.map { DictionaryEntry($0.name, value($0.value, for: single)) })
        case (.none, .int(let number)): return .int(number)
        case (.none, .string(let text)): return .string(text)
        case (.none, .members(let members)): return .link(ObjectKey(create(in: property.objectType ?? "", members)))
        case (.none, .object(let object)):
            let className = schema.classes[object.classIndex].name
            if property.type == .mixed { return .typedLink(className: className, object.key) }
            guard isEmbedded(property) else { return .link(object.key) }
            return .link(ObjectKey(create(in: className, members(of: className, object.key.value))))
        default: return .null
        }
    }

    /// An embedded object as input for a copy of it.
    private func members(of className: String, _ key: Int64) -> [(name: String, value: ObjectInput)] {
        (schema[className]?.properties ?? []).map {
            ($0.name, input(from: value($0.name, of: className, key), of: $0))
        }
    }

    private func input(from value: Value, of property: Property) -> ObjectInput {
        func object(_ className: String, _ key: ObjectKey) -> ObjectInput {
            let index = schema.classes.firstIndex { $0.name == className } ?? 0
            return .object(ObjectReference(side: .new, classIndex: index, key: key))
        }
        switch value {
        case .int(let number): return .int(number)
        case .string(let text): return .string(text)
        case .link(let key): return object(property.objectType ?? "", key)
        case .typedLink(let className, let key): return object(className, key)
        case .list(let elements): return .array(elements.map { input(from: $0, of: property) })
        default: return .null
        }
    }

    private func without(_ value: Value, link key: Int64, of className: String, isTyped: Bool) -> Value {
        switch value {
        case .link(let found): return !isTyped && found.value == key ? .null : value
        case .typedLink(let name, let found): return name == className && found.value == key ? .null : value
        case .list(let elements):
            return .list(
                elements.filter {
                    let isGone = without($0, link: key, of: className, isTyped: isTyped).isNull
                    return !isGone || $0.isNull
                })
        case .dictionary(let entries):
            return .dictionary(
                entries.map {
                    DictionaryEntry($0.key, without($0.value, link: key, of: className, isTyped: isTyped))
                })
        default: return value
        }
    }
}
