import Columns
import RealmModel
import TestRandomness

/// Random schemas and objects of them.
struct RandomRealm {
    private(set) var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let scalars: [PropertyType] = [
        .int, .bool, .float, .double, .string, .data, .date, .decimal128, .objectId, .uuid,
    ]

    /// Some classes with properties of every kind; links lead to any of them.
    mutating func classes() -> [ObjectSchema] {
        let names = (0..<Int.random(in: 1...3, using: &generator)).map { "C\($0)" }
        return names.map { name in
            let properties = (0..<Int.random(in: 1...5, using: &generator)).map { property("p\($0)", targets: names) }
            return ObjectSchema(name, properties: properties)
        }
    }

    /// One of two, equally often.
    mutating func flipsCoin() -> Bool { Bool.random(using: &generator) }

    /// A property of a random type.
    mutating func property(_ name: String, targets: [String]) -> Property {
        let collection = CollectionKind.allCases.randomElement(using: &generator) ?? .none
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            let isOptional = collection == .none || collection == .dictionary
            return Property(
                name, .object, collection: collection, objectType: targets.randomElement(using: &generator),
                isOptional: isOptional)
        case 1: return Property(name, .mixed, collection: collection, isOptional: true)
        default:
            return Property(
                name, Self.scalars.randomElement(using: &generator) ?? .int, collection: collection,
                isOptional: Bool.random(using: &generator))
        }
    }

    /// Objects for the classes, links among them included.
    mutating func objects(of classes: [ObjectSchema]) -> [String: [TestRealm.Object]] {
        let counts = classes.reduce(into: [String: Int]()) { $0[$1.name] = Int.random(in: 0...7, using: &generator) }
        return classes.reduce(into: [:]) { objects, schema in
            objects[schema.name] = (0..<(counts[schema.name] ?? 0)).map { _ in
                schema.properties.reduce(into: TestRealm.Object()) { object, property in
                    object[property.name] = value(of: property, counts: counts)
                }
            }
        }
    }

    private mutating func value(of property: Property, counts: [String: Int]) -> Value {
        let count = Int.random(in: 0...4, using: &generator)
        switch property.collection {
        case .none: return element(of: property, counts: counts)
        case .list: return .list((0..<count).map { _ in element(of: property, counts: counts) }.filter(fits(property)))
        case .set:
            return .list(
                ValueOrder.sortedUnique(
                    (0..<count).map { _ in element(of: property, counts: counts) }.filter(fits(property))))
        case .dictionary:
            return .dictionary((0..<count).map { DictionaryEntry("k\($0)", element(of: property, counts: counts)) })
        }
    }

    /// Lists and sets of links hold no nulls.
    private func fits(_ property: Property) -> (Value) -> Bool {
        { !(property.type == .object && $0.isNull) }
    }

    private mutating func element(of property: Property, counts: [String: Int]) -> Value {
        if property.isOptional, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        switch property.type {
        case .object:
            let count = property.objectType.flatMap { counts[$0] } ?? 0
            return count == 0 ? .null : .link(ObjectKey(Int64.random(in: 0..<Int64(count), using: &generator)))
        case .mixed: return scalar(Self.scalars.randomElement(using: &generator) ?? .int)
        default: return scalar(property.type)
        }
    }

    private mutating func scalar(_ type: PropertyType) -> Value {
        let number = Int64.random(in: -1000...1000, using: &generator)
        switch type {
        case .int: return .int(number)
        case .bool: return .bool(number > 0)
        case .float: return .float(Float(number) / 4)
        case .double: return .double(Double(number) / 4)
        case .string: return .string("s\(number)")
        case .data: return .data([UInt8(truncatingIfNeeded: number)])
        case .date: return .date(Timestamp(seconds: number, nanoseconds: 0))
        case .decimal128: return .decimal128(Decimal128(low: UInt64(abs(number)), high: 0x3040_0000_0000_0000))
        case .objectId: return ObjectId(bytes: bytes(12)).map { .objectId($0) } ?? .null
        case .uuid: return UUID(bytes: bytes(16)).map { .uuid($0) } ?? .null
        case .mixed, .object, .linkingObjects: return .null
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
