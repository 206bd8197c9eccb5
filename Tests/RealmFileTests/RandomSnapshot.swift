import Columns
import RealmModel
import TestRandomness

@testable import RealmFile

/// Random classes and objects of them in a store, some of the objects deleted.
struct RandomSnapshot {
    let store = MemorySegmentStore()
    private(set) var snapshot = Snapshot(schemaVersion: nil, declared: Schema(), classes: [])
    private var generator: SeededGenerator

    private static let scalars: [PropertyType] = [
        .int, .bool, .float, .double, .string, .data, .date, .decimal128, .objectId, .uuid,
    ]

    /// - Parameter objectLimit: the most objects of a class.
    init(seed: UInt64, objectLimit: Int, limits: RowGroupLimits) throws {
        generator = SeededGenerator(seed: seed)
        // Tables in another order than their names, in which sets have links to several classes.
        let names = (0..<Int.random(in: 1...4, using: &generator)).map { "Class\(9 - $0)" }
        let schemas = names.map { schema($0, targets: names) }
        var keys: [String: [Int64]] = [:]
        for schema in schemas { keys[schema.name] = objectKeys(limit: objectLimit) }
        let live = keys.mapValues { keys in keys.filter { _ in Int.random(in: 0..<8, using: &generator) > 0 } }
        let classes = try schemas.map { schema in
            try write(schema, keys: keys[schema.name] ?? [], live: live, limits: limits)
        }
        let version = Bool.random(using: &generator) ? UInt64.random(in: 0...1 << 40, using: &generator) : nil
        snapshot = Snapshot(schemaVersion: version, declared: Schema(schemas), classes: classes)
    }

    private mutating func schema(_ name: String, targets: [String]) -> ObjectSchema {
        var properties = (0..<Int.random(in: 1...8, using: &generator)).map { property("p\($0)", targets: targets) }
        guard Bool.random(using: &generator) else { return ObjectSchema(name, properties: properties) }
        let types: [PropertyType] = [.int, .string, .objectId, .uuid]
        properties.insert(
            Property("id", types.randomElement(using: &generator) ?? .int),
            at: Int.random(in: 0...properties.count, using: &generator))
        return ObjectSchema(name, primaryKey: "id", properties: properties)
    }

    private mutating func property(_ name: String, targets: [String]) -> Property {
        let collection = CollectionKind.allCases.randomElement(using: &generator) ?? .none
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            return Property(
                name, .object, collection: collection, objectType: targets.randomElement(using: &generator),
                isOptional: collection == .none || collection == .dictionary)
        case 1:
            let isIndexed = collection == .none && Bool.random(using: &generator)
            return Property(name, .mixed, collection: collection, isOptional: true, index: isIndexed ? .general : .none)
        default:
            let type = Self.scalars.randomElement(using: &generator) ?? .int
            let canBeIndexed = [.int, .bool, .string, .date, .objectId, .uuid].contains(type)
            let isIndexed = collection == .none && canBeIndexed && Bool.random(using: &generator)
            return Property(
                name, type, collection: collection, isOptional: Bool.random(using: &generator),
                index: isIndexed ? .general : .none)
        }
    }

    /// Keys as Realm gives them, or with gaps, or far apart.
    private mutating func objectKeys(limit: Int) -> [Int64] {
        let count = Int.random(in: 0...limit, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return (0..<count).map { Int64($0) }
        case 1: return (0..<count).map { ObjectKey.allocated(sequence: Int64($0), hasPrimaryKey: false).value }
        case 2: return (0..<count).map { Int64($0) * 3 + 100_000 }
        default:
            return Set((0..<count).map { _ in Int64.random(in: 0..<1 << 61, using: &generator) }).sorted()
        }
    }

    private mutating func write(
        _ schema: ObjectSchema, keys: [Int64], live: [String: [Int64]], limits: RowGroupLimits
    ) throws -> StoredClass {
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        var seen: Set<Value> = []
        for key in keys {
            for (property, builder) in zip(schema.properties, writer.columns) {
                var value = value(of: property, live: live)
                while property.name == schema.primaryKey, !seen.insert(value).inserted {
                    value = self.value(of: property, live: live)
                }
                try builder.append(value)
            }
            try writer.endRow(key: ObjectKey(key))
        }
        var stored = try writer.finish(nextSequence: (keys.last ?? -1) + 1)
        try delete(keysOtherThan: Set(live[schema.name] ?? []), of: &stored)
        return stored
    }

    private func delete(keysOtherThan live: Set<Int64>, of stored: inout StoredClass) throws {
        let reader = try ClassReader(stored, store: store)
        var groups = reader.rowGroups
        for group in groups.indices {
            let keys = try reader.keys(inGroup: group)
            var deleted = Bitmap(count: keys.count)
            for (row, key) in keys.enumerated() where !live.contains(key) { deleted[row] = true }
            if deleted.setCount > 0 { groups[group].deleted = deleted }
        }
        stored.objectCount = groups.reduce(0) { $0 + $1.objectCount }
        guard stored.rowGroups != nil else { return }
        stored.rowGroups = try store.write(segment: SnapshotCoding.encode(rowGroups: groups))
    }

    private mutating func value(of property: Property, live: [String: [Int64]]) -> Value {
        let isLong = Int.random(in: 0..<200, using: &generator) == 0
        let count = isLong ? 1500 : Int.random(in: 0...4, using: &generator)
        switch property.collection {
        case .none: return element(of: property, live: live)
        case .list, .set:
            var elements = (0..<count).map { _ in element(of: property, live: live) }
            if property.type == .object { elements.removeAll { $0.isNull } }
            return .list(property.collection == .set ? ValueOrder.sortedUnique(elements) : elements)
        case .dictionary:
            let keys = Set((0..<count).map { _ in text() }).sorted { Ordering(bytes: $0.utf8, $1.utf8) == .ascending }
            return .dictionary(keys.map { DictionaryEntry($0, element(of: property, live: live)) })
        }
    }

    private mutating func element(of property: Property, live: [String: [Int64]]) -> Value {
        if property.isOptional, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        switch property.type {
        case .object:
            return property.objectType.flatMap { live[$0]?.randomElement(using: &generator) }
                .map { .link(ObjectKey($0)) } ?? .null
        case .mixed: return mixed(live, depth: property.collection == .set ? 3 : 0)
        default: return scalar(property.type)
        }
    }

    private mutating func mixed(_ live: [String: [Int64]], depth: Int) -> Value {
        switch Int.random(in: 0..<(depth < 3 ? 16 : 14), using: &generator) {
        case 0...1:
            guard let name = live.keys.sorted().randomElement(using: &generator),
                let key = live[name]?.randomElement(using: &generator)
            else { return .null }
            return .typedLink(className: name, ObjectKey(key))
        case 14: return .list((0..<Int.random(in: 0...3, using: &generator)).map { _ in mixed(live, depth: depth + 1) })
        case 15:
            let count = Int.random(in: 0...3, using: &generator)
            return .dictionary((0..<count).map { DictionaryEntry("k\($0)", mixed(live, depth: depth + 1)) })
        default: return scalar(Self.scalars.randomElement(using: &generator) ?? .int)
        }
    }

    private mutating func scalar(_ type: PropertyType) -> Value {
        let number = integer()
        switch type {
        case .int: return .int(number)
        case .bool: return .bool(number > 0)
        case .float: return .float(Float(number) / 4)
        case .double: return .double(Double(number) / 4)
        case .string: return .string(text())
        case .data: return .data(bytes(length()))
        case .date:
            return .date(Timestamp(seconds: number, nanoseconds: number == 0 ? 0 : Int32(number.signum()) * 999))
        case .decimal128: return .decimal128(Decimal128(number))
        case .objectId: return ObjectId(bytes: bytes(12)).map { .objectId($0) } ?? .null
        case .uuid: return UUID(bytes: bytes(16)).map { .uuid($0) } ?? .null
        case .mixed, .object, .linkingObjects: return .null
        }
    }

    /// Numbers of every width, the ends of the widths often.
    private mutating func integer() -> Int64 {
        let bits = [0, 1, 2, 4, 7, 8, 15, 16, 31, 32, 63].randomElement(using: &generator) ?? 0
        let end: Int64 = bits == 63 ? .max : 1 << Int64(bits)
        let number = Bool.random(using: &generator) ? end : Int64.random(in: -end...end, using: &generator)
        return Bool.random(using: &generator) ? ~number : number - 1
    }

    /// Lengths around those at which leaves change their form.
    private mutating func length() -> Int {
        let near = [0, 1, 3, 7, 15, 16, 63, 64, 65, 200, 210].randomElement(using: &generator) ?? 0
        return Bool.random(using: &generator) ? near : Int.random(in: 0...min(near, 15), using: &generator)
    }

    private mutating func text() -> String {
        let unit = ["a", "é", "X", "\0", "common "].randomElement(using: &generator) ?? ""
        let head = String(repeating: unit, count: length() / unit.utf8.count)
        return Bool.random(using: &generator) ? head + "\(Int.random(in: 0..<1_000_000, using: &generator))" : head
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
