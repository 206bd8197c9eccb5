import RealmModel
import Testing

@testable import RealmExport

/// Tables and columns have names that the database tells apart, and otherwise those of the realm.
struct RelationalSchemaTests {
    private func relations(_ classes: ObjectSchema..., needsObjectKey: Bool = false) throws -> RelationalSchema {
        try RelationalSchema(Schema(classes), rules: .sqlite) { _ in needsObjectKey }
    }

    @Test func `a class and its collections are tables, its values are columns`() throws {
        let schema = try relations(
            ObjectSchema(
                "Person", primaryKey: "id",
                properties: [
                    Property("id", .uuid), Property("dog", .object, objectType: "Dog", isOptional: true),
                    Property("dogs", .object, collection: .list, objectType: "Dog"),
                    Property("tags", .string, collection: .set), Property("notes", .mixed, collection: .dictionary),
                ]),
            ObjectSchema("Dog", properties: [Property("name", .string, index: .general, alias: "dogName")]))
        let (person, dog) = (schema.classes[0], schema.classes[1])
        #expect(person.table == "Person")
        #expect(person.key.name == "id")
        #expect(person.columns.map(\.name) == ["id", "dog"])
        #expect(person.columns.map(\.index) == [nil, "index_Person_dog"])
        #expect(person.columns[1].reference?.table == "Dog")
        #expect(person.columns[1].reference?.key.name == "_key")
        #expect(person.collections.map(\.table) == ["Person_dogs", "Person_tags", "Person_notes"])
        #expect(person.collections.map(\.place) == ["position", nil, "key"])
        #expect(person.collections.map { $0.indexes.map(\.column) } == [["value"], ["owner"], []])
        #expect(dog.key.name == "_key")
        #expect(dog.columns.map(\.name) == ["dogName"])
        #expect(dog.columns[0].index == "index_Dog_dogName")
    }

    @Test func `names that SQLite takes for one are told apart`() throws {
        let schema = try relations(
            ObjectSchema(
                "a",
                properties: [Property("B", .int), Property("b", .int), Property("_KEY", .int), Property("é", .int)]),
            ObjectSchema("A", properties: [Property("É", .int), Property("x", .int, collection: .list)]),
            ObjectSchema("A_x"), ObjectSchema("Realm_Manifest"), ObjectSchema("sqlite_a"))
        #expect(schema.classes.map(\.table) == ["a", "A_2", "A_x", "Realm_Manifest_2", "_sqlite_a"])
        #expect(schema.classes[0].columns.map(\.name) == ["B", "b_2", "_KEY", "é"])
        #expect(schema.classes[0].key.name == "_key_2")
        #expect(schema.classes[1].collections.map(\.table) == ["A_x_2"])
    }

    @Test func `names that no database has are made to be some`() throws {
        let schema = try relations(ObjectSchema("a\0b", properties: [Property("", .int)]))
        #expect(schema.classes[0].table == "a\u{fffd}b")
        #expect(schema.classes[0].columns.map(\.name) == ["_"])
    }

    @Test func `names of PostgreSQL's catalog are other ones, and the manifest has the names of properties`() throws {
        let schema = try RelationalSchema(
            Schema([
                ObjectSchema(
                    "pg_authid",
                    properties: [
                        Property("xmin", .int), Property("rolname", .string), Property("x", .int, collection: .list),
                    ]),
                ObjectSchema("_pg_authid"), ObjectSchema("PG_CLASS"),
            ]), rules: .postgres
        ) { _ in false }
        #expect(schema.classes.map(\.table) == ["_pg_authid", "_pg_authid_2", "PG_CLASS"])
        #expect(schema.classes[0].columns.map(\.name) == ["xmin_2", "rolname"])
        #expect(
            schema.classes[0].names == [
                NameKey("xmin"): PlaceName(.column, "xmin_2", insteadOf: "xmin"),
                NameKey("x"): PlaceName(.table, "_pg_authid_x", insteadOf: "pg_authid_x"),
            ])
    }

    @Test func `a name that thousands have is counted on from the last one`() throws {
        var room = NameRoom(tablesOf: .postgres)
        let long = String(repeating: "x", count: 63)
        let names = (0..<30_000).map { room.take(long + String($0)) }
        #expect(Set(names).count == names.count)
        #expect(names.last == String(repeating: "x", count: 57) + "_30000")
    }

    @Test func `files of an archive have names that every file system tells apart`() throws {
        var names = FileNames()
        let wanted = [
            "manifest", "Manifest", "a:b", "a_b", "a/b", "é", "e\u{301}", "É", "nul", "Con.x", "com1 ", "..", "-rf", "",
            "a\u{202e}b", "ﬁ", "FI",
        ]
        #expect(names.take("manifest", ending: "json") == "manifest.json")
        #expect(
            wanted.map { names.take($0, ending: "csv") } == [
                "manifest.csv", "Manifest_2.csv", "a_b.csv", "a_b_2.csv", "a_b_3.csv", "é.csv", "e\u{301}_2.csv",
                "É_3.csv",
                "_nul.csv", "_Con.x.csv", "_com1 .csv", "_...csv", "_-rf.csv", "_.csv", "a_b_4.csv", "ﬁ.csv",
                "FI_2.csv",
            ])
        let long = (0..<2).map { _ in names.take(String(repeating: "é", count: 300), ending: "csv") }
        #expect(long.map(\.utf8.count) == [200, 200])
        #expect(long[1].hasSuffix("é_2.csv"))
    }

    @Test func `a class is identified by object keys where its primary key can't do it`() throws {
        let object = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int, isOptional: true)])
        #expect(try relations(object).classes[0].key.name == "id")
        #expect(try relations(object, needsObjectKey: true).classes[0].key == KeyColumn(name: "_key", property: nil))
    }

    @Test(
        arguments: [
            (Timestamp(seconds: 1, nanoseconds: 500_000_000), 1, 1, false),
            (Timestamp(seconds: 1, nanoseconds: 500_000_000), 1000, 1500, true),
            (Timestamp(seconds: 0, nanoseconds: -1), 1, -1, false),
            (Timestamp(seconds: -1, nanoseconds: 0), 1, -1, true),
            (Timestamp(seconds: -1, nanoseconds: -1_000_000), 1000, -1001, true),
            (Timestamp(seconds: .max, nanoseconds: 0), 1, .max, true),
            (Timestamp(seconds: .max, nanoseconds: 0), 1000, nil, false),
            (Timestamp(seconds: .min, nanoseconds: -1), 1, nil, false),
        ] as [(Timestamp, Int64, Int64?, Bool)])
    func `dates are rounded towards the past`(date: Timestamp, units: Int64, number: Int64?, isExact: Bool) {
        let floored = date.floored(unitsPerSecond: units)
        #expect(floored.number == number)
        #expect(floored.isExact == isExact)
    }

    @Test func `single embedded objects are columns, where every property holds one and none leads back`() throws {
        let classes = Schema([
            ObjectSchema(
                "Person", primaryKey: "id",
                properties: [
                    Property("id", .int), Property("home", .object, objectType: "Address", isOptional: true),
                    Property("home_id", .int), Property("notes", .object, collection: .list, objectType: "Note"),
                    Property("tree", .object, objectType: "Tree", isOptional: true),
                ]),
            ObjectSchema(
                "Address", kind: .embedded,
                properties: [
                    Property("id", .string, index: .general), Property("phones", .string, collection: .list),
                    Property("place", .object, objectType: "Place", isOptional: true),
                ]),
            ObjectSchema("Place", kind: .embedded, properties: [Property("open", .bool)]),
            ObjectSchema("Note", kind: .embedded, properties: [Property("text", .string)]),
            ObjectSchema(
                "Tree", kind: .embedded, properties: [Property("left", .object, objectType: "Tree", isOptional: true)]),
        ])
        let schema = try RelationalSchema(classes, rules: .sqlite, flattens: true) { _ in false }
        #expect(schema.classes.map(\.table) == ["Person", "Note", "Tree"])
        #expect(schema.flattened.map(\.name) == ["Address", "Place"])
        let person = schema.classes[0]
        #expect(
            person.columns.map(\.name) == [
                "id", "home", "home_id_2", "home_place", "home_place_open", "home_id", "tree",
            ])
        #expect(person.columns.map(\.isRequired) == [true, true, false, true, false, true, false])
        #expect(person.columns.map(\.isPrimaryKey) == [true] + [Bool](repeating: false, count: 6))
        #expect(person.columns[2].index == "index_Person_home_id_2")
        #expect(person.collections.map(\.table) == ["Person_home_phones", "Person_notes"])
    }
}
