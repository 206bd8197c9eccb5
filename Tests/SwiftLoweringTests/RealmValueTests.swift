import Foundation
import Testing

/// Objects of a realm in Swift: their types in casts, their collections, and values made of model classes.
struct RealmValueTests {
    static let realm = """
        {"schemaVersion": 1, "schema": [
          {"name": "Dog", "properties": {"name": "string", "age": "int"}},
          {"name": "Owner", "properties": {"name": "string", "dog": "Dog", "dogs": "Dog[]", "tags": "string[]", "marks": "int?[]",
            "set": "string<>", "pack": "Dog<>", "map": "int{}", "home": "Home", "note": "string"}},
          {"name": "Home", "embedded": true, "properties": {"town": "string"}}],
         "objects": {"Dog": [{"_key": 0, "name": "Rex", "age": 3}, {"_key": 1, "name": "Fido", "age": 5}],
          "Owner": [{"name": "Ada", "dog": 0, "dogs": [0, 1], "tags": ["a", "b"], "marks": [1, null], "set": ["x", "y"], "pack": [1],
            "map": {"one": 1, "two": 2}, "home": {"town": "London"}, "note": ""}]}}
        """
    static let models = """
        import RealmSwift
        class Dog: Object {
            @Persisted var name: String
            @Persisted var age: Int
        }
        class Home: EmbeddedObject { @Persisted var town: String }
        class Owner: Object {
            @Persisted var name: String
            @Persisted var dog: Dog?
            @Persisted var dogs: List<Dog>
            @Persisted var tags: List<String>
            @Persisted var marks: List<Int?>
            @Persisted var set: MutableSet<String>
            @Persisted var pack: MutableSet<Dog>
            @Persisted var map: Map<String, Int>
            @Persisted var home: Home?
            @Persisted var note: String
        }
        """

    func migrate(
        _ body: String, models: String = RealmValueTests.models, realm: String = RealmValueTests.realm,
        before: String = "", options: [String] = []
    ) throws -> (outcome: BuiltProgram.Outcome, json: String) {
        let script =
            "import RealmSwift\nlet configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, oldSchemaVersion in\n"
            + (before.isEmpty ? "" : before + "\n")
            + "migration.enumerateObjects(ofType: \"Owner\") { old, new in\nguard let old = old, let new = new else { return }\n\(body)\n}\n})\n"
        let output = try TemporaryFolder.shared.path("out.json")
        let outcome = try BuiltProgram.run(
            [
                "migrate", try TemporaryFolder.shared.file(realm, "in.json"), "--schema",
                try TemporaryFolder.shared.file(models, "Models.swift"), "--script",
                try TemporaryFolder.shared.file(script, "Migration.swift"), "--output", output, "--quiet",
            ] + options)
        guard outcome.code == 0 else { return (outcome, "") }
        return (outcome, String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self))
    }

    /// Makes an object of a class with a property, and gives what it is.
    private func made(_ property: String, _ values: String = "") throws -> (outcome: BuiltProgram.Outcome, json: String)
    {
        let models = """
            import RealmSwift
            let timeout = 30
            class Part: EmbeddedObject { @Persisted var n: Int }
            class Base: Object { \(property) }
            class Thing: Base { @Persisted var id: Int }
            """
        let script = """
            import RealmSwift
            let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, oldSchemaVersion in
                migration.create("Thing", value: ["id": 1\(values)] as [String: Any])
            })
            """
        let realm =
            #"{"schemaVersion": 1, "schema": [{"name": "Thing", "properties": {"id": "int"}}], "objects": {"Thing": []}}"#
        return try BlockRun.migrate(realm, models: models, script: script)
    }

    @Test(arguments: [
        ("@Persisted var n: Decimal128 = 1.5", #""n":{"$numberDecimal":"1.5"}"#),
        ("@Persisted var n: AnyRealmValue = .int(5)", #""n":5"#),
        ("@Persisted var n: Date = Date(timeIntervalSince1970: 86400)", #""n":{"$date":"1970-01-02T00:00:00Z"}"#),
        ("@Persisted var n: Date? = Date()", #""n":{"$date":"2"#),
        ("@Persisted var n: UUID? = .init()", #""n":{"$uuid""#),
        ("@Persisted var n: ObjectId? = .generate()", #""n":{"$oid""#), ("@Persisted var n = List<Int>()", #""n":[]"#),
        ("@Persisted var n: Part?", #""n":null"#),
    ])
    func `a new object has its class's initial values`(property: String, json: String) throws {
        let (outcome, output) = try made(property)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(output.filter { !$0.isWhitespace }.contains(json), "\(output)")
    }

    @Test(arguments: [
        "Int? = timeout", "Int = 60 * 60", "AnyRealmValue = .int(timeout)", "Date = .distantPast",
        "Date = Date(timeIntervalSince1970: 0.5)", "ObjectId = ObjectId()", "Part? = Part()", "List<Int> = [1, 2]",
    ])
    func `an initial value that is not known is asked for`(property: String) throws {
        let (outcome, _) = try made("@Persisted var n: \(property)")
        #expect(outcome.code == 1)
        let message = "Migration.swift:3:5: The initial value of ‘Thing.n’ is none that is known here"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `an initial value that is not known is not asked for where a value is given`() throws {
        let (outcome, output) = try made("@Persisted var n: Int? = timeout", #", "n": 3"#)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(output.contains(#""n": 3"#) || output.contains(#""n":3"#), "\(output)")
    }

    /// In a migration an object is a `MigrationObject`, and none of the class that the app has.
    @Test(arguments: [
        ("old[\"dog\"] is MigrationObject", "true"), ("old[\"dog\"] is DynamicObject", "true"),
        ("old[\"dog\"] is Object", "true"), ("old[\"dog\"] is Dog", "false"), ("(old[\"dog\"] as? Dog) == nil", "true"),
        ("(old[\"home\"] as? Home) == nil", "true"), ("old[\"dogs\"] is List<MigrationObject>", "true"),
        ("old[\"dogs\"] is List<DynamicObject>", "true"), ("old[\"dogs\"] is List<Dog>", "false"),
        ("old[\"dogs\"] is List<String>", "false"), ("old[\"dogs\"] is [MigrationObject]", "false"),
        ("old[\"tags\"] is List<String>", "true"), ("old[\"tags\"] is [String]", "false"),
        ("old[\"tags\"] is List<String?>", "false"), ("old[\"marks\"] is List<Int?>", "true"),
        ("old[\"marks\"] is List<Int>", "false"), ("old[\"set\"] is MutableSet<String>", "true"),
        ("old[\"set\"] is List<String>", "false"), ("old[\"set\"] is Set<String>", "false"),
        ("old[\"pack\"] is MutableSet<MigrationObject>", "true"), ("old[\"map\"] is Map<String, Int>", "true"),
        ("old[\"map\"] is [String: Int]", "false"),
        ("(old[\"dog\"] as! MigrationObject)[\"age\"] is NSNumber", "true"),
        (
            "{ switch (old[\"dog\"] as! MigrationObject)[\"age\"] { case let n as NSNumber: n.intValue; default: -1 } }()",
            "3"
        ),
        ("old[\"marks\"] is NSNumber", "false"), ("old[\"name\"] is NSNumber", "false"),
    ])
    func `casts tell what Realm's dynamic objects have`(test: String, answer: String) throws {
        let (outcome, _) = try migrate("print(\(test))")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == answer + "\n")
    }

    @Test func `collections are emptied, made and filled as Realm's own code does it`() throws {
        let (outcome, json) = try migrate(
            """
            let each: MigrationObjectEnumerateBlock = { _, other in other?["note"] = "each" }
            migration.enumerateObjects(ofType: "Owner", each)
            new["marks"] = []
            let tags = RealmSwift.List<String>()
            tags.append("c")
            new["tags"] = tags
            let more = new["dogs"] as! List<MigrationObject> + [new["dog"] as! MigrationObject]
            print(more.count, (new["dogs"] as! List<MigrationObject>).count)
            new["dogs"] = more
            let none = old["none"] as? List<MigrationObject> ?? List()
            let dogs = old["dogs"] as? List<MigrationObject> ?? List()
            print(none.count, dogs.count)
            new.setValuesForKeys(["name": old.value(forUndefinedKey: "name") as! String + "!", "dog": NSNull()])
            new.setValue("set", forUndefinedKey: "note")
            let made = migration.create("Dog", value: ["new", 7])
            let owner = migration.create("Owner", value: ["O", made, [], [], [], [], [], [:], nil, "made"])
            print((owner["dogs"] as! List<MigrationObject>).count)
            """,
            realm: Self.realm.replacingOccurrences(of: #""note": "string""#, with: #""note": "string", "none": "int?""#)
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "3 3\n0 2\n0\n")
        #expect(json.contains(#""name":"Ada!","dog":null,"#), "\(json)")
        #expect(json.contains(#""tags":["c"],"marks":[],"#) && json.contains(#""note":"set""#), "\(json)")
        #expect(json.contains(#""name":"O","dog":2,"dogs":[],"tags":[],"marks":[],"#), "\(json)")
    }

    @Test func `lists and sets have their own functions`() throws {
        let (outcome, json) = try migrate(
            """
            let tags = new["tags"] as! List<String>
            tags.insert(contentsOf: ["c", "d", "e"], at: 1)
            tags.move(from: 0, to: 3)
            tags.removeFirst()
            tags.removeLast(1)
            let set = new["set"] as! MutableSet<String>, note = old["set"] as! MutableSet<String>
            set.insert("z")
            print(note.isSubset(of: set), set.isSubset(of: note), set.intersects(note))
            set.subtract(note)
            print(Array(set), set.intersects(note))
            set.formUnion(note)
            set.remove("x")
            set.formIntersection(note)
            """)
        #expect(outcome.errors == "true false true\n[\"z\"] false\n", "\(outcome.errors)")
        #expect(json.contains(#""tags":["d","e","a"]"#), "\(json)")
        #expect(json.contains(#""set":["y"]"#), "\(json)")
        let (stop, _) = try migrate("(new[\"tags\"] as! List<String>).removeFirst(3)")
        #expect(stop.errors.contains("remove more objects (3) from a list containing only (2) objects."))
    }

    @Test func `properties are reached behind a dot`() throws {
        let (outcome, json) = try migrate(
            """
            guard let name = old.name as? String, let dog = new.dog as? MigrationObject else { return }
            new.note = name + "+"
            dog.name = "Lassie"
            print(dog.age as! Int, (old.dog as! MigrationObject).name as! String, new.objectSchema.className)
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "3 Rex Owner\n")
        #expect(json.contains(#""note":"Ada+""#) && json.contains(#""name":"Lassie""#), "\(json)")
    }

    @Test func `sets and dictionaries are read and changed`() throws {
        let (outcome, json) = try migrate(
            """
            let set = new["set"] as! MutableSet<String>
            print(set.count, set.contains("x"), set.contains("z"), set.map { $0 }.sorted())
            set.insert("z")
            set.remove("x")
            let pack = new.dynamicMutableSet("pack")
            for dog in pack { print(dog["name"] as! String) }
            pack.insert(new["dog"] as! MigrationObject)
            let map = new["map"] as! Map<String, Int>
            print(map.count, map["one"] ?? 0, map["none"] as Any, map.keys.sorted(), map.values.reduce(0, +))
            map["three"] = 3
            map["one"] = nil
            for entry in map { if entry.key == "two" { print(entry.key, entry.value) } }
            print(map.map { "\\($0.key) \\($0.value)" }.sorted())
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors
                == "2 true false [\"x\", \"y\"]\nFido\n2 1 nil [\"one\", \"two\"] 3\ntwo 2\n[\"three 3\", \"two 2\"]\n",
            "\(outcome.errors)")
        #expect(json.contains(#""set":["y","z"]"#) || json.contains(#""set":["z","y"]"#), "\(json)")
        #expect(json.contains(#""map":{"two":2,"three":3}"#) || json.contains(#""map":{"three":3,"two":2}"#), "\(json)")
        #expect(json.contains(#""pack":[1,0]"#) || json.contains(#""pack":[0,1]"#), "\(json)")
    }

    @Test func `lists and objects that belong to no realm are made where they are assigned`() throws {
        let (outcome, json) = try migrate(
            """
            new["tags"] = List<String>()
            let marks = List<Int?>()
            marks.append(7)
            marks.append(nil)
            new["marks"] = marks
            let home = Home()
            home.town = "Paris"
            new["home"] = home
            new["dog"] = Dog(value: ["name": "Pup", "age": 1])
            new["dogs"] = List<Dog>()
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            json.contains(#""tags":[],"marks":[7,null]"#) && json.contains(#""home":{"town":"Paris"}"#)
                && json.contains(#""dogs":[]"#), "\(json)")
        #expect(json.contains(#""name":"Pup","age":1"#) && json.contains(#""dog":2"#), "\(json)")
    }

    @Test func `an object of another class is refused where it is assigned`() throws {
        let (outcome, _) = try migrate("new[\"home\"] = Dog(value: [\"name\": \"x\"])")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("Migration.swift:5:"), "\(outcome.errors)")
        #expect(outcome.errors.contains("'Owner.home'"), "\(outcome.errors)")
    }

    @Test func `classes are handed over as types, declared or not`() throws {
        let (outcome, _) = try migrate(
            """
            func count(_ type: Object.Type) {
                var count = 0
                migration.enumerateObjects(ofType: type.className()) { _, _ in count += 1 }
                print(type.className(), count)
            }
            count(Dog.self)
            count(Owner.self)
            print(String(describing: Home.self))
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "Dog 2\nOwner 1\nHome\n")
    }

    @Test func `stubs stand before what files declare, and in loops`() throws {
        let (outcome, _) = try migrate(
            """
            for server in Servers.all { Track.shared.start(server) }
            Log.info("\\(old.name as! String, privacy: .public)")
            print("done")
            """, options: ["--stub", "Servers", "--stub", "Track", "--stub", "Log"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "done\n")
        let (refused, _) = try migrate(
            "for server in Servers.all { print(server) }", options: ["--stub", "Servers"])
        #expect(refused.code == 1)
        #expect(refused.errors.contains("A stub gives no value"), "\(refused.errors)")
    }

    @Test(arguments: [
        "if Settings.isPremium() { print(1) }", "print(Settings.isPremium() ? 1 : 2)",
        "print(\"user \\(Settings.name)\")",
        "guard let user = Settings.user() else { return }\nprint(user)", "while Settings.isOn {}",
        "switch Settings.mode { default: break }",
        "if case 5 = Settings.mode { print(1) }",
    ])
    func `decides nothing by a stub's value`(statement: String) throws {
        let (outcome, _) = try migrate(statement, options: ["--stub", "Settings"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("A stub gives no value"), "\(outcome.errors)")
    }

    @Test(arguments: [("1", true), ("renamed()", false), ("Names.renamed()", false)])
    func `leaves what a stub is called with out only where that does nothing`(number: String, isLeftOut: Bool) throws {
        let (outcome, _) = try migrate(
            """
            func renamed() -> Int { 1 }
            enum Names { static func renamed() -> Int { 1 } }
            Log.info(NumberFormatter().string(for: \(number)))
            print("done")
            """, options: ["--stub", "Log"])
        #expect((outcome.code == 0) == isLeftOut, "\(outcome.errors)")
        #expect(outcome.errors.contains("NumberFormatter") != isLeftOut)
    }

    @Test(arguments: ["", "found = 4", "found += 1", "change(&found)", "names.append(\"x\")"])
    func `a variable around the block is what it begins with, and refused where anything else changes it`(
        change: String
    ) throws {
        let script = """
            import RealmSwift
            func change(_ number: inout Int) { number += 1 }
            func configure() {
                var found = 3, names = ["a"]
                \(change)
                let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
                    migration.enumerateObjects(ofType: "Dog") { _, _ in
                        found += 1
                        names.append("b")
                    }
                    print(found, names)
                })
                open(configuration, tells: found, names)
            }
            """
        let output = try BuiltProgram.run([
            "migrate", try TemporaryFolder.shared.file(Self.realm, "in.json"), "--schema",
            try TemporaryFolder.shared.file(Self.models, "Models.swift"), "--script",
            try TemporaryFolder.shared.file(script, "Store.swift"), "--output",
            try TemporaryFolder.shared.path("out.json"), "--quiet",
        ])
        if change.isEmpty {
            #expect(output.errors == "5 [\"a\", \"b\", \"b\"]\n")
        } else {
            #expect(output.code == 1 && output.errors.contains("is changed outside of the block"), "\(output.errors)")
        }
    }

    @Test(arguments: [
        ("\"7.5\".doubleValue", nil), ("(\"7.5\" as NSString).doubleValue", "7.5"), ("old7.intValue", "7"),
        ("NSString(string: \"a/b.c\").lastPathComponent", "b.c"), ("name.lastPathComponent", nil),
        ("name.length", "own"),
    ])
    func `what NSString has alone is the app's own of a String`(value: String, answer: String?) throws {
        let (outcome, _) = try migrate(
            """
            let name = old["name"] as! String, old7 = "7" as NSString
            print(\(value))
            """, models: Self.models + "\nextension String { var length: String { \"own\" } }\n")
        #expect((outcome.code == 0) == (answer != nil), "\(outcome.errors)")
        #expect(outcome.errors.contains(answer.map { $0 + "\n" } ?? "has no"), "\(outcome.errors)")
    }

    @Test func `a parameter for a path with a question mark is an optional`() throws {
        let (outcome, _) = try migrate(
            """
            guard let id = app.currentUser?.id else { return }
            if let name = app.currentUser?.name(), name.count > 2 { print(name, app.currentUser!.id + 1) }
            print(id + 1, app.currentUser?.id == nil, (app.currentUser?.id ?? 0) - 1)
            """,
            options: ["--parameter", "app.currentUser.id=7", "--parameter", "app.currentUser.name=Ann"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "Ann 8\n8 false 6\n")
    }

    @Test func `a schema without a class is refused, and what holds of #if is set`() throws {
        let models = "#if APP\n" + Self.models + "\n#endif\n"
        let (refused, _) = try migrate("print(1)", models: models)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("There is no model class"), "\(refused.errors)")
        let (outcome, _) = try migrate("print(1)", models: models, options: ["--parameter", "APP=true"])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// As key-value coding does it: where an object is missing there is nothing, and nothing is set.
    @Test func `paths of keys lead through links and embedded objects`() throws {
        let (outcome, json) = try migrate(
            """
            print(old.value(forKeyPath: "dog.name") ?? "none", old.value(forKeyPath: "home.town") ?? "none")
            new.setValue("Paris", forKeyPath: "home.town")
            new.setValue(4, forKeyPath: "dog.age")
            new["dog"] = nil
            new.setValue(9, forKeyPath: "dog.age")
            print(new.value(forKeyPath: "dog.name") == nil)
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "Rex London\ntrue\n")
        #expect(json.filter { $0 != " " && $0 != "\n" }.contains("\"town\":\"Paris\""), "\(json)")
    }

    @Test func `mixed values go into collections, and decimal numbers are worked out exactly`() throws {
        let realm = """
            {"schemaVersion": 1, "schema": [{"name": "Owner", "properties": {"anys": "mixed[]", "map": "mixed{}", "d": "decimal128",
              "e": "decimal128"}}], "objects": {"Owner": [{"anys": [1, "x"], "map": {"k": 1}, "d": {"$numberDecimal": "1.10"},
              "e": {"$numberDecimal": "1.1"}}]}}
            """
        let models = """
            import RealmSwift
            class Owner: Object {
                @Persisted var anys: List<AnyRealmValue>
                @Persisted var map: Map<String, AnyRealmValue>
                @Persisted var d: Decimal128
                @Persisted var e: Decimal128
            }
            """
        let (outcome, _) = try migrate(
            """
            let list = new.dynamicList("anys")
            list.append(AnyRealmValue.int(3))
            let typed = new["anys"] as! List<AnyRealmValue>
            typed.append(.double(2.5))
            typed[1] = .string("second")
            for value in typed { print(value.intValue ?? -1, value.stringValue ?? "-", value.doubleValue ?? 0) }
            let map = new["map"] as! Map<String, AnyRealmValue>
            map["new"] = .bool(true)
            print(map["new"]?.boolValue ?? false, map.count)
            let d = old["d"] as! Decimal128, e = old["e"] as! Decimal128
            print(d == e, d < e, d + e, d * e, d.isNaN)
            let zero = Decimal128("0"), less = Decimal128("-0")
            print(less * d, zero * Decimal128("-3"), less * less, less + less, less + zero, zero - less, less - zero, d - e)
            """, models: models, realm: realm)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors
                == "1 - 0.0\n-1 second 0.0\n3 - 0.0\n-1 - 2.5\ntrue 2\ntrue false 2.20 1.210 false\n"
                + "-0.00 -0 0 -0 0 0 -0 0.00\n")
    }

    /// A file that is no more than a block; places are those of the file.
    @Test(arguments: [
        ("// A block.\n{ migration, oldSchemaVersion in\n    print(oldSchemaVersion)\n    BODY\n}\n", 4, 5),
        (
            "import RealmSwift\n\nprint(oldSchemaVersion)\nmigration.enumerateObjects(ofType: \"Dog\") { _, _ in }\nBODY\n",
            5, 1
        ),
    ])
    func `a closure or its statements alone are a script`(text: String, line: Int, column: Int) throws {
        let models = try TemporaryFolder.shared.file(Self.models, "Models.swift")
        func script(_ body: String) throws -> String {
            try TemporaryFolder.shared.file(text.replacingOccurrences(of: "BODY", with: body), "Migration.swift")
        }
        let outcome = try BuiltProgram.run([
            "migrate", try TemporaryFolder.shared.file(Self.realm, "in.json"), "--schema", models, "--script",
            try script("print(2)"), "--to-version", "2", "--output", try TemporaryFolder.shared.path("out.json"),
            "--quiet",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "1\n2\n")
        let refused = try BuiltProgram.run(["script", "check", try script("unknown(1)"), models])
        #expect(refused.code == 1)
        #expect(refused.output.contains("Migration.swift:\(line):\(column): error"), "\(refused.output)")
    }
}
