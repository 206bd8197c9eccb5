import Foundation
import FoundationXML
import RealmJSON
import Testing

@Suite struct `Rehearsals of files` {
    private let source = """
        {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string?", "age": "string", "owner": "Dog?",
            "note": "string?"}}],
         "objects": {"Dog": [
            {"_key": 0, "name": "Rex", "age": "7", "owner": 1, "note": "x"},
            {"_key": 1, "name": "Fido", "age": "old", "owner": null, "note": null}]}}
        """
    private let target = """
        {"schemaVersion": 2, "schema": [{"name": "Dog", "properties": {"name": "string?", "age": "int", "owner": "Dog?"}}]}
        """
    private let script = """
        function migrate(migration) {
          migration.enumerateObjects("Dog", (before, now) => {
            now.age = Number(before.age) || 0;
            now.owner = null;
            if (before.name === "Fido") now.name = null;
          });
        }
        """

    @Test func `say what is lost, and leave the file as it is`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("dogs.json", source)
        let arguments = [
            "rehearse", input, "--schema", try folder.file("target.json", target), "--script",
            try folder.file("script.js", script), "--quiet",
        ]
        let run = try BuiltProgram.run(arguments)
        #expect(run.status == 1, "\(run.error)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasSuffix("dogs.json: schema version 1 → 2") == true)
        #expect(
            Set(lines).isSuperset(of: [
                "  Dog: 2 objects changed", "    name: 1 changed, 1 of them to null",
                "  LOST (valueToNull): Dog.name: the value of 1 object becomes null, 50 % of those that there were (object key 1)",
                "  LOST (valueToZero): Dog.age: the value of 1 object becomes zero or empty by conversion, 50 % of those that there were "
                    + "(object key 1)",
                "  LOST (linkToNull): Dog.owner: the link of 1 object becomes null, 100 % of those that there were (object key 0)",
                "  warning (droppedValue): Dog.note: the value of 1 object is dropped, and nothing has taken it over, "
                    + "100 % of those that there were (object key 0)",
            ]), "\(lines)")
        #expect(try String(contentsOfFile: input, encoding: .utf8) == source)

        let json = try JSONValue.parse(Array(try BuiltProgram.run(arguments + ["--json"]).output.utf8))
        #expect(json["losses"]?.elements?.count == 4)
        #expect(json["objects"] == ["touched": 2, "created": 0, "deleted": 0])
    }

    @Test func `warn of what the schema drops, for any number of files, and fail for it where that is asked`() throws {
        let folder = try TemporaryFolder()
        let inputs = [try folder.file("a.json", source), try folder.file("b.json", source)]
        let kept = try folder.file("target.json", target.replacing("\"age\": \"int\", ", with: "\"age\": \"string\", "))
        let run = try BuiltProgram.run(["rehearse"] + inputs + ["--schema", kept, "--quiet"])
        #expect(run.status == 0, "\(run.error)")
        #expect(
            run.output.split(separator: "\n").filter { $0 == "  no error, but 1 warning" }.count == 2)
        let asked = try BuiltProgram.run(["rehearse"] + inputs + ["--schema", kept, "--quiet", "--fail-on", "warning"])
        #expect(asked.status == 1 && asked.output == run.output)
        let unknown = try BuiltProgram.run(["rehearse"] + inputs + ["--schema", kept, "--fail-on", "warnings"])
        #expect(unknown.status == 2 && unknown.error.contains("“warning” is the nearest"))
        for (names, message) in [("", "No level and no rule is named"), ("never,error", "“never” stands alone")] {
            let refused = try BuiltProgram.run(["rehearse"] + inputs + ["--schema", kept, "--fail-on", names])
            #expect(refused.status == 2 && refused.error.contains(message), "\(refused.error)")
        }
        // One that can't be read says nothing of the others.
        let broken = try folder.file("c.json", "{")
        let some = try BuiltProgram.run(["rehearse", broken] + inputs + ["--schema", kept, "--quiet"])
        #expect(some.status == 1)
        #expect(some.output == run.output)
        #expect(some.error.contains("c.json"))
        #expect(try BuiltProgram.run(["rehearse", "--schema", kept]).status == 2)
    }

    private let keyed = """
        {"schemaVersion": 1, "schema": [{"name": "User", "primaryKey": "id", "properties": {"id": "string"}}],
         "objects": {"User": [{"id": "a"}, {"id": "A"}]}}
        """

    @Test func `say why a migration fails, also to programs`() throws {
        let folder = try TemporaryFolder()
        let target =
            #"{"schemaVersion": 2, "schema": [{"name": "User", "primaryKey": "id", "properties": {"id": "string"}}]}"#
        let script = "function migrate(m) { m.enumerateObjects('User', (b, n) => { n.id = b.id.toLowerCase(); }); }"
        let (junit, sarif) = (folder.path("out.xml"), folder.path("out.sarif"))
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("users & more.json", keyed), "--schema", try folder.file("target.json", target),
            "--script", try folder.file("script.js", script), "--junit", junit, "--sarif", sarif, "--quiet",
        ])
        #expect(run.status == 1, "\(run.error)")
        #expect(
            run.output.contains(
                "  FAILS (duplicateKeys): User.id: object 1 has the primary key of object 0, which is the first that has it"
            ),
            "\(run.output)")
        let xml = try XMLDocument(xmlString: try String(contentsOfFile: junit, encoding: .utf8))
        #expect(try xml.nodes(forXPath: "/testsuites/testsuite/testcase[@name='duplicateKeys']/failure").count == 1)
        #expect(try xml.nodes(forXPath: "//failure").count == 1)
        let suite = try #require(try xml.nodes(forXPath: "//testsuite/@name").first?.stringValue)
        #expect(suite.hasSuffix("users & more.json"))
        let log = try JSONValue.parse(Array(try String(contentsOfFile: sarif, encoding: .utf8).utf8))
        let result = log["runs"]?.elements?.first?["results"]?.elements?.first
        #expect(log["version"] == "2.1.0" && result?["ruleId"] == "duplicateKeys" && result?["level"] == "error")
        // A file that is there is not written over unasked.
        let again = try BuiltProgram.run([
            "rehearse", folder.path("users & more.json"), "--schema", folder.path("target.json"), "--junit", junit,
        ])
        #expect(again.status == 2 && again.error.contains("exists already"))
    }

    @Test func `call checks in the order of their file, and say where they and a script fail`() throws {
        let folder = try TemporaryFolder()
        let target = try folder.file(
            "target.json",
            #"{"schemaVersion": 2, "schema": [{"name": "User", "primaryKey": "id", "properties": {"id": "string"}}]}"#)
        let users = try folder.file("users.json", keyed)
        let checks = try folder.file(
            "checks.js",
            """
            const checkFirst = (before, after) => false;
            function checkSecond(before, after) {}
            let checkThird = function (before, after) {
              throw new Error("third");
            };
            """)
        let sarif = folder.path("out.sarif")
        let run = try BuiltProgram.run([
            "rehearse", users, "--schema", target, "--check", checks, "--sarif", sarif, "--quiet", "--json",
        ])
        let report = try JSONValue.parse(Array(run.output.utf8))
        #expect(report["checks"]?.elements?.map { $0["name"] } == ["checkFirst", "checkSecond", "checkThird"])
        #expect(report["checks"]?.elements?.map { $0["passed"] } == [false, true, false])
        let log = try JSONValue.parse(Array(try String(contentsOfFile: sarif, encoding: .utf8).utf8))
        let places = log["runs"]?.elements?.first?["results"]?.elements?.map {
            $0["locations"]?.elements?.first?["physicalLocation"]?["artifactLocation"]?["uri"]?.string ?? ""
        }
        #expect(places?.count == 2 && places?.allSatisfy { $0.hasSuffix("checks.js") } == true)

        let endless = try folder.file("endless.js", "function checkOne() {} function checkTwo() { for (;;); }")
        let stopped = try BuiltProgram.run([
            "rehearse", users, "--schema", target, "--check", endless, "--timeout", "2", "--quiet",
        ])
        #expect(stopped.status == 1 && stopped.output.contains("check: checkOne holds"), "\(stopped.output)")
        #expect(stopped.output.contains("CHECK FAILS: checkTwo: ") && stopped.output.contains("endless.js"))

        let script = try folder.file(
            "script.js", "function migrate(m) {\n  m.enumerateObjects('User', (b, n) => { n.id = b.nope.x; });\n}")
        let failed = try BuiltProgram.run(["rehearse", users, "--schema", target, "--script", script, "--quiet"])
        #expect(
            failed.status == 1 && failed.output.contains("script.js:2, object 0 of User)"), "\(failed.output)")
    }

    @Test func `say that nothing is lost where all values are still there alone`() throws {
        let folder = try TemporaryFolder()
        let kept = try folder.file("target.json", target.replacing("\"age\": \"int\", ", with: "\"age\": \"string\", "))
        let names = (0..<300).map {
            "{\"name\": \"Dog \($0)\", \"age\": \"\($0 + 1)\", \"owner\": null, \"note\": null}"
        }
        let head =
            source.prefix { $0 != "[" }
            + #"[{"name": "Dog", "properties": {"name": "string?", "age": "string", "owner": "Dog?", "note": "string?"}}], "objects": {"Dog": ["#
        let dogs = try folder.file("dogs.json", head + names.joined(separator: ",") + "]}}")
        for (body, verdict) in [
            ("now.name = before.name.toUpperCase();", "nothing is lost"),
            (
                "if (before.age === '7') now.name = '';",
                "1 value was lost, too few to count as a finding"
            ),
            (
                "now.age = String(1000 - before.age);",
                "no value was dropped or emptied, but 300 values were replaced by others: look at the properties that changed"
            ),
        ] {
            let script = try folder.file(
                "script.js", "function migrate(m) { m.enumerateObjects('Dog', (before, now) => { \(body) }); }")
            let run = try BuiltProgram.run(["rehearse", dogs, "--schema", kept, "--script", script, "--quiet"])
            #expect(run.status == 0 && run.output.hasSuffix("  \(verdict)\n"), "\(run.output)")
        }
    }

    /// A property that is dropped, beside one that is added.
    private static func flags(_ count: Int) -> String {
        let objects = (0..<count).map { #"{"p": \#($0 & 1 == 1), "r": \#($0 & 2 == 2)}"# }
        return
            #"{"schemaVersion": 1, "schema": [{"name": "C", "properties": {"p": "bool", "r": "bool"}}], "objects": {"C": ["#
            + objects.joined(separator: ", ") + "]}}"
    }

    @Test(arguments: [("o.r", "values of 6 objects are dropped"), ("!o.p", nil), ("o.p", nil)])
    func `do not take one flag for another that is often the same`(value: String, said: String?) throws {
        let folder = try TemporaryFolder()
        let target = #"{"schemaVersion": 2, "schema": [{"name": "C", "properties": {"r": "bool", "q": "bool"}}]}"#
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("flags.json", Self.flags(24)), "--schema",
            try folder.file("target.json", target),
            "--script",
            try folder.file("s.js", "function migrate(m) { m.enumerateObjects('C', (o, n) => { n.q = \(value); }); }"),
            "--quiet",
        ])
        #expect(run.output.contains(said ?? "  nothing is lost\n"), "\(run.output)")
    }

    @Test(arguments: [
        ("{a: e.a, b: o.l[(i + 1) % o.l.length].b, c: 0}", "1 value was replaced by others"),
        ("{a: e.a, b: e.b, c: 0}", "nothing is lost"), ("{a: e.a, b: e.b, c: i + 1}", "nothing is lost"),
    ])
    func `see values of embedded objects that others of the list have now`(element: String, said: String) throws {
        let folder = try TemporaryFolder()
        func schema(_ version: Int) -> String {
            #""schemaVersion": \#(version), "schema": [{"name": "C", "properties": {"l": "E[]"}}, "#
                + #"{"name": "E", "embedded": true, "properties": {"a": "string", "b": "int", "c": "int"}}]"#
        }
        let source = """
            {\(schema(1)), "objects": {"C": [{"l": [{"a": "Ada", "b": 24, "c": 0}, {"a": "Grace", "b": 70, "c": 0}]},
                {"l": [{"a": "Alan", "b": 27, "c": 0}]}]}}
            """
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("c.json", source), "--schema", try folder.file("target.json", "{\(schema(2))}"),
            "--script",
            try folder.file(
                "s.js",
                "function migrate(m) { m.enumerateObjects('C', (o, n) => { n.l = [...o.l].map((e, i) => (\(element))); }); }"
            ),
            "--quiet",
        ])
        #expect(run.output.contains(said), "\(run.output) \(run.error)")
    }

    @Test(
        arguments: [
            ("o.p.v", nil), ("all[(i + 1) % 4]", "4 values"), ("'red'", "3 values"),
            ("i < 2 ? all[1 - i] : o.p.v", "2 values"),
        ], [true, false])
    func `look into embedded objects that are of another class now`(value: (String, String?), isEmbedded: Bool) throws {
        let folder = try TemporaryFolder()
        func schema(_ version: Int, _ name: String, isEmbedded: Bool = true) -> String {
            #""schemaVersion": \#(version), "schema": [{"name": "P", "properties": {"p": "\#(name)"}}, "#
                + #"{"name": "\#(name)", "embedded": \#(isEmbedded), "properties": {"v": "string"}}]"#
        }
        let objects = ["red", "green", "blue", "white"].map { #"{"p": {"v": "\#($0)"}}"# }.joined(separator: ", ")
        let script = """
            function migrate(m) {
              const all = [...m.oldRealm.objects("P")].map(o => o.p.v);
              let i = -1;
              m.enumerateObjects("P", (o, n) => {
                i += 1;
                const part = {v: \(value.0)};
                n.p = \(isEmbedded ? "part" : #"m.create("F", part)"#);
              });
            }
            """
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("p.json", "{\(schema(1, "E")), \"objects\": {\"P\": [\(objects)]}}"),
            "--schema",
            try folder.file("target.json", "{\(schema(2, "F", isEmbedded: isEmbedded))}"), "--script",
            try folder.file("s.js", script), "--quiet",
        ])
        // The values of a linked object are looked for wherever they may be.
        let said = value.1.map { isEmbedded ? "\($0) were replaced by others" : "warning (droppedValue): P.p: " }
        #expect(run.output.contains(said ?? "nothing is lost"), "\(run.output) \(run.error)")
    }

    @Test(arguments: [("e.h", true), ("false", false), ("!e.h", false)], ["o.e", "o.l", "o.d"])
    func `see flags of embedded objects that are written anew`(flag: (String, isKept: Bool), source: String) throws {
        let folder = try TemporaryFolder()
        func schema(_ version: Int) -> String {
            #""schemaVersion": \#(version), "schema": [{"name": "C", "properties": {"e": "E", "l": "E[]", "d": "E{}"}}, "#
                + #"{"name": "E", "embedded": true, "properties": {"x": "string", "h": "bool"}}]"#
        }
        func object(_ name: String, _ flag: Bool) -> String { #"{"x": "\#(name)", "h": \#(flag)}"# }
        let objects = [("Ada", true), ("Grace", false), ("Alan", true)].map { name, flag in
            let element = object(name, flag)
            return #"{"e": \#(element), "l": [\#(element), \#(object("Joan", true))], "d": {"k": \#(element)}}"#
        }
        let write =
            switch source {
            case "o.e": "const e = o.e; n.e = {x: e.x, h: \(flag.0)};"
            case "o.l": "n.l = [...o.l].map(e => ({x: e.x, h: \(flag.0)}));"
            default: "const e = o.d.k; n.d = {k: {x: e.x, h: \(flag.0)}};"
            }
        let run = try BuiltProgram.run([
            "rehearse",
            try folder.file("c.json", "{\(schema(1)), \"objects\": {\"C\": [\(objects.joined(separator: ", "))]}}"),
            "--schema", try folder.file("target.json", "{\(schema(2))}"), "--script",
            try folder.file("s.js", "function migrate(m) { m.enumerateObjects('C', (o, n) => { \(write) }); }"),
            "--quiet",
        ])
        #expect(run.output.contains("nothing is lost") == flag.isKept, "\(run.output) \(run.error)")
    }

    @Test(arguments: [
        (
            "function checkIds(before, after) { return before.objects('User').length === after.objects('User').length; }",
            0
        ),
        ("const check = (before, after) => { throw new Error('no user is left'); };", 1),
        ("function check(before, after) { after.objects('User')[0].id = 'b'; }", 1),
        ("function check(before, after) { after.create('User', {id: 'b'}); }", 1),
        ("function check() { return 'said so'; }", 1), ("let nothing = 1;", 1), ("function check( {", 1),
    ])
    func `hold assertions against both realms, which change neither`(check: String, status: Int32) throws {
        let folder = try TemporaryFolder()
        let target =
            #"{"schemaVersion": 2, "schema": [{"name": "User", "primaryKey": "id", "properties": {"id": "string"}}]}"#
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("users.json", keyed), "--schema", try folder.file("target.json", target),
            "--check", try folder.file("check.js", check), "--quiet",
        ])
        #expect(run.status == status, "\(run.output) \(run.error)")
        #expect(
            run.output.contains(status == 0 ? "  check: checkIds holds\n" : "  CHECK FAILS: check: "), "\(run.output)")
    }
}
