import RealmMigration
import Testing

@testable import ScriptChild

/// Point 16: `filtered` and `sorted` as scripts have them.
@Suite struct ScriptQueryTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"""
            {"schemaVersion": 1,
             "schema": [{"name": "Dog", "properties": {"name": {"type": "string", "mapTo": "stored"}, "age": "int", "born": "date?",
                         "mother": "Dog", "pups": "Dog[]", "friends": "Dog<>", "tags": "string[]"}}],
             "objects": {"Dog": [
               {"_key": 0, "name": "Rex", "age": 3, "born": {"$date": "2020-01-01T00:00:00Z"}, "mother": 3, "pups": [], "friends": [1, 4], "tags": ["a"]},
               {"_key": 1, "name": "Fido", "age": 5, "born": null, "mother": null, "pups": [0, 4], "friends": [], "tags": []},
               {"_key": 2, "name": "rex", "age": 3, "born": null, "mother": 3, "pups": [], "friends": [], "tags": []},
               {"_key": 3, "name": "Laika", "age": 9, "born": null, "mother": null, "pups": [2, 0], "friends": [], "tags": ["a", "b"]},
               {"_key": 4, "name": "Max", "age": 1, "born": null, "mother": 1, "pups": [], "friends": [], "tags": []}]}}
            """#)
    }

    @Test(
        arguments: [
            ("dogs.filtered('age > 3')", "Fido Laika"),
            ("dogs.filtered('age > $0 AND age < $1', 1, 9)", "Rex Fido rex"),
            ("dogs.filtered('name BEGINSWITH[c] $0', 'REX')", "Rex rex"),
            ("dogs.filtered('mother.name == $0', 'Laika')", "Rex rex"),
            ("dogs.filtered('mother == $0', dogs[3])", "Rex rex"),
            ("dogs.filtered('name IN $0', ['Max', 'Rex'])", "Rex Max"),
            ("dogs.filtered('born == $0', new Date(1577836800000))", "Rex"),
            ("dogs.filtered(\"ANY tags == 'a'\")", "Rex Laika"),
            ("dogs.filtered('pups.@count > 0').filtered('age < 6')", "Fido"),
            ("dogs.sorted('age')", "Max Rex rex Fido Laika"),
            ("dogs.sorted('age', true)", "Laika Fido Rex rex Max"),
            ("dogs.sorted([['age', true], 'name'])", "Laika Fido Rex rex Max"),
            ("dogs.sorted(['age', 'name'])", "Max Rex rex Fido Laika"),
            ("dogs.filtered('age < 6').sorted('mother.name', true)", "Fido Rex rex Max"),
            ("dogs[3].pups.sorted('name')", "Rex rex"), ("dogs[1].pups.filtered('age == 1')", "Max"),
            ("dogs[0].friends.filtered('age > 2')", "Fido"), ("dogs[0].friends.sorted('name', true)", "Max Fido"),
            ("dogs.filtered('age == 77')", ""), ("dogs.filtered('age > 3').slice(1)", "Laika"),
            ("[dogs.filtered('age > 3')[1]]", "Laika"),
        ], [true, false])
    func `choose and order`(_ expected: (expression: String, names: String), _ usesColumns: Bool) throws {
        let lines = try realm.log(
            """
            function onMigration(oldRealm, newRealm) {
              for (const realm of [oldRealm, newRealm]) {
                const dogs = realm.objects("Dog");
                const found = \(expected.expression);
                console.log(found.map(d => d.name).join(" ") + "," + found.length);
              }
            }
            """, usesColumns: usesColumns)
        let count = expected.names.split(separator: " ").count
        #expect(lines == Array(repeating: "\(expected.names),\(count)", count: 2))
    }

    @Test func `see what the script wrote, and stand still`() throws {
        let lines = try realm.log(
            """
            function migrate(migration) {
              migration.enumerateObjects("Dog", (o, n) => {
                n.age = 100 - o.age;
                if (o._key === 4) console.log(migration.newRealm.objects("Dog").filtered("age > 96").map(d => d.name));
              });
              const dogs = migration.newRealm.objects("Dog").filtered("age > 96");
              for (const dog of dogs) dog.age = 0;
              console.log(dogs.length, migration.newRealm.objects("Dog").filtered("age > 96").length);
              migration.create("Dog", {name: "New", age: 200});
              console.log(migration.newRealm.objects("Dog").filtered("age > 96")[0].name);
            }
            """)
        #expect(lines == [#"["Rex","rex","Max"]"#, "3 0", "New"])
    }

    @Test(
        arguments: [
            ("dogs.filtered('age >')", "Invalid predicate: 'age >': syntax error, unexpected end of query"),
            ("dogs.filtered('agee > 1')", "'Dog' has no property 'agee'; did you mean 'age'?"),
            ("dogs.filtered(d => d.age > 1)", "'filtered' takes a query as text."),
            ("dogs.sorted('agee')", "'Dog' has no property 'agee'; did you mean 'age'?"),
            ("dogs.sorted((a, b) => 0)", "'sorted' takes the name of a property, or an array of them."),
            (
                "dogs[0].tags.filtered('x')",
                "Only collections of objects can be asked; copy the values of another: [...values]."
            ),
        ])
    func `refuse a bad query`(_ expression: String, _ message: String) throws {
        let error = try realm.error(
            "function onMigration(oldRealm, newRealm) { const dogs = newRealm.objects('Dog');\n \(expression); }")
        #expect(error.message == message)
        #expect(error.details.first?.line == 2)
    }
}
