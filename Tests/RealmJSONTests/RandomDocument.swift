import RealmJSON
import RealmModel
import TestRandomness

/// Documents of random schemas: every type in every collection, links forwards and backwards, embedded objects.
struct RandomDocument {
    private var random: SeededGenerator
    private var counts: [String: Int] = [:]
    private var keys: [String: [JSONValue]] = [:]
    private var schema = Schema()

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func make() -> JSONValue {
        schema = Schema(["A", "B", "C"].map { topLevel($0) } + ["E", "F"].map { embedded($0) })
        for objectSchema in schema.classes where !objectSchema.isEmbedded { makeKeys(of: objectSchema) }
        let objects = schema.classes.filter { !$0.isEmbedded }.map { objectSchema in
            JSONMember(
                objectSchema.name,
                .array((keys[objectSchema.name] ?? []).map { object(objectSchema, key: $0) }))
        }
        return [
            "schemaVersion": chance(4) ? .null : .int(number(0...9)), "schema": SchemaJSON.encode(schema),
            "objects": .object(objects),
        ]
    }

    // MARK: Schema

    private mutating func topLevel(_ name: String) -> ObjectSchema {
        var objectSchema = ObjectSchema(name)
        if chance(2) {
            let type = pick([PropertyType.int, .string, .objectId, .uuid])
            objectSchema.primaryKey = "id"
            objectSchema.properties = [Property("id", type, isOptional: chance(2))]
        }
        objectSchema.properties += (0..<number(0...6)).map { property("p\($0)", targets: ["A", "B", "C", "E", "F"]) }
        // Reachable from somewhere, and more often than by chance.
        objectSchema.properties.append(Property("home", .object, objectType: "E", isOptional: true))
        return objectSchema
    }

    private mutating func embedded(_ name: String) -> ObjectSchema {
        let targets = name == "E" ? ["A", "B", "F"] : ["A", "C"]
        let properties = (0..<number(1...3)).map { property("q\($0)", targets: targets) }
        return ObjectSchema(name, kind: .embedded, properties: properties)
    }

    private mutating func property(_ name: String, targets: [String]) -> Property {
        let type = pick(PropertyType.allCases.filter { $0 != .linkingObjects })
        var collection = pick(CollectionKind.allCases)
        let target = type == .object ? pick(targets) : nil
        if collection == .set, target == "E" || target == "F" { collection = .list }
        let isAlways = type == .mixed || type == .object && (collection == .none || collection == .dictionary)
        let isNever = type == .object && !isAlways
        return Property(
            name, type, collection: collection, objectType: target, isOptional: isAlways || !isNever && chance(2),
            alias: chance(5) ? "alias of \(name)" : nil)
    }

    // MARK: Objects

    private mutating func makeKeys(of objectSchema: ObjectSchema) {
        let count = Int(number(0...9))
        guard let property = objectSchema.primaryKeyProperty else {
            keys[objectSchema.name] = (0..<count).map { .int(Int64($0 * 3)) }
            return
        }
        var made: [JSONValue] = []
        while made.count < count {
            let key = made.count == 3 && property.isOptional ? .null : scalar(property.type)
            if !made.contains(key) { made.append(key) }
        }
        keys[objectSchema.name] = made
    }

    private mutating func object(_ objectSchema: ObjectSchema, key: JSONValue? = nil) -> JSONValue {
        var members: [JSONMember] = []
        if let key, objectSchema.primaryKey == nil { members.append(JSONMember("_key", key)) }
        for property in objectSchema.properties {
            let isKey = property.name == objectSchema.primaryKey
            members.append(JSONMember(property.publicName, isKey ? key ?? .null : value(of: property)))
        }
        return .object(members.shuffled(using: &random))
    }

    private mutating func value(of property: Property) -> JSONValue {
        let count = number(0...3)
        switch property.collection {
        case .none: return element(of: property)
        case .list: return .array((0..<count).map { _ in element(of: property) }.filter { !isMissing($0, property) })
        case .set:
            var unique: [JSONValue] = []
            for _ in 0..<count {
                let value = element(of: property)
                if !isMissing(value, property), !unique.contains(value), value.elements == nil, value.double == nil {
                    unique.append(value)
                }
            }
            return .array(unique.filter { !isDictionary($0) })
        case .dictionary:
            let names = ["", "a", "é", "key"].shuffled(using: &random).prefix(Int(count))
            return .object(
                names.map { JSONMember($0, element(of: property)) }.filter { !isMissing($0.value, property) })
        }
    }

    private func isDictionary(_ value: JSONValue) -> Bool {
        value.members.map { $0.first?.name.hasPrefix("$") != true } ?? false
    }

    private func isMissing(_ value: JSONValue, _ property: Property) -> Bool { value.isNull && !property.isOptional }

    private mutating func element(of property: Property) -> JSONValue {
        if let target = property.objectType {
            guard let objectSchema = schema[target], !chance(4) else { return .null }
            return objectSchema.isEmbedded ? object(objectSchema) : link(to: target)
        }
        if property.isOptional, chance(4) { return .null }
        return property.type == .mixed ? mixed(depth: 0) : scalar(property.type)
    }

    private mutating func link(to target: String) -> JSONValue {
        guard let keys = keys[target], let index = keys.indices.randomElement(using: &random) else { return .null }
        return keys[index].isNull ? ["$key": .int(Int64(index))] : keys[index]
    }

    private mutating func mixed(depth: Int) -> JSONValue {
        switch number(0...6) {
        case 0: return .null
        case 1 where depth < 3: return .array((0..<number(0...2)).map { _ in mixed(depth: depth + 1) })
        case 2 where depth < 3:
            return .object((0..<number(0...2)).map { JSONMember("k\($0)", mixed(depth: depth + 1)) })
        case 3: return ["$float": pick([.double(0.5), "NaN", "Infinity", "-Infinity"])]
        case 4:
            let target = pick(["A", "B", "C"])
            let key = link(to: target)
            return key.isNull ? .null : ["$ref": .string(target), "$id": key]
        default: return scalar(pick([.int, .bool, .double, .string, .data, .date, .decimal128, .objectId, .uuid]))
        }
    }

    private mutating func scalar(_ type: PropertyType) -> JSONValue {
        switch type {
        case .int: .int(pick([0, 1, -1, .max, .min, number(-1000...1000)]))
        case .bool: .bool(chance(2))
        case .float: pick([.double(0.5), .double(0.10000000149011612), ["$numberDouble": "NaN"]])
        case .double:
            pick([.double(0.1), .double(-.leastNonzeroMagnitude), .double(1e300), ["$numberDouble": "-Infinity"]])
        case .data: ["$binary": ["base64": .string(pick(["", "AA==", "/+8=", "aGk="])), "subType": "00"]]
        case .date: ["$date": .string(pick(["1970-01-01T00:00:00Z", "2020-01-31T10:00:00.123456789Z"]))]
        case .decimal128: ["$numberDecimal": .string(pick(["0", "1.50", "1E+3", "NaN", "-Infinity"]))]
        case .objectId:
            ["$oid": .string("0123456789abcdef0123456" + pick(["0", "1", "a", "b", "c", "d", "e", "f", "9"]))]
        case .uuid:
            [
                "$uuid": .string(
                    "01234567-89ab-cdef-0123-456789abcde" + pick(["0", "2", "3", "1", "a", "b", "c", "d", "e", "f"]))
            ]
        default: .string(pick(["", "a", "\u{0}\n\"\\", "é", "e\u{301}", "😀", "x\(number(0...99))"]))
        }
    }

    private mutating func chance(_ of: UInt64) -> Bool { random.next() % of == 0 }
    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
    private mutating func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
}
