import Foundation
import Testing

/// Values that Swift and a realm have different ideas of: mixed numbers, nulls in dictionaries, objects that belong to no realm.
extension RealmValueTests {
    private static let links = """
        {"schemaVersion": 1, "schema": [{"name": "Owner", "properties": {"other": {"type": "object", "objectType": "Other", "optional": true}}},
          {"name": "Other", "properties": {"title": "string?", "isValid": "bool"}}], "objects": {"Owner": [{}, {}], "Other": []}}
        """
    private static let linkModels = """
        import RealmSwift
        class Owner: Object { @Persisted var other: Other? }
        class Other: Object { @Persisted var title: String?; @Persisted var isValid: Bool }
        """

    @Test(arguments: [
        ("let group = Other()", "new[\"other\"] = group", "An object of ‘Other’ is assigned a second time"),
        (
            "", "let group = Other()\nnew[\"other\"] = group\ngroup.title = \"late\"",
            "‘title’ of an object is set behind its assignment"
        ),
    ])
    func `an object of the app's is assigned once, and as it is then`(
        before: String, statements: String, message: String
    ) throws {
        let (outcome, _) = try migrate(statements, models: Self.linkModels, realm: Self.links, before: before)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a null in a dictionary is not a key that is missing`() throws {
        let realm = """
            {"schemaVersion": 1, "schema": [{"name": "Owner", "properties": {"map": "string?{}"}}], "objects": {"Owner": [{"map": {"k": "v", "n": null}}]}}
            """
        let models = "import RealmSwift\nclass Owner: Object { @Persisted var map: Map<String, String?> }"
        let map = "let map = old[\"map\"] as! Map<String, String?>\n"
        for use in [
            "print(map[\"n\"] == nil)", "print(map[\"k\"] ?? \"none\")", "if let value = map[\"n\"] { print(value) }",
        ] {
            let (outcome, _) = try migrate(map + use, models: models, realm: realm)
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("An optional of an optional is not understood"), "\(outcome.errors)")
        }
        let (outcome, _) = try migrate(
            map + "print((map[\"k\"] ?? nil) ?? \"none\", (map[\"n\"] ?? nil) == nil, map.keys.contains(\"n\"))",
            models: models, realm: realm)
        #expect(outcome.errors == "v true true\n", "\(outcome.errors)")
    }

    @Test func `an object of the app's may be what one is made with`() throws {
        let (outcome, json) = try migrate(
            """
            let made = Other()
            made.title = "made"
            let group = migration.create("Other", value: made)
            new["other"] = group
            print(group.isInvalidated, new.isInvalidated)
            """, models: Self.linkModels, realm: Self.links)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "false false\nfalse false\n")
        #expect(json.components(separatedBy: "\"made\"").count == 3, "\(json)")
    }

    private static let numbers = """
        {"schemaVersion": 1, "schema": [{"name": "Owner", "properties": {"m": "mixed", "f": "mixed", "list": "mixed[]", "set": "mixed<>",
          "map": "mixed{}", "d": "decimal128", "x": "double"}}], "objects": {"Owner": [{"m": 2.0, "f": {"$float": 0.5},
          "list": [2.0, 3, {"$float": 4}, 1e300, 0.5], "set": [2.0, 3], "map": {"a": 7.0, "b": [1.0, {"c": {"$float": 1}}]},
          "d": {"$numberDecimal": "1"}, "x": 1}]}}
        """
    private static let numberModels = """
        import RealmSwift
        class Owner: Object {
            @Persisted var m: AnyRealmValue
            @Persisted var f: AnyRealmValue
            @Persisted var list: List<AnyRealmValue>
            @Persisted var set: MutableSet<AnyRealmValue>
            @Persisted var map: Map<String, AnyRealmValue>
            @Persisted var d: Decimal128
            @Persisted var x: Double
        }
        """

    @Test func `numbers in mixed values have their types`() throws {
        let (outcome, json) = try migrate(
            """
            for value in old["list"] as! List<AnyRealmValue> { print(value.intValue ?? -1, value.doubleValue ?? -1, value.floatValue ?? -1) }
            let set = new["set"] as! MutableSet<AnyRealmValue>, map = new["map"] as! Map<String, AnyRealmValue>
            print(set.contains(.double(2)), set.contains(.double(3)), set.contains(.double(9)), map["a"]?.doubleValue ?? -1)
            print(old["m"] as! Double, old["m"] as! Int, old["m"] as? Float ?? -1, old["f"] as! Double, old["f"] as? Int ?? -1)
            """, models: Self.numberModels, realm: Self.numbers)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors
                == "-1 2.0 -1.0\n3 -1.0 -1.0\n-1 -1.0 4.0\n-1 1e+300 -1.0\n-1 0.5 -1.0\ntrue true false 7.0\n2.0 2 2.0 0.5 -1\n"
        )
        let stored = json.filter { $0 != " " && $0 != "\n" }
        #expect(stored.contains(#""m":2.0,"f":{"$float":0.5},"list":[2.0,3,{"$float":4.0},1e+300,0.5]"#), "\(stored)")
    }

    @Test func `numbers keep their types where they become mixed values`() throws {
        let (outcome, json) = try migrate(
            """
            new["f"] = old["m"]
            new["m"] = old["f"]
            let list = new["list"] as! List<AnyRealmValue>
            list.removeAll()
            list.append(objectsIn: old["list"] as! List<AnyRealmValue>)
            list[1] = .double(8)
            list.insert(.float(9), at: 0)
            let set = new["set"] as! MutableSet<AnyRealmValue>
            set.insert(.double(5))
            set.remove(.double(3))
            let map = new["map"] as! Map<String, AnyRealmValue>
            map["a"] = .double(1)
            map["c"] = .float(2)
            new["d"] = Decimal(string: "5.250")!
            new["x"] = Decimal(string: "5.25")!
            let loose = List<AnyRealmValue>()
            loose.append(.double(11))
            let third = migration.create("Owner", value: [12.0, 13.0, [14.0], [14.0], ["k": 15.0], 16, 1.5] as [Any])
            third["list"] = loose
            let other = migration.create("Owner", value: ["m": Decimal(string: "7.5")!, "f": 4.0, "list": [1.0, Float(2), 3] as [Any]])
            other["set"] = [6.0]
            """, models: Self.numberModels, realm: Self.numbers)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let stored = json.filter { $0 != " " && $0 != "\n" }
        for part in [
            #""m":{"$float":0.5},"f":2.0,"list":[{"$float":9.0},2.0,8.0,{"$float":4.0},1e+300,0.5]"#,
            #""set":[2.0,5.0]"#,
            #""map":{"a":1.0,"b":[1.0,{"c":{"$float":1.0}}],"c":{"$float":2.0}}"#,
            #""d":{"$numberDecimal":"5.25"},"x":5.25"#,
            #""m":12.0,"f":13.0,"list":[11.0],"set":[14.0],"map":{"k":15.0}"#,
            #""m":7.5,"f":4.0,"list":[1.0,{"$float":2.0},3],"set":[6.0]"#,
        ] { #expect(stored.contains(part), "\(part) in \(stored)") }
    }

    @Test func `the key of a property is worked out once, behind the value that it is given`() throws {
        let (outcome, json) = try migrate(
            """
            var names = ["d", "x", "m", "d", "y"], count = 0
            print(old[names.removeFirst()] as! Decimal128, old[names.removeFirst()] as? Double ?? -1, old.value(forKey: names.removeFirst()) as! Int)
            func key() -> String { count += 1; return "x" }
            new[key()] = old[key()]
            if let x = new[key()] as? Double { print(x, count) }
            var queue: [Any] = [2.5, "x"]
            new.setValue(queue.removeFirst(), forKey: queue.removeFirst() as! String)
            """, models: Self.numberModels, realm: Self.numbers)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "1 1.0 2\n1.0 3\n", "\(outcome.errors)")
        #expect(json.contains("\"x\":2.5") || json.contains("\"x\": 2.5"), "\(json)")
    }

    @Test(arguments: [
        (
            "new[\"m\"] = Owner()",
            "An object of 'Owner' that belongs to no realm can be assigned to a property of its class alone"
        ),
        (
            "let list = new[\"list\"] as! List<AnyRealmValue>\nlet any: Any = NSRange(location: 1, length: 2)\nnew[\"list\"] = [any]",
            "Invalid value of type"
        ),
    ])
    func `a mixed value takes nothing that a realm does not have`(statement: String, message: String) throws {
        let (outcome, _) = try migrate(statement, models: Self.numberModels, realm: Self.numbers)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a collection inside of a mixed value is no List that is not there`() throws {
        let realm = Self.numbers.replacing(#""m": 2.0"#, with: #""m": [1, null]"#)
        let (outcome, _) = try migrate(
            """
            new["f"] = old["m"]
            print(old["m"] as? String ?? "none", old["m"] as? List<AnyRealmValue> == nil)
            """, models: Self.numberModels, realm: realm)
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.contains("A collection inside of a mixed value is not understood here"), "\(outcome.errors)")
        let elements = try migrate(
            """
            let list = new["list"] as! List<AnyRealmValue>
            list.append(.none)
            print(list[5].intValue ?? -1, list.count)
            """, models: Self.numberModels, realm: realm)
        #expect(elements.0.errors == "-1 6\n", "\(elements.0.errors)")
    }

    @Test func `a mixed value is matched by its cases`() throws {
        let (outcome, _) = try migrate(
            """
            for value in (old["list"] as! List<AnyRealmValue>) {
                switch value {
                case .none: print("none")
                case .int(let number) where number > 2: print("int", number)
                case .double(0.5): print("half")
                case .double(let number): print("double", number)
                case .float: print("float")
                default: print("other")
                }
            }
            let map = old["map"] as! Map<String, AnyRealmValue>
            if case .double(let a)? = map["a"] { print(a) }
            if let value = map["a"], case .int = value { print("wrong") }
            """, models: Self.numberModels, realm: Self.numbers)
        #expect(outcome.errors == "double 2.0\nint 3\nfloat\ndouble 1e+300\nhalf\n7.0\n", "\(outcome.errors)")
    }

    @Test func `mixed values are equal where they are of one kind`() throws {
        let realm = Self.numbers.replacing("\"list\": [2.0, 3,", with: "\"list\": [true, 1, 2.0, 3,")
        let (outcome, _) = try migrate(
            """
            let list = old["list"] as! List<AnyRealmValue>
            print(list[0] == .bool(true), list[0] == .int(1), list[1] == .bool(true), list.contains(.int(2)), list.contains(.double(2)))
            print(list.filter { $0 == .bool(true) }.count, Set(Array(list)).count, AnyRealmValue.int(1) == .double(1))
            print(Set([AnyRealmValue.int(1), .double(1), .float(1), .bool(true), .int(1)]).count, list.firstIndex(of: .float(4)) ?? -1)
            let y: Any = list.count > 3 ? 2 : 0.5
            print(y, y is Int)
            """, models: Self.numberModels, realm: realm)
        #expect(outcome.errors == "true false false false true\n1 7 false\n4 4\n2 true\n", "\(outcome.errors)")
    }

    @Test(arguments: ["error.localizedDescription", "\"\\(error.localizedDescription)\""])
    func `the description of an error that has none of its own is logged alone`(text: String) throws {
        let catching = "do { throw Failure.long(3) } catch { USE }"
        let failure = "enum Failure: Error { case long(Int) }\n"
        let logged = try migrate(
            catching.replacing("USE", with: "print(\(text))"), models: Self.numberModels + "\n" + failure,
            realm: Self.numbers)
        #expect(logged.outcome.errors == "long(3)\n", "\(logged.outcome.errors)")
        let kept = try migrate(
            catching.replacing("USE", with: "new[\"m\"] = \(text)"), models: Self.numberModels + "\n" + failure,
            realm: Self.numbers)
        #expect(kept.outcome.code == 1)
        #expect(
            kept.outcome.errors.contains("names the app's module, which is not known here"), "\(kept.outcome.errors)")
    }
}
