import Columns
import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Laws of every migration` {
    private func realm(seed: UInt64, rows: Int = 2) throws -> (TestRealm, [ObjectSchema], RandomRealm) {
        var random = RandomRealm(seed: seed)
        let classes = random.classes()
        let realm = try TestRealm(
            classes, objects: random.objects(of: classes), limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
        return (realm, classes, random)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `migrating to the same schema changes nothing but the version`(seed: UInt64) throws {
        let (realm, classes, _) = try realm(seed: seed)
        let migrated = try realm.migrated(to: classes) { _ in }
        #expect(try migrated.contents() == realm.contents())
        #expect(migrated.snapshot.schemaVersion == 1)
        #expect(migrated.snapshot.classes == realm.snapshot.classes)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the source stays as it is whatever the script does`(seed: UInt64) throws {
        var (realm, classes, random) = try realm(seed: seed, rows: Int(seed % 3) + 1)
        let before = try realm.contents()
        let names = classes.map(\.name)
        let target = classes.map { schema in
            ObjectSchema(schema.name, properties: schema.properties.dropLast() + [random.property("n", targets: names)])
        }
        _ = try realm.migrated(to: target) { transaction in
            var isOdd = false
            for name in names {
                try transaction.enumerate(name) { _, new in
                    isOdd.toggle()
                    guard let new, isOdd else { return }
                    try transaction.delete(new)
                }
            }
        }
        #expect(try realm.contents() == before)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `renaming there and back changes nothing`(seed: UInt64) throws {
        let (realm, classes, _) = try realm(seed: seed)
        let renamed = classes.map { schema in
            ObjectSchema(schema.name, properties: schema.properties.map { $0.named($0.name + "_") })
        }
        func renames(_ suffix: (String) -> (String, String)) -> [PropertyRename] {
            classes.flatMap { schema in
                schema.properties.map {
                    let (from, to) = suffix($0.name)
                    return PropertyRename(className: schema.name, from: from, to: to)
                }
            }
        }
        let there = try realm.migrated(to: renamed, renames: renames { ($0, $0 + "_") })
        let back = try there.migrated(to: classes, renames: renames { ($0 + "_", $0) })
        #expect(try back.contents() == realm.contents())
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `an added property holds its type's own value in every object`(seed: UInt64) throws {
        var (realm, classes, random) = try realm(seed: seed)
        let added = random.property("added", targets: classes.map(\.name))
        let target = classes.map { ObjectSchema($0.name, properties: $0.properties + [added]) }
        let migrated = try realm.migrated(to: target)
        for schema in classes {
            #expect(try migrated.values(schema.name, "added").allSatisfy { $0 == added.initialValue })
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `no link leads to a deleted object`(seed: UInt64) throws {
        var (realm, classes, random) = try realm(seed: seed, rows: Int(seed % 3) + 1)
        let migrated = try realm.migrated(to: classes) { transaction in
            for schema in classes {
                try transaction.enumerate(schema.name) { _, new in
                    guard let new, random.flipsCoin() else { return }
                    try transaction.delete(new)
                }
            }
        }
        for schema in classes {
            for property in schema.properties where property.isLink {
                let keys = try Set(migrated.values(property.objectType ?? "", "_key"))
                for value in try migrated.values(schema.name, property.name) {
                    #expect(value.linkedKeys.allSatisfy { keys.contains(.int($0.value)) })
                }
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `one step and two lead to the same objects where no property comes back`(seed: UInt64) throws {
        var (realm, classes, random) = try realm(seed: seed)
        let names = classes.map(\.name)
        let middle = classes.map {
            ObjectSchema($0.name, properties: $0.properties + [random.property("m", targets: names)])
        }
        let last = middle.map {
            ObjectSchema($0.name, properties: $0.properties + [random.property("n", targets: names)])
        }
        let stepwise = try realm.migrated(to: middle).migrated(to: last)
        let direct = try realm.migrated(to: last, version: 2)
        #expect(try stepwise.contents() == direct.contents())
    }

    @Test func `renaming, adding and making optional write no bytes of objects`() throws {
        let realm = try TestRealm(
            [ObjectSchema("A", properties: [Property("x", .int), Property("s", .string)])],
            objects: ["A": (0..<100).map { ["x": .int($0), "s": .string("text")] }])
        let before = try #require(realm.store as? MemorySegmentStore).storedBytes
        let migrated = try realm.migrated(
            to: [
                ObjectSchema(
                    "A",
                    properties: [
                        Property("y", .int), Property("s", .string, isOptional: true),
                        Property("n", .string, collection: .list),
                    ])
            ], renames: [PropertyRename(className: "A", from: "x", to: "y")])
        #expect(try #require(realm.store as? MemorySegmentStore).storedBytes == before)
        #expect(try migrated.values("A", "y") == (0..<100).map { .int($0) })
    }
}

extension Property {
    /// The property under another name.
    fileprivate func named(_ name: String) -> Property {
        var renamed = self
        renamed.name = name
        return renamed
    }
}
