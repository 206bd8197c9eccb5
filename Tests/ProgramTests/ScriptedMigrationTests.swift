import Foundation
import Testing

/// Behaviour that only a script can show: values as JavaScript sees them, on small documents, by the built program.
@Suite struct `Migrations by script` {
    private let allTypes = """
        [{"name": "All", "properties": {
            "i": "int", "b": "bool", "f": "float", "d": "double", "s": "string", "x": "data", "t": "date",
            "dec": "decimal128", "o": "objectId", "u": "uuid", "oi": "int?", "ob": "bool?", "os": "string?", "m": "mixed",
            "l": "string[]", "st": {"type": "set", "objectType": "int"}, "dict": {"type": "dictionary", "objectType": "int"},
            "link": "Flag", "links": "Flag[]", "bag": {"type": "set", "objectType": "Flag"},
            "map": {"type": "dictionary", "objectType": "Flag", "optional": true}}},
         {"name": "Flag", "properties": {"b": "bool"}}]
        """

    private let allObjects = """
        {"Flag": [{"_key": 0, "b": true}, {"_key": 1, "b": false}],
         "All": [{"_key": 0, "i": 7, "b": true, "f": 1.5, "d": 2.25, "s": "text",
            "x": {"$binary": {"base64": "YQ==", "subType": "00"}}, "t": {"$date": "1970-01-01T00:00:01Z"},
            "dec": {"$numberDecimal": "1.50"}, "o": {"$oid": "1234567890ab1234567890ab"},
            "u": {"$uuid": "137decc8-b300-4954-a233-f89909f4fd89"}, "oi": null, "ob": null, "os": null, "m": "mixed",
            "l": ["a", "b"], "st": [1, 2], "dict": {"k": 5}, "link": 0, "links": [1], "bag": [0],
            "map": {"key": 1, "none": null}}]}
        """

    /// The objects that a migration leads to, and what its script logged.
    private func migrate(
        _ objects: String, from schema: String, to target: String? = nil, options: [String] = [], script: String
    ) throws -> (objects: [String: [[String: Any]]], log: [String]) {
        let folder = try TemporaryFolder()
        let outcome = try BuiltProgram.run(
            [
                "migrate",
                try folder.file("in.json", #"{"schemaVersion": 0, "schema": \#(schema), "objects": \#(objects)}"#),
                "--schema", try folder.file("t.json", #"{"schemaVersion": 1, "schema": \#(target ?? schema)}"#),
                "--script", try folder.file("script.js", "function migrate(migration) {\n\(script)\n}"),
                "--output", folder.path("out.json"), "--quiet",
            ] + options)
        let log = outcome.error.split(separator: "\n").map(String.init)
        guard outcome.status == 0 else { return ([:], log) }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("out.json")))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return (try #require(document["objects"] as? [String: [[String: Any]]]), log)
    }

    @Test func `says which of several Swift files is at fault`() throws {
        let folder = try TemporaryFolder()
        let schema = #"[{"name": "P", "properties": {"n": "int"}}]"#
        try FileManager.default.createDirectory(atPath: folder.path("swift"), withIntermediateDirectories: false)
        _ = try folder.file("swift/a.swift", "func crash(_ n: Int) -> Int {\n  let l = [1]\n  return l[n + 5]\n}\n")
        let script = try folder.file(
            "swift/b.swift",
            """
            import RealmSwift
            let config = Realm.Configuration(schemaVersion: 1, migrationBlock: { migration, _ in
              migration.enumerateObjects(ofType: "P") { _, new in
                new!["n"] = crash(1)
              }
            })
            """)
        let outcome = try BuiltProgram.run([
            "migrate",
            try folder.file("in.json", #"{"schemaVersion": 0, "schema": \#(schema), "objects": {"P": [{"n": 1}]}}"#),
            "--schema", try folder.file("t.json", #"{"schemaVersion": 1, "schema": \#(schema)}"#),
            "--script", String(script.dropLast("/b.swift".count)), "--output", folder.path("out.json"),
        ])
        #expect(outcome.error.contains("swift/a.swift:3:10: Fatal error: Index out of range\n"), "\(outcome.error)")
        let frames = outcome.error.split(separator: "\n").drop { !$0.contains("called from") }.dropFirst()
        #expect(frames.count == 3 && frames.filter { $0.contains("a.swift") }.count == 1, "\(outcome.error)")
    }

    @Test func `shows values of every type on both sides`() throws {
        let script = """
            const kind = v => v === null ? "null" : typeof v === "object" ? v.constructor.name : typeof v;
            migration.enumerateObjects("All", (o, n) => {
                const names = migration.oldSchema.find(c => c.name === "All").properties;
                const kinds = object => Object.keys(names).map(p => kind(object[p])).join(" ");
                console.log(kinds(o));
                console.log(kinds(n));
                console.log(o.l.length, o.st.size, o.dict.k, n.map.key.b, n.map.none, [...n.bag][0].b, o.links[0].b);
                console.log(String(o.dec), String(o.o), String(o.u), o.t.getTime(), o.x.length);
            });
            """
        let log = try migrate(allObjects, from: allTypes, script: script).log
        let kinds =
            "number boolean number number string Uint8Array Date Decimal128 ObjectId UUID null null null string Array Set "
            + "Object Flag Array Set Object"
        #expect(
            log == [
                kinds, kinds, "2 2 5 false null true false",
                "1.50 1234567890ab1234567890ab 137decc8-b300-4954-a233-f89909f4fd89 1000 1",
            ])
    }

    @Test(arguments: [
        (#"1"#, "number 1"), (#"1.5"#, "number 1.5"), (#"{"$float": 1.5}"#, "number 1.5"), ("true", "boolean true"),
        (#""""#, "string "), (#""text""#, "string text"), ("null", "object null"),
        (#"{"$date": "1970-01-01T00:00:01Z"}"#, "Date 1000"),
        (#"{"$binary": {"base64": "YQ==", "subType": "00"}}"#, "Uint8Array 97"),
        (#"{"$oid": "1234567890ab1234567890ab"}"#, "ObjectId 1234567890ab1234567890ab"),
        (#"{"$numberDecimal": "1E+3"}"#, "Decimal128 1E+3"),
        (#"{"$uuid": "137decc8-b300-4954-a233-f89909f4fd89"}"#, "UUID 137decc8-b300-4954-a233-f89909f4fd89"),
        (#"{"$ref": "A", "$id": 0}"#, "A 7"), ("[1, [2]]", "Array 1,2"), (#"{"k": 3}"#, "Object 3"),
    ])
    func `shows a mixed value as what it is`(json: String, shown: String) throws {
        let script = """
            const show = v => v === null || typeof v !== "object" ? typeof v + " " + v
                : v.constructor.name + " " + (v instanceof Date ? v.getTime() : v.constructor.name === "A" ? v.n
                    : v.constructor === Object ? v.k : String(v));
            migration.enumerateObjects("A", (o, n) => { console.log(show(o.any)); console.log(show(n.any)); });
            """
        let result = try migrate(
            #"{"A": [{"_key": 0, "n": 7, "any": \#(json)}]}"#,
            from: #"[{"name": "A", "properties": {"n": "int", "any": "mixed"}}]"#, script: script)
        #expect(
            result.log.map { $0.trimmingCharacters(in: .whitespaces) }
                == [shown, shown].map { $0.trimmingCharacters(in: .whitespaces) })
    }

    @Test func `changes values, links and collections of every kind`() throws {
        let script = """
            migration.enumerateObjects("All", (o, n) => {
                n.i = 1; n.b = false; n.f = 1; n.d = 10; n.s = "set"; n.x = new Uint8Array([98]); n.t = new Date(2000);
                n.oi = 5; n.m = 12345; n.l = ["c"]; n.l.push("d"); n.st.add(3); n.st.delete(1); n.dict.z = 9;
                const created = migration.create("Flag", {b: true});
                n.link = {b: false};
                n.links[0].b = true;
                n.links.push(n.link); n.links.push(created);
                n.bag.add(created); n.bag.add(created);
                n.map.key.b = true;
                n.map = {key: created};
                console.log(n.links.length, n.bag.size, Object.keys(n.map).length, o.links.length, o.i);
            });
            """
        let (objects, log) = try migrate(allObjects, from: allTypes, script: script)
        #expect(log == ["3 2 1 1 7"])
        let all = try #require(objects["All"]?.first)
        let expected: [String: Any] = [
            "_key": 0, "i": 1, "b": false, "f": 1.0, "d": 10.0, "s": "set",
            "x": ["$binary": ["base64": "Yg==", "subType": "00"]], "t": ["$date": "1970-01-01T00:00:02Z"],
            "dec": ["$numberDecimal": "1.50"], "o": ["$oid": "1234567890ab1234567890ab"],
            "u": ["$uuid": "137decc8-b300-4954-a233-f89909f4fd89"], "oi": 5, "ob": NSNull(), "os": NSNull(), "m": 12345,
            "l": ["c", "d"], "st": [2, 3], "dict": ["k": 5, "z": 9], "link": 3, "links": [1, 3, 2], "bag": [0, 2],
            "map": ["key": 2],
        ]
        #expect(NSDictionary(dictionary: all) == NSDictionary(dictionary: expected))
        #expect(objects["Flag"]?.map { $0["b"] as? Bool } == [true, true, true, false])
    }

    @Test func `reads and sets members by name, and refuses names that no property has`() throws {
        let script = """
            migration.enumerateObjects("A", (o, n) => {
                console.log(o["s"] === o.s, "s" in n, "none" in n, n.none === undefined);
                n["s"] = "other";
                for (const change of [() => { n.none = 1; }, () => { o.s = ""; }, () => { n.s = 1; }]) {
                    try { change(); } catch (error) { console.log(String(error)); }
                }
            });
            """
        let (objects, log) = try migrate(
            #"{"A": [{"_key": 0, "s": "text"}]}"#, from: #"[{"name": "A", "properties": {"s": "string"}}]"#,
            script: script)
        #expect(
            log == [
                "true true false true", "Error: Property 'A.none' does not exist",
                "Error: Cannot modify the old realm: its objects are read only in a migration.",
                "Error: Expected 'A.s' to be a string, got a number",
            ])
        #expect(objects["A"]?.first?["s"] as? String == "other")
    }

    @Test func `takes stored names on the old object and public ones on the new`() throws {
        let mapped = """
            [{"name": "A", "properties": {"number": {"type": "int", "mapTo": "stored_number"},
              "other": {"type": "object", "objectType": "A", "mapTo": "stored_other"}}}]
            """
        let script = """
            migration.enumerateObjects("A", (o, n) => {
                console.log(o.stored_number, n.number, o.stored_other && o.stored_other.stored_number,
                    n.other && n.other.number);
                n.number += 1;
            });
            """
        let (objects, log) = try migrate(
            #"{"A": [{"_key": 0, "stored_number": 1, "stored_other": 1}, {"_key": 1, "stored_number": 2, "stored_other": null}]}"#,
            from: #"[{"name": "A", "properties": {"stored_number": "int", "stored_other": "A"}}]"#, to: mapped,
            script: script)
        #expect(log == ["1 1 2 2", "2 2 null null"])
        #expect(objects["A"]?.map { ($0["number"] ?? $0["stored_number"]) as? Int } == [2, 3])
    }

    @Test func `fills kept nulls in one loop and deletes their objects in another`() throws {
        let script = """
            migration.enumerateObjects("A", (o, n) => { if (o.n === 1) n.s = "filled"; });
            migration.enumerateObjects("A", (o, n) => { if (o.n === 3) migration.delete(n); });
            """
        let objects = try migrate(
            #"{"A": [{"_key": 0, "n": 1, "s": null}, {"_key": 1, "n": 2, "s": "x"}, {"_key": 2, "n": 3, "s": null}]}"#,
            from: #"[{"name": "A", "properties": {"n": "int", "s": "string?"}}]"#,
            to: #"[{"name": "A", "properties": {"n": "int", "s": "string"}}]"#, options: ["--nullability", "keep"],
            script: script
        ).objects
        #expect(objects["A"]?.map { $0["s"] as? String } == ["filled", "x"])
    }

    @Test func `sets objects of a new class while it creates others of it`() throws {
        let script = """
            for (let i = 0; i < 3; i++) migration.create("B", {n: i});
            migration.enumerateObjects("B", (o, n) => { n.n += 10; migration.create("B", {n: 99}); });
            """
        let objects = try migrate(
            #"{"A": []}"#, from: #"[{"name": "A", "properties": {"n": "int"}}]"#,
            to: #"[{"name": "A", "properties": {"n": "int"}}, {"name": "B", "properties": {"n": "int"}}]"#,
            script: script
        ).objects
        #expect(objects["B"]?.map { $0["n"] as? Int } == [10, 11, 12, 99, 99, 99])
    }

    @Test func `writes nothing where the script throws`() throws {
        let (objects, log) = try migrate(
            #"{"A": [{"_key": 0, "n": 1}]}"#, from: #"[{"name": "A", "properties": {"n": "int"}}]"#,
            script: #"migration.deleteData("A"); throw new Error("no");"#)
        #expect(objects.isEmpty)
        #expect(log.first?.hasSuffix("/script.js:2:43: no") == true)
    }

    @Test func `rehearse independent classes both ways`() throws {
        let folder = try TemporaryFolder()
        let schema = #"[{"name": "A", "properties": {"n": "int"}}]"#
        let objects = (0..<40).map { #"{"n": \#($0)}"# }.joined(separator: ", ")
        let realm = try folder.file(
            "in.json", #"{"schemaVersion": 0, "schema": \#(schema), "objects": {"A": [\#(objects)]}}"#)
        let target = try folder.file("t.json", #"{"schemaVersion": 1, "schema": \#(schema)}"#)
        func rehearse(_ body: String, rowGroups: String = "4") throws -> (status: Int32, output: String) {
            let script = try folder.file(
                "script.js", "let count = 0;\nfunction migrate(m) { m.enumerateObjects('A', (o, n) => {\n\(body)\n}); }"
            )
            let outcome = try BuiltProgram.run([
                "rehearse", realm, "--schema", target, "--script", script, "--independent", "A", "--hosts", "2",
                "--row-groups", rowGroups, "--quiet",
            ])
            return (outcome.status, outcome.output + outcome.error)
        }
        #expect(try rehearse("n.n = o.n + 1;").status == 0)
        let keeping = try rehearse("n.n = count++;")
        #expect(
            keeping.status == 1 && keeping.output.contains("run as a whole it makes something else of property 'A.n'"))
        let untried = try rehearse("n.n = count++;", rowGroups: "100")
        #expect(untried.status == 0 && untried.output.contains("note (untriedIndependence)"), "\(untried.output)")
        #expect(untried.output.contains("--row-groups N"))
        #expect(try !rehearse("n.n = o.n + 1;").output.contains("untriedIndependence"))
        let looking = try rehearse("n.n = m.newRealm.objects('A').length;")
        #expect(looking.status == 1 && looking.output.contains("it calls newRealm.objects"))
    }
}
