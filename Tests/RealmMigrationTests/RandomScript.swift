import RealmEditing
import RealmModel
import TestRandomness

@testable import RealmMigration

/// One step of a random script, with the keys that it works on.
enum ScriptStep {
    case create(String, [(name: String, value: ObjectInput)], key: Int64)
    case set(String, Int64, Property, ObjectInput)
    case append(String, Int64, Property, ObjectInput)
    case delete(String, Int64)
    case deleteData(String)
    /// Reads a property, which has to be the value.
    case read(String, Int64, Property, Value)
    /// Counts the objects of a class.
    case count(String, Int)
    /// Enumerates a class, which has to visit the keys.
    case enumerate(String, [Int64])
    /// Asks which objects link to one.
    case linkingObjects(String, Int64, Property, [Int64])
}

/// A random sequence of steps on a realm with links of every kind, and what it has to lead to.
struct RandomScript {
    /// Classes with and without a primary key, and embedded classes one in the other.
    static let classes = [
        ObjectSchema(
            "A",
            properties: [
                Property("n", .int), Property("text", .string, isOptional: true),
                Property("link", .object, objectType: "B", isOptional: true),
                Property("links", .object, collection: .list, objectType: "B"),
                Property("bag", .object, collection: .set, objectType: "A"),
                Property("byName", .object, collection: .dictionary, objectType: "A", isOptional: true),
                Property("any", .mixed, isOptional: true),
                Property("anything", .mixed, collection: .list, isOptional: true),
                Property("numbers", .int, collection: .set),
            ]),
        ObjectSchema(
            "B", primaryKey: "id",
            properties: [
                Property("id", .int), Property("part", .object, objectType: "E", isOptional: true),
                Property("parts", .object, collection: .list, objectType: "E"),
                Property("owner", .object, objectType: "A", isOptional: true),
            ]),
        ObjectSchema(
            "E", kind: .embedded,
            properties: [
                Property("n", .int), Property("inner", .object, collection: .list, objectType: "F"),
                Property("seen", .object, objectType: "A", isOptional: true),
            ]),
        ObjectSchema(
            "F", kind: .embedded, properties: [Property("n", .int), Property("any", .mixed, isOptional: true)]),
    ]

    /// The same classes with linking objects, which only the target declares.
    static let target: [ObjectSchema] = {
        var classes = Self.classes
        classes[0].properties.append(
            Property("owned", .linkingObjects, objectType: "B", originProperty: "owner"))
        return classes
    }()

    let initial: [String: [TestRealm.Object]]
    private(set) var steps: [ScriptStep] = []
    private(set) var expected: ScriptedRealm
    private var generator: SeededGenerator
    private var oldKeys: [String: [Int64]] = [:]
    private var nextPrimaryKey: Int64 = 100

    init(seed: UInt64, stepCount: Int) {
        generator = SeededGenerator(seed: seed)
        var generator = generator
        func objects(_ names: [String], _ count: Int) -> [TestRealm.Object] {
            (0..<Int64(count)).map { number in names.reduce(into: [:]) { $0[$1] = .int(number) } }
        }
        initial = [
            "A": objects(["n"], Int.random(in: 0...6, using: &generator)),
            "B": objects(["id"], Int.random(in: 0...5, using: &generator)),
        ]
        expected = ScriptedRealm(Self.classes, objects: initial)
        self.generator = generator
        for name in ["A", "B", "E", "F"] { oldKeys[name] = expected.keys(name) }
        for _ in 0..<stepCount { addStep() }
    }

    private mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func addStep() {
        let className = ["A", "A", "B", "B", "E", "F"][pick(0..<6)]
        let roll = pick(0..<100)
        let isEmbedded = className == "E" || className == "F"
        guard !isEmbedded || roll >= 30, let key = expected.keys(className).randomElement(using: &generator),
            let schema = expected.schema[className],
            let property = schema.properties.randomElement(using: &generator)
        else {
            if !isEmbedded { addCreation(in: className) }
            return
        }
        switch roll {
        case 0..<30: addCreation(in: className)
        case 30..<55:
            let input = input(for: property)
            steps.append(.set(className, key, property, input))
            expected.set(property, of: className, key, to: input)
        case 55..<70:
            guard property.collection == .list || property.collection == .set else { return }
            var single = property
            single.collection = .none
            let input = input(for: single, isElement: true)
            steps.append(.append(className, key, property, input))
            expected.append(input, to: property, of: className, key)
        case 70..<78:
            steps.append(.delete(className, key))
            expected.delete(className, key)
        case 78:
            steps.append(.deleteData(className))
            expected.deleteData(of: className)
        case 79..<92:
            steps.append(.read(className, key, property, expected.value(property.name, of: className, key)))
        case 92..<94: steps.append(.count(className, expected.keys(className).count))
        case 94..<97: addLinkingObjects()
        default:
            let live = Set(expected.keys(className))
            steps.append(.enumerate(className, (oldKeys[className] ?? []).filter(live.contains)))
        }
    }

    private mutating func addCreation(in className: String) {
        let members = members(for: className)
        let key = expected.create(in: className, members)
        steps.append(.create(className, members, key: key))
    }

    private mutating func addLinkingObjects() {
        guard let key = expected.keys("A").randomElement(using: &generator),
            let property = Self.target[0].properties.last
        else { return }
        let origins = expected.keys("B").filter { expected.value("owner", of: "B", $0) == .link(ObjectKey(key)) }
        steps.append(.linkingObjects("A", key, property, origins))
    }

    private mutating func members(for className: String) -> [(name: String, value: ObjectInput)] {
        (expected.schema[className]?.properties ?? []).compactMap { property in
            if property.name == "id" {
                nextPrimaryKey += 1
                return (property.name, .int(nextPrimaryKey))
            }
            // Required properties have no default here; a deep tree of embedded objects tells no more than a shallow.
            guard property.name == "n" || pick(0..<4) == 0 else { return nil }
            return (property.name, input(for: property))
        }
    }

    private mutating func input(for property: Property, isElement: Bool = false) -> ObjectInput {
        var single = property
        single.collection = .none
        switch property.collection {
        case .list, .set: return .array((0..<pick(0..<4)).map { _ in input(for: single, isElement: true) })
        case .dictionary: return .members((0..<pick(0..<3)).map { ("k\($0)", input(for: single)) })
        case .none: break
        }
        switch property.type {
        case .int where property.name == "id":
            nextPrimaryKey += 1
            return .int(nextPrimaryKey)
        case .int: return .int(Int64(pick(0..<5)))
        case .string: return pick(0..<3) == 0 ? .null : .string("text \(pick(0..<1000))")
        case .mixed: return pick(0..<2) == 0 ? .int(Int64(pick(0..<9))) : object(of: "A") ?? .null
        default: break
        }
        let target = property.objectType ?? ""
        if !isElement, pick(0..<4) == 0 { return .null }
        if expected.schema[target]?.isEmbedded == true {
            return pick(0..<4) == 0
                ? object(of: target) ?? .members(members(for: target)) : .members(members(for: target))
        }
        return pick(0..<6) == 0 ? .members(members(for: target)) : object(of: target) ?? .members(members(for: target))
    }

    private mutating func object(of className: String) -> ObjectInput? {
        guard let key = expected.keys(className).randomElement(using: &generator),
            let index = Self.classes.firstIndex(where: { $0.name == className })
        else { return nil }
        return .object(ObjectReference(side: .new, classIndex: index, key: ObjectKey(key)))
    }
}
