import Columns
import RealmJSON
import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild

/// A class that gets another name keeps its objects, their keys, and everything that leads to them.
@Suite struct `Renaming a class` {
    private let source = """
        {"schemaVersion": 1, "schema": [
            {"name": "Dog", "properties": {"name": "string", "mother": "Dog?", "puppies": "Dog[]"}},
            {"name": "Person", "primaryKey": "id", "properties": {"id": "int", "dog": "Dog?", "all": "Dog<>", "any": "mixed",
                "named": "Dog{}"}}],
         "objects": {
            "Dog": [{"_key": 1, "name": "a", "mother": null, "puppies": [4]},
                    {"_key": 2, "name": "b", "mother": 1, "puppies": []},
                    {"_key": 3, "name": "c", "mother": null, "puppies": []},
                    {"_key": 4, "name": "d", "mother": 1, "puppies": []}],
            "Person": [{"id": 7, "dog": 4, "all": [1, 4], "any": [{"$ref": "Dog", "$id": 2}, 5], "named": {"x": 3}}]}}
        """
    private let target = """
        [{"name": "Animal", "properties": {"name": "string", "mother": "Animal?", "puppies": "Animal[]", "size": "int"}},
         {"name": "Person", "primaryKey": "id", "properties": {"id": "int", "dog": "Animal?", "all": "Animal<>",
            "any": "mixed", "named": "Animal{}"}}]
        """
    private let renamed = """
        {"Animal":[{"_key":1,"name":"a","mother":null,"puppies":[4],"size":0},{"_key":2,"name":"b","mother":1,"puppies":[],"size":0},\
        {"_key":3,"name":"c","mother":null,"puppies":[],"size":0},{"_key":4,"name":"d","mother":1,"puppies":[],"size":0}],\
        "Person":[{"id":7,"dog":4,"all":[1,4],"any":[{"$ref":"Animal","$id":2},5],"named":{"x":3}}]}
        """

    /// The objects after a script, and the lines that it wrote.
    private func migrated(_ script: String) throws -> (objects: JSONValue, lines: [String]) {
        let realm = try TestRealm(source)
        let run = TestRealm.Run()
        return (try objects(of: try realm.migrate(script, to: target, run).snapshot, in: realm), run.observer.lines)
    }

    private func objects(of snapshot: Snapshot, in realm: TestRealm) throws -> JSONValue {
        var writer = RealmJSONWriter(snapshot, from: realm.store, layout: .document)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        return try #require(try JSONValue.parse(bytes)["objects"])
    }

    @Test func `keeps keys, links and properties, where a script asks for it and where it is declared`() throws {
        let realm = try TestRealm(source)
        let expected = try JSONValue.parse(Array(renamed.utf8))
        let script = "function migrate(migration) { migration.renameClass('Dog', 'Animal'); }"
        #expect(try migrated(script).objects == expected)
        let schema = try TargetJSON(Array("{\"schema\":\(target)}".utf8)).schema
        let request = MigrationRequest(
            source: realm.snapshot, target: schema, targetVersion: 2,
            migration: DeclaredMigration(classRenames: [ClassRename(from: "Dog", to: "Animal")]))
        let result = try Migration(request, store: realm.store).run(script: nil)
        #expect(try objects(of: result.snapshot, in: realm) == expected)
        #expect(result.renames == [.objectType(from: "Dog", to: "Animal")])
        // Nothing is left of the old one.
        #expect(result.snapshot["Dog"] == nil && result.snapshot.classes.count == 2)
    }

    @Test func `has the links of sets in the order of the names that classes get`() throws {
        func schema(_ dog: String) -> String {
            """
            [{"name": "\(dog)", "properties": {"n": "int"}}, {"name": "Elk", "properties": {"n": "int", "any": "mixed<>"}}]
            """
        }
        let source = """
            {"schemaVersion": 1, "schema": \(schema("Dog")), "objects": {"Dog": [{"_key": 1, "n": 1}],
             "Elk": [{"_key": 2, "n": 2, "any": [{"$ref": "Elk", "$id": 2}, {"$ref": "Dog", "$id": 1}, 5]}]}}
            """
        let realm = try TestRealm(source)
        let script = "function migrate(migration) { migration.renameClass('Dog', 'Fox'); }"
        let after = try objects(of: try realm.migrate(script, to: schema("Fox"), TestRealm.Run()).snapshot, in: realm)
        let set = try #require(after["Elk"]?.elements?.first?["any"]?.elements)
        #expect(set == [5, ["$ref": "Elk", "$id": 2], ["$ref": "Fox", "$id": 1]])
    }

    @Test func `pairs the objects of both sides by either name`() throws {
        let script = """
            function migrate(migration, version) {
              if (version < 2) migration.renameClass("Dog", "Animal");
              for (const name of ["Dog", "Animal"]) {
                migration.enumerateObjects(name, (before, now) => { now.size += before.name.charCodeAt(0) - 96; });
              }
              const newest = migration.newRealm.objectForPrimaryKey("Person", 7);
              migration.enumerateObjects("Person", (before, now) => {
                now.named = {x: before.dog, y: migration.create("Animal", {name: "e", size: 9})};
                console.log(migration.oldRealm.objects("Dog").length, migration.oldRealm.objects("Animal")[0].name,
                  before.any[0].name, newest.dog.size);
              });
            }
            """
        let (after, lines) = try migrated(script)
        #expect(after["Animal"]?.elements?.map { $0["size"] } == [2, 4, 6, 8, 9])
        #expect(after["Person"]?.elements?.first?["named"]?["x"] == 4)
        #expect(lines == ["4 a b 8"])
    }

    @Test func `begins anew with nothing of what the script left behind`() throws {
        let script = """
            let count = 0;
            function migrate(migration) {
              count += 1;
              migration.create("Animal", {name: `made ${count}`, size: 1});
              try { migration.renameClass("Dog", "Animal"); } catch (error) { migration.create("Person", {id: 8}); }
            }
            """
        let after = try migrated(script).objects
        #expect(after["Animal"]?.elements?.compactMap { $0["name"] } == ["a", "b", "c", "d", "made 1"])
        #expect(after["Person"]?.elements?.count == 1)
    }

    @Test(arguments: [
        ("Cat", "Animal", "Cannot rename class 'Cat' because it does not exist."),
        ("Person", "Animal", "Cannot rename class 'Person' to 'Animal' because the target schema still has it."),
        ("Dog", "Wolf", "Cannot rename class 'Dog' to 'Wolf' because the target schema has no such class."),
        ("Dog", "Person", "Cannot rename class 'Dog' to 'Person' because that has objects of its own."),
    ])
    func `is refused where it would lose something`(from: String, to: String, message: String) throws {
        let error = try TestRealm(source).error(
            "function migrate(m) {\n  m.renameClass('\(from)', '\(to)');\n}", to: target)
        #expect(error.message == message)
        #expect(error.details.first?.line == 2)
    }
}
