import Foundation
import Testing

/// Migration blocks as apps have them, over realms of their versions.
struct MigrationBlockTests {
    private static let person = """
        import RealmSwift
        class Person: Object {
            dynamic var firstName = ""
            dynamic var lastName = ""
            dynamic var age = 0
            dynamic var email = ""
        }
        """

    /// An app's own class `Migration`, beside Realm's.
    private static let ladder = """
        import Foundation
        import RealmSwift

        final class Migration {
            static let currentSchemaVersion: UInt64 = 3

            static func configure() {
                let config = Realm.Configuration(schemaVersion: currentSchemaVersion, migrationBlock: { (migration, oldSchemaVersion) in
                    if oldSchemaVersion < 1 {
                        migrateFrom0To1(with: migration)
                    }
                    if oldSchemaVersion < 2 {
                        migrateFrom1To2(with: migration)
                    }
                    if oldSchemaVersion < 3 {
                        migrateFrom2To3(with: migration)
                    }
                })
                Realm.Configuration.defaultConfiguration = config
            }

            static func migrateFrom0To1(with migration: Migration) {
                migration.enumerateObjects(ofType: Person.className()) { (_, newPerson) in
                    newPerson?["email"] = ""
                }
            }

            static func migrateFrom1To2(with migration: Migration) {
                migration.renameProperty(onType: Person.className(), from: "name", to: "fullName")
            }

            static func migrateFrom2To3(with migration: Migration) {
                migration.enumerateObjects(ofType: Person.className()) { (oldPerson, newPerson) in
                    guard let fullname = oldPerson?["fullName"] as? String else {
                        fatalError("fullName is not a string")
                    }
                    let nameComponents = fullname.components(separatedBy: " ")
                    if nameComponents.count == 2 {
                        newPerson?["firstName"] = nameComponents.first
                        newPerson?["lastName"] = nameComponents.last
                    } else {
                        newPerson?["firstName"] = fullname
                    }
                }
            }
        }
        """

    @Test func `a block runs over its realm, with the version that its configuration names`() throws {
        let realm = """
            {"schemaVersion": 2, "schema": [{"name": "Person", "properties": {"fullName": "string", "age": "int", "email": "string"}}],
             "objects": {"Person": [{"fullName": "Ada Lovelace", "age": 36, "email": "a"}, {"fullName": "Plato", "age": 80, "email": "p"}]}}
            """
        let (outcome, json) = try BlockRun.migrate(realm, models: Self.person, script: Self.ladder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(json.contains(#""schemaVersion":3"#))
        #expect(json.contains(#""firstName":"Ada","lastName":"Lovelace","age":36,"email":"a""#), "\(json)")
        #expect(json.contains(#""firstName":"Plato","lastName":"","age":80,"email":"p""#))
    }

    @Test func `a property that neither version has is Realm's error, at the line that asks for it`() throws {
        let realm = """
            {"schemaVersion": 0, "schema": [{"name": "Person", "properties": {"name": "string", "age": "int"}}],
             "objects": {"Person": [{"name": "Ada Lovelace", "age": 36}]}}
            """
        let (outcome, _) = try BlockRun.migrate(realm, models: Self.person, script: Self.ladder)
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.contains("Migration.swift:34:34: Invalid property name 'fullName' for class 'Person'."),
            "\(outcome.errors)")
    }

    @Test func `values of every type are read, cast and written`() throws {
        let (outcome, json) = try BlockRun.migrateDogs(
            """
            migration.enumerateObjects(ofType: Dog.className()) { old, new in
                guard let old = old, let new = new else { return }
                let id = old["id"] as! Int
                new["grams"] = Int((old["weight"] as! Double) * 1000)
                new["good"] = (old["good"] as! Bool) ? 1 : 0
                new["label"] = "\\(id): \\(old["name"]!), \\(old["nick"] as? String ?? "none"), \\(old["weight"]!)"
                let born = old["born"] as! Date
                new["age"] = Int(born.timeIntervalSince1970)
                if let nick = old["nick"] as? String { new["note"] = nick + "!" } else { new["note"] = "-" }
                new["nick"] = old["nick"]
                new["born"] = old["born"]
            }
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            json.contains(
                #"{"id":1,"name":"Rex","weight":2.5,"grams":2500,"born":{"$date":"2020-01-31T10:00:00.123456789Z"},"age":1580464800,"good":1,"nick":null,"label":"1: Rex, none, 2.5","note":"-"}"#
            ),
            "\(json)")
        #expect(
            json.contains(
                #"{"id":9007199254740993,"name":"Fido","weight":3.0,"grams":3000,"born":{"$date":"1969-12-31T23:59:59Z"},"age":-1,"good":0,"nick":"F","label":"9007199254740993: Fido, F, 3","note":"F!"}"#
            ),
            "\(json)")
    }

    @Test func `links and lists are followed, objects made and deleted`() throws {
        let (outcome, json) = try BlockRun.migrateDogs(
            """
            var names: [String: Int] = [:]
            migration.enumerateObjects(ofType: "Owner") { old, new in
                let dogs = old!["dogs"] as! List<MigrationObject>
                new!["count"] = dogs.count
                for dog in dogs { names[dog["name"] as! String, default: 0] += 1 }
                new!["total"] = old!.dynamicList("dogs").filter { ($0["weight"] as! Double) > 2.7 }.count
                if let favourite = old!["favourite"] as? MigrationObject, favourite["name"] as? String == "Rex" {
                    new!["name"] = (old!["name"] as! String) + " of " + (favourite["name"] as! String)
                }
                let puppy = migration.create("Dog", value: ["id": 7, "name": "Pup", "weight": 0.5])
                (new!["dogs"] as! List<MigrationObject>).append(puppy)
                let scores = old!["scores"] as! List<Int>
                print(scores.reduce(0, +), names["Rex"] ?? 0)
            }
            migration.enumerateObjects(ofType: Dog.className()) { _, new in
                if let new, new["name"] as? String == "Fido" { migration.delete(new) }
            }
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "7 1\n")
        #expect(
            json.contains(
                #"{"_key":0,"name":"Ada of Rex","dogs":[1,7],"favourite":1,"scores":[3,4],"count":2,"total":1}"#),
            "\(json)")
        #expect(json.contains(#"{"id":7,"name":"Pup","weight":0.5,"#) && !json.contains("Fido"))
    }

    @Test(arguments: [
        ("old![\"nope\"] as! String", "Invalid property name 'nope' for class 'Dog'."),
        ("old![\"name\"] as! Int", "Could not cast value of type 'String' to 'Int'."),
        ("old![\"nick\"] as! String", "Unexpectedly found nil while unwrapping an Optional value"),
        ("new![\"grams\"] = 2.5", "Invalid value of type 'Double' for 'int' property 'Dog.grams'."),
        ("new![\"grams\"] = old![\"weight\"]", "for 'int' property 'Dog.grams'."),
        ("new![\"nope\"] = 1", "Invalid property name 'nope' for class 'Dog'."),
    ])
    func `what Realm or Swift stops is stopped at its line`(statement: String, message: String) throws {
        let (outcome, _) = try BlockRun.migrateDogs(
            "migration.enumerateObjects(ofType: Dog.className()) { old, new in\n    \(statement.contains(" = ") ? "" : "_ = ")\(statement)\n}"
        )
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.contains("Migration.swift:5:"), "\(outcome.errors)")
    }

    @Test func `logs of every kind go to the job's log`() throws {
        let (outcome, _) = try BlockRun.migrateDogs(
            """
            let logger = Logger(subsystem: "app", category: "migration")
            logger.info("from \\(oldSchemaVersion)")
            logger.error("no error")
            NSLog("%d of %@", 3, "four")
            os_log("five %{public}@ %{private}d", "times", 5)
            debugPrint("six", 7)
            print("eight", terminator: "")
            """)
        #expect(outcome.code == 0)
        #expect(outcome.errors == "from 1\nno error\n3 of four\nfive times 5\n\"six\" 7\neight\n")
    }

    /// Models and block of an app's fifth version: a class that took another's place, an embedded one, an enumeration inside of a class.
    private static let zoo = """
        #if !OLD_SCHEMA
        import Foundation
        import RealmSwift

        class Animal: Object {
            @objc enum Kind: Int, RealmEnum { case unknown, hound, hen }
            @objc dynamic var name = ""
            @objc dynamic var kind = Kind.unknown
            convenience init(name: String) { self.init(); self.name = name }
        }

        class Keeper: Object {
            @objc dynamic var wholeName = ""
            @objc dynamic var home: Place?
            let animals = List<Animal>()
        }

        class Place: EmbeddedObject {
            @objc dynamic var street = ""
            @objc dynamic var town = ""
            let keepers: LinkingObjects = LinkingObjects(fromType: Keeper.self, property: "home")
        }

        let block: MigrationBlock = { migration, oldSchemaVersion in
            if oldSchemaVersion < 1 {
                migration.enumerateObjects(ofType: Keeper.className()) { oldObject, newObject in
                    let first = oldObject!["first"] as! String
                    let last = oldObject!["last"] as! String
                    newObject!["wholeName"] = "\\(first) \\(last)"
                }
            }
            if oldSchemaVersion < 2 {
                migration.enumerateObjects(ofType: Keeper.className()) { _, newObject in
                    if newObject!["wholeName"] as! String == "Ada King" {
                        let animals = newObject!["animals"] as! List<MigrationObject>
                        animals.append(migration.create(Animal.className(), value: ["Rex", Animal.Kind.hound.rawValue]))
                    }
                }
                let extra = migration.create(Animal.className(), value: ["Ghost", Animal.Kind.hound.rawValue])
            }
            if oldSchemaVersion == 2 {
                migration.enumerateObjects(ofType: Keeper.className()) { oldObject, newObject in
                    let animals = newObject!["animals"] as! List<MigrationObject>
                    for hound in oldObject!["hounds"] as! List<DynamicObject> {
                        animals.append(migration.create(Animal.className(), value: [hound["name"], Animal.Kind.hound.rawValue]))
                    }
                }
                migration.enumerateObjects(ofType: "Hound") { oldHound, _ in
                    var isFound = false
                    migration.enumerateObjects(ofType: Keeper.className()) { _, newObject in
                        for animal in newObject!["animals"] as! List<DynamicObject> where animal["name"] as! String == oldHound!["name"] as! String {
                            isFound = true
                            break
                        }
                    }
                    if !isFound {
                        migration.create(Animal.className(), value: [oldHound!["name"], Animal.Kind.hound.rawValue])
                    }
                }
            }
            if oldSchemaVersion < 4 {
                migration.enumerateObjects(ofType: Keeper.className()) { _, newObject in
                    if newObject!["wholeName"] as! String == "Ada King" {
                        let home = Place(value: ["Main Street", "Ockham"])
                        newObject!["home"] = home
                    }
                }
            }
        }
        #endif
        """

    private static let zooRealms: [Int: String] = [
        0:
            #""schema": [{"name": "Keeper", "properties": {"first": "string", "last": "string"}}], "objects": {"Keeper": [{"first": "Ada", "last": "King"}, {"first": "Alan", "last": "Kay"}]}"#,
        1:
            #""schema": [{"name": "Keeper", "properties": {"wholeName": "string"}}], "objects": {"Keeper": [{"wholeName": "Ada King"}, {"wholeName": "Alan Kay"}]}"#,
        2:
            #""schema": [{"name": "Hound", "properties": {"name": "string"}}, {"name": "Keeper", "properties": {"wholeName": "string", "hounds": "Hound[]"}}], "objects": {"Hound": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Ghost"}], "Keeper": [{"wholeName": "Ada King", "hounds": [0]}, {"wholeName": "Alan Kay", "hounds": []}]}"#,
        3:
            #""schema": [{"name": "Animal", "properties": {"name": "string", "kind": "int"}}, {"name": "Keeper", "properties": {"wholeName": "string", "animals": "Animal[]"}}], "objects": {"Animal": [{"_key": 0, "name": "Rex", "kind": 1}, {"_key": 1, "name": "Ghost", "kind": 1}], "Keeper": [{"wholeName": "Ada King", "animals": [0]}, {"wholeName": "Alan Kay", "animals": []}]}"#,
        4:
            #""schema": [{"name": "Animal", "properties": {"name": "string", "kind": "int"}}, {"name": "Keeper", "properties": {"wholeName": "string", "home": "Place", "animals": "Animal[]"}}, {"name": "Place", "properties": {"street": "string", "town": "string"}}], "objects": {"Animal": [{"_key": 0, "name": "Rex", "kind": 1}, {"_key": 1, "name": "Ghost", "kind": 1}], "Keeper": [{"wholeName": "Ada King", "home": 0, "animals": [0]}, {"wholeName": "Alan Kay", "home": null, "animals": []}], "Place": [{"_key": 0, "street": "Main Street", "town": "Ockham"}]}"#,
    ]

    @Test(arguments: [0, 1, 2, 3, 4])
    func `one block leads there from every version before`(version: Int) throws {
        let realm = "{\"schemaVersion\": \(version), \(try #require(Self.zooRealms[version]))}"
        let (outcome, json) = try BlockRun.migrate(
            realm, models: Self.zoo, script: Self.zoo, options: ["--to-version", "5"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            json.contains(#""wholeName":"Ada King","home":{"street":"Main Street","town":"Ockham"},"animals":[0]"#),
            "\(json)")
        #expect(json.contains(#""wholeName":"Alan Kay","home":null,"animals":[]"#), "\(json)")
        #expect(
            json.contains(#""Animal":[{"_key":0,"name":"Rex","kind":1},{"_key":1,"name":"Ghost","kind":1}]"#), "\(json)"
        )
    }

    /// Where a block stands, and what it is called.
    private static let places = [
        "let c = Realm.Configuration.init(schemaVersion: 7) { migration, old in BODY }",
        "let c = Realm.Configuration(schemaVersion: 7) { migration, old in BODY }",
        """
        enum Migrations {
            static let configuration = Realm.Configuration(schemaVersion: 7, migrationBlock: Migrations.block())
            static func block() -> MigrationBlock? {
                return { migration, old in BODY }
            }
        }
        """,
        """
        func makeBlock(of name: String) -> MigrationBlock { { migration, old in BODY } }
        let c = Realm.Configuration(schemaVersion: 7, migrationBlock: makeBlock(of: "main"))
        let d = Realm.Configuration(schemaVersion: 7, migrationBlock: makeBlock(of: "other"))
        """,
        """
        func configure() -> Realm.Configuration {
            let migrationBlock = { @Sendable (migration: Migration, old: UInt64) in BODY }
            return Realm.Configuration(schemaVersion: 7, migrationBlock: migrationBlock)
        }
        """,
        """
        private typealias Steps = Store
        class Store {
            func configure() {
                let c = Realm.Configuration(schemaVersion: 7, migrationBlock: { migration, old in self.step(migration, old) })
            }
        }
        extension Steps {
            func step(_ migration: Migration, _ old: UInt64) { BODY }
        }
        """,
    ]

    @Test(arguments: places)
    func `the block is found wherever it stands`(place: String) throws {
        let realm =
            #"{"schemaVersion": 1, "schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": []}}"#
        let script = "import RealmSwift\n" + place.replacingOccurrences(of: "BODY", with: "print(\"from\", old)")
        let models = "import RealmSwift\nclass Person: Object { @Persisted var age: Int }\n"
        let (outcome, _) = try BlockRun.migrate(realm, models: models, script: script, options: ["--to-version", "7"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "from 1\n")
    }

    @Test func `several properties are read at once, and numbers are made of literals`() throws {
        let realm = """
            {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string", "nick": "string?", "age": "int", "isGood": "bool"}}],
             "objects": {"Dog": [{"name": "Rex", "nick": null, "age": 3, "isGood": true}]}}
            """
        let models = """
            import RealmSwift
            class Dog: Object { @Persisted var name: String; @Persisted var nick: String?; @Persisted var age: Int; @Persisted var isGood: Bool }
            """
        let script = """
            import RealmSwift
            let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
                var puppies: [[String: Any]] = []
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    var puppy = old!.dictionaryWithValues(forKeys: ["name", "nick"])
                    print(puppy.count, puppy["name"] as? String ?? "-", puppy["nick"] is NSNull)
                    puppy["age"] = NSNumber(integerLiteral: 0)
                    puppy["isGood"] = NSNumber(booleanLiteral: true)
                    puppies.append(puppy)
                }
                for puppy in puppies { migration.create("Dog", value: puppy) }
            })
            """
        let (outcome, json) = try BlockRun.migrate(realm, models: models, script: script)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "2 Rex true\n")
        #expect(json.contains(#""name":"Rex","nick":null,"age":0,"isGood":true"#), "\(json)")
    }

    /// As Realm's Swift SDK gives them, wherever an object is made; and a place names its file once.
    @Test func `gives objects inside of others the values that they declare none for`() throws {
        let realm = #"""
            {"schemaVersion": 1, "schema": [{"name": "Owner", "properties": {"name": "string"}}],
             "objects": {"Owner": [{"name": "O"}]}}
            """#
        let models = """
            import RealmSwift
            class Dog: Object { @Persisted(primaryKey: true) var id: Int; @Persisted var born: Date; @Persisted var tag: UUID }
            class Chip: EmbeddedObject { @Persisted var set: Date; @Persisted var n: Int }
            class Owner: Object {
                @Persisted var name: String
                @Persisted var dog: Dog?
                @Persisted var dogs: List<Dog>
                @Persisted var named: Map<String, Dog?>
                @Persisted var chip: Chip?
            }
            """
        func run(_ body: String) throws -> (BuiltProgram.Outcome, String) {
            try BlockRun.migrate(
                realm, models: models,
                script: """
                    import RealmSwift
                    let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
                        \(body)
                    })
                    """)
        }
        let (outcome, json) = try run(
            """
            migration.create("Dog")
                migration.create("Owner", value: ["dog": ["id": 1], "dogs": [["id": 2], [3]], "named": ["a": ["id": 4]], "chip": ["n": 1]])
                migration.enumerateObjects(ofType: "Owner") { _, new in new!["dog"] = ["id": 5] }
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        for id in 0...5 { #expect(json.contains(#"{"id":\#(id),"born":{"$date":"#), "\(json)") }
        let (failed, _) = try run(#"migration.create("Owner", value: ["dog": ["id": "x"]])"#)
        #expect(failed.errors.contains("Migration.swift:3:5)\n"), "\(failed.errors)")
        #expect(!failed.errors.contains("Migration.swift:Migration.swift"), "\(failed.errors)")
    }

    @Test func `what reads an object of the app's own class is understood, and stops where one is there`() throws {
        let realm =
            #"{"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string", "pups": "Dog[]"}}], "objects": {"Dog": [{"name": "Rex", "pups": []}]}}"#
        let models =
            "import RealmSwift\nclass Dog: Object { @Persisted var name: String; @Persisted var pups: List<Dog> }\n"
        let script = """
            import RealmSwift
            let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, old in
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    if let pups = old?["pups"] as? List<Dog> {
                        new!["name"] = pups.reduce("") { $0 + "/" + $1.name }
                    }
                    print(Session.shared.user.name(), new!["name"] as! String)
                }
            })
            """
        let options = ["--parameter", "Session.shared.user.name=ann"]
        let (outcome, _) = try BlockRun.migrate(realm, models: models, script: script, options: options)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "ann Rex\n")
        let (stopped, _) = try BlockRun.migrate(
            realm, models: models, script: script.replacingOccurrences(of: "print(", with: "print(Dog().name, "),
            options: options)
        #expect(stopped.code == 1)
        #expect(
            stopped.errors.contains("Migration.swift:7:15: Fatal error: ‘name’ of an object that belongs to no realm"),
            "\(stopped.errors)")
    }
}
