import Foundation

/// Migrations by the built program, of a realm by the text of a block.
enum BlockRun {
    /// Runs a block, which may stand beside the models.
    static func migrate(
        _ realm: String, models: String, script: String, options: [String] = []
    ) throws -> (outcome: BuiltProgram.Outcome, json: String) {
        let output = try TemporaryFolder.shared.path("out.json")
        let schema = try TemporaryFolder.shared.file(models, "Models.swift")
        let block = models == script ? schema : try TemporaryFolder.shared.file(script, "Migration.swift")
        let outcome = try BuiltProgram.run(
            [
                "migrate", try TemporaryFolder.shared.file(realm, "in.json"), "--schema",
                schema, "--script", block, "--output", output, "--quiet",
            ] + options)
        let json =
            (try? Data(contentsOf: URL(fileURLWithPath: output))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (outcome, json)
    }

    private static let dogs = """
        {"schemaVersion": 1, "schema": [
          {"name": "Dog", "primaryKey": "id", "properties": {"id": "int", "name": "string", "weight": "double", "born": "date", "good": "bool", "nick": "string?"}},
          {"name": "Owner", "properties": {"name": "string", "dogs": "Dog[]", "favourite": "Dog", "scores": "int[]"}}],
         "objects": {"Dog": [
            {"id": 1, "name": "Rex", "weight": 2.5, "born": {"$date": "2020-01-31T10:00:00.123456789Z"}, "good": true, "nick": null},
            {"id": 9007199254740993, "name": "Fido", "weight": 3, "born": {"$date": "1969-12-31T23:59:59Z"}, "good": false, "nick": "F"}],
          "Owner": [{"name": "Ada", "dogs": [1, 9007199254740993], "favourite": 1, "scores": [3, 4]}]}}
        """
    private static let dogModels = """
        import RealmSwift
        class Dog: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted var name: String
            @Persisted var weight: Double
            @Persisted var grams: Int
            @Persisted var born: Date
            @Persisted var age: Int
            @Persisted var good: Int
            @Persisted var nick: String?
            @Persisted var label: String
            @Persisted var note: String
        }
        class Owner: Object {
            @Persisted var name: String
            @Persisted var dogs: List<Dog>
            @Persisted var favourite: Dog?
            @Persisted var scores: List<Int>
            @Persisted var count: Int
            @Persisted var total: Int
        }
        """

    /// Runs the statements of a block over the realm of dogs, with declarations before it.
    static func migrateDogs(_ body: String, options: [String] = [], besides: String = "") throws -> (
        outcome: BuiltProgram.Outcome, json: String
    ) {
        let script =
            "import RealmSwift\n\(besides)\nlet configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, oldSchemaVersion in\n\(body)\n})\n"
        return try migrate(dogs, models: dogModels, script: script, options: options)
    }
}
