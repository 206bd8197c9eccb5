import RealmModel
import Testing

@testable import RealmExport

/// Tables and columns have names that the database tells apart, and otherwise those of the realm.
struct RelationalSchemaTests {
    private func relations(_ classes: ObjectSchema..., needsObjectKey: Bool = false) -> RelationalSchema {
        RelationalSchema(Schema(classes), rules: .sqlite) { _ in needsObjectKey }
    }

    @Test func `a class and its collections are tables, its values are columns`() throws {
        let schema = relations(
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

    @Test func `names that SQLite takes for one are told apart`() {
        let schema = relations(
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

    @Test func `names that no database has are made to be some`() {
        let schema = relations(ObjectSchema("a\0b", properties: [Property("", .int)]))
        #expect(schema.classes[0].table == "a\u{fffd}b")
        #expect(schema.classes[0].columns.map(\.name) == ["_"])
    }

    @Test func `a class is identified by object keys where its primary key can't do it`() {
        let object = ObjectSchema("A", primaryKey: "id", properties: [Property("id", .int, isOptional: true)])
        #expect(relations(object).classes[0].key.name == "id")
        #expect(relations(object, needsObjectKey: true).classes[0].key == KeyColumn(name: "_key", property: nil))
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

    @Test func `single embedded objects are columns, where every property holds one and none leads back`() {
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
        let schema = RelationalSchema(classes, rules: .sqlite, flattens: true) { _ in false }
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
