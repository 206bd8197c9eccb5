import RealmModel
import Testing

@testable import RealmMigration

/// The first failure where several things are wrong, and the places of columns.
@Suite struct `The order of a migration` {
    private let duplicates = "Primary key property 'A.a' has duplicate values after migration."

    @Test func `goes class by class through columns and keys`() throws {
        let stored = [
            ObjectSchema("A", properties: [Property("a", .int)]), ObjectSchema("B", properties: [Property("q", .int)]),
        ]
        let source = try TestRealm(stored, objects: ["A": [[:], [:]]])
        let target = [ObjectSchema("A", primaryKey: "a", properties: [Property("a", .int)]), ObjectSchema("B")]
        #expect(
            try source.failure(to: target) { try $0.renameProperty(of: "B", from: "q", to: "zz") } == duplicates)
        let unkeyed = [stored[0], ObjectSchema("B")]
        #expect(
            try source.failure(to: unkeyed) { try $0.renameProperty(of: "B", from: "q", to: "zz") }
                == "Renamed property 'B.zz' does not exist.")
    }

    @Test func `looks at new keys before classes become embedded, and at old ones after`() throws {
        let orphans = "Cannot convert 'K' to embedded: at least one object has no incoming links and would be deleted."
        let a = ObjectSchema("A", primaryKey: "a", properties: [Property("a", .int)])
        let k = ObjectSchema("K", properties: [Property("v", .int)])
        let embedded = ObjectSchema("K", kind: .embedded, properties: k.properties)
        let script: (MigrationTransaction) throws -> Void = { transaction in
            try transaction.enumerate("A") { _, new in try transaction.set("a", of: try #require(new), to: .int(3)) }
        }
        let objects: [String: [TestRealm.Object]] = ["A": [["a": .int(1)], ["a": .int(2)]], "K": [[:]]]
        #expect(try TestRealm([a, k], objects: objects).failure(to: [a, embedded], script: script) == orphans)
        let unkeyed = ObjectSchema("A", properties: a.properties)
        #expect(
            try TestRealm([unkeyed, k], objects: objects).failure(to: [a, embedded], script: script) == duplicates)
        #expect(try TestRealm([a], objects: objects).failure(to: [a], script: script) == duplicates)
    }

    @Test func `puts the key of a new class first, and what is made optional last`() throws {
        let source = try TestRealm([
            ObjectSchema("A", properties: [Property("n", .int), Property("s", .int), Property("t", .int)])
        ])
        let target = [
            ObjectSchema(
                "A", properties: [Property("n", .int), Property("u", .int, isOptional: true), Property("t", .int)]),
            ObjectSchema("B", primaryKey: "id", properties: [Property("x", .int), Property("id", .int)]),
        ]
        let migrated = try source.migrated(to: target) { try $0.renameProperty(of: "A", from: "s", to: "u") }
        let columns = migrated.snapshot.storedSchema.classes.map { $0.properties.map(\.name) }
        #expect(columns == [["n", "t", "u"], ["id", "x"]])
    }

    @Test(arguments: [UInt64(0), 1], [CollectionKind.set, .list])
    func `refuses sets of embedded objects while these are it`(version: UInt64, collection: CollectionKind) throws {
        let embedded = ObjectSchema("E", kind: .embedded, properties: [Property("x", .int)])
        let freed = ObjectSchema("E", properties: embedded.properties)
        let owner = ObjectSchema("A", properties: [Property("e", .object, collection: .list, objectType: "E")])
        let source = try TestRealm([owner, embedded])
        let linking = ObjectSchema("Z", properties: [Property("s", .object, collection: collection, objectType: "E")])
        let isRefused = collection == .set
        if isRefused || version == 0 {
            let error = try source.failed(to: [owner, freed, linking], version: version)
            #expect(error.code == (isRefused ? .illegalOperation : .schemaMismatch))
            #expect(isRefused == (error.message == "Set of embedded objects not supported"))
        } else {
            #expect(try source.migrated(to: [owner, freed, linking]).snapshot["Z"] != nil)
        }
        var changed = owner
        changed.properties[0].collection = .set
        #expect(try source.failure(to: [changed, freed]) == "Set of embedded objects not supported")
    }

    @Test func `refuses links to what is asymmetric`() throws {
        let asymmetric = ObjectSchema("Z", kind: .asymmetric, primaryKey: "_id", properties: [Property("_id", .int)])
        let freed = ObjectSchema("Z", primaryKey: "_id", properties: asymmetric.properties)
        let link = ObjectSchema("A", properties: [Property("z", .object, objectType: "Z", isOptional: true)])
        #expect(try TestRealm([asymmetric]).failure(to: [freed, link]) == "Ephemeral objects not supported")
    }

    @Test func `makes everything at once where there was no schema version`() throws {
        let stored = [
            ObjectSchema("A", properties: [Property("e", .object, objectType: "E", isOptional: true)]),
            ObjectSchema("E", properties: [Property("x", .int)]),
        ]
        var target = stored
        target[1].kind = .embedded
        let linked: [String: [TestRealm.Object]] = ["A": [["e": .link(ObjectKey(0))]], "E": [[:]]]
        let source = try TestRealm(stored, version: nil, objects: linked)
        #expect(try source.migrated(to: target, version: 0).snapshot["E"]?.schema.kind == .embedded)
        let orphaned = try TestRealm(stored, version: nil, objects: ["E": [[:]]])
        #expect(
            try orphaned.failure(to: target, version: 0, resolving: true)
                == "Cannot convert 'E' to embedded: at least one object has no incoming links and would be deleted.")
        let opened = try source.migrated(to: target, version: 5, mode: .readOnly)
        #expect(opened.snapshot.schemaVersion == 5)
        #expect(opened.snapshot.classes == source.snapshot.classes)
        #expect(try source.migrated(to: stored, version: 1 << 63).snapshot.schemaVersion == 1 << 63)
    }

    @Test func `in manual mode keeps a key that is renamed, and loses one that is replaced`() throws {
        func keyed(_ name: String, _ properties: [String]) -> ObjectSchema {
            ObjectSchema("A", primaryKey: name, properties: properties.map { Property($0, .int) })
        }
        let rename: (MigrationTransaction) throws -> Void = { try $0.renameProperty(of: "A", from: "a", to: "b") }
        let objects: [String: [TestRealm.Object]] = ["A": [["a": .int(1)], ["a": .int(2)]]]
        let renamed = try TestRealm([keyed("a", ["a", "n"])], objects: objects)
            .migrated(to: [keyed("b", ["b", "n"])], mode: .manual, script: rename)
        #expect(try renamed.values("A", "b") == [.int(1), .int(2)])
        #expect(renamed.snapshot["A"]?.schema.primaryKey == "b")
        #expect(
            try TestRealm([keyed("b", ["b", "a"])], objects: objects)
                .failure(to: [keyed("b", ["b"])], mode: .manual, script: rename)
                == "Migration is required due to the following errors:\n- Property 'A.b' has been made indexed.\n"
                + "- Primary Key for class 'A' has been added.")
        let replaced = try TestRealm([keyed("b", ["b", "a"])], objects: objects)
            .migrated(to: [keyed("b", ["b"])], script: rename)
        #expect(try replaced.values("A", "b") == [.int(1), .int(2)])
        #expect(replaced.snapshot["A"]?.schema.primaryKey == "b")
    }

    @Test func `gives an embedded class that nothing reaches its columns, and makes no new one`() throws {
        let stored = [
            ObjectSchema("A", properties: [Property("n", .int)]),
            ObjectSchema("E", kind: .embedded, properties: [Property("x", .int)]),
        ]
        var target = stored
        target[1].properties.append(Property("y", .int, index: .general))
        target.append(ObjectSchema("F", kind: .embedded, properties: [Property("x", .int)]))
        let migrated = try TestRealm(stored).migrated(to: target, mode: .additiveDiscovered)
        #expect(migrated.snapshot["E"]?.schema.properties.map(\.name) == ["x", "y"])
        #expect(migrated.snapshot["F"] == nil)
        target[1].properties.append(Property("f", .object, objectType: "F", isOptional: true))
        #expect(try TestRealm(stored).migrated(to: target, mode: .additiveDiscovered).snapshot["F"] != nil)
    }

    @Test func `tests a rename by its elements, then by what may be null, then by its collection`() throws {
        let stored = ObjectSchema("A", properties: [Property("s", .bool, isOptional: true)])
        func failure(_ property: Property) throws -> String {
            try TestRealm([stored]).failure(to: [ObjectSchema("A", properties: [property])]) {
                try $0.renameProperty(of: "A", from: "s", to: "t")
            }
        }
        let prefix = "Cannot rename property 'A.s' to 't' because it would change from "
        #expect(try failure(Property("t", .int)) == prefix + "type 'bool' to 'int'.")
        #expect(try failure(Property("t", .bool, collection: .set)) == prefix + "optional to required.")
        #expect(
            try failure(Property("t", .bool, collection: .set, isOptional: true)) == prefix
                + "type 'bool' to 'set<bool>'.")
    }
}
