import Columns
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Made-up realms` {
    private static let link = Property("friend", .object, objectType: "Person", isOptional: true)

    @Test(arguments: PropertyType.allCases.filter { $0 != .object && $0 != .linkingObjects })
    func `have the edges of a type, each in an object`(type: PropertyType) throws {
        let schema = Schema([ObjectSchema("Thing", properties: [Property("value", type, isOptional: type == .mixed)])])
        let realm = try make(schema)
        let values = try realm.values("Thing", "value")
        #expect(values.count == MadeUpRealm.objectCount)
        for value in EdgeValues.of(type).dropFirst(type == .mixed ? 8 : 0) {
            #expect(values.contains { isSame($0, value) })
        }
        // As many as there are objects, so that each can have a primary key of its own.
        if type != .bool { #expect(Set(values.map { "\($0)" }).count == values.count) }
    }

    @Test(arguments: [PropertyType.int, .string, .objectId, .uuid], [false, true])
    func `have a primary key for each object`(type: PropertyType, isOptional: Bool) throws {
        let key = Property("id", type, isOptional: isOptional)
        let realm = try make(Schema([ObjectSchema("Thing", primaryKey: "id", properties: [key])]))
        let values = try realm.values("Thing", "id")
        #expect(Set(values).count == MadeUpRealm.objectCount)
        #expect(values.contains(.null) == isOptional)
    }

    /// Otherwise a value that a script drops from one property would be found in another.
    @Test(arguments: PropertyType.allCases.filter { ![.object, .linkingObjects, .bool].contains($0) })
    func `have values in each property that no other has`(type: PropertyType) throws {
        let names = (0..<20).map { "p\($0)" }
        let classes = ["A", "B"].map { name in
            ObjectSchema(name, properties: names.map { Property($0, type, isOptional: type == .mixed) })
        }
        let realm = try make(Schema(classes))
        var owners: [String: Int] = [:]
        var columns: [Set<String>] = []
        for (name, property) in ["A", "B"].flatMap({ name in names.map { (name, $0) } }) {
            columns.append(Set(try realm.values(name, property).map { "\($0)" }))
            for value in columns[columns.count - 1] { owners[value, default: 0] += 1 }
        }
        for column in columns {
            let own = column.filter { owners[$0] == 1 }
            #expect(own.count >= MadeUpRealm.objectCount / 2 - 1)
        }
    }

    @Test func `have links of which those of two properties differ`() throws {
        let links = ["one", "other"].map { Property($0, .object, objectType: "Person", isOptional: true) }
        let realm = try make(Schema([ObjectSchema("Person", properties: links)]))
        let pairs = zip(try realm.values("Person", "one"), try realm.values("Person", "other"))
        #expect(pairs.filter { $0 == $1 && $0 != .null }.isEmpty)
    }

    @Test func `have links to what is there, and owners for what is embedded`() throws {
        let schema = Schema([
            ObjectSchema(
                "Person", primaryKey: "id",
                properties: [
                    Property("id", .int), Self.link,
                    Property("friends", .object, collection: .list, objectType: "Person"),
                    Property("home", .object, objectType: "Address", isOptional: true),
                    Property("homes", .object, collection: .dictionary, objectType: "Address", isOptional: true),
                    Property("anything", .mixed, isOptional: true),
                ]),
            ObjectSchema(
                "Address", kind: .embedded,
                properties: [
                    Property("street", .string), Property("inner", .object, objectType: "Address", isOptional: true),
                    Property("owner", .object, objectType: "Person", isOptional: true),
                ]),
        ])
        let realm = try make(schema)
        let objects = try realm.contents()
        let people = Set((objects["Person"] ?? []).compactMap { $0["_key"] })
        let addresses = (objects["Address"] ?? []).compactMap { $0["_key"] }
        var owned: [Value] = []
        for object in objects.values.joined() {
            for name in ["friend", "friends", "owner"] {
                for key in object[name]?.linkedKeys ?? [] { #expect(people.contains(.int(key.value))) }
            }
            for name in ["home", "homes", "inner"] { owned += (object[name]?.linkedKeys ?? []).map { .int($0.value) } }
        }
        #expect(addresses.count > MadeUpRealm.objectCount)
        #expect(Set(owned) == Set(addresses) && owned.count == addresses.count)
    }

    /// The made-up realm of any schema can be migrated to itself.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `are realms of their schema`(seed: UInt64) throws {
        var random = RandomRealm(seed: seed)
        let schema = Schema(random.classes())
        let realm = try make(schema)
        let migrated = try realm.migrated(to: schema.classes) { _ in }
        #expect(try migrated.contents() == realm.contents())
        #expect(try make(schema).contents() == realm.contents())
    }

    private func make(_ schema: Schema) throws -> TestRealm {
        let store = MemorySegmentStore()
        let snapshot = try MadeUpRealm.make(schema, version: 0, in: store)
        return TestRealm(snapshot, store: store, limits: RowGroupLimits(rows: 2, bytes: 1 << 20))
    }

    private func isSame(_ value: Value, _ other: Value) -> Bool { "\(value)" == "\(other)" }
}
