import Foundation
import FoundationXML
import RealmJSON
import TestHTTP
import Testing

/// `realmshift ci`: a folder of versions, scripts and samples.
@Suite struct `Folders of versions` {
    /// A folder with three versions and a sample of the first.
    private struct Fixture {
        let folder: TemporaryFolder

        init(_ files: [String: String] = [:]) throws {
            folder = try TemporaryFolder()
            for (name, text) in Self.files.merging(files, uniquingKeysWith: { $1 }) { _ = try folder.file(name, text) }
        }

        private static let files = [
            "realmshift.json": """
            {"versions": [{"version": 1, "schema": "1.json"}, {"version": 2, "schema": "2.json", "script": "2.js"},
                {"version": 3, "schema": "3.json", "script": "3.js"}],
             "samples": ["*.sample.json"]}
            """,
            "1.json": #"{"schema": [{"name": "Dog", "properties": {"name": "string"}}]}"#,
            "2.json": #"{"schema": [{"name": "Dog", "properties": {"name": "string", "age": "int"}}]}"#,
            "3.json": #"{"schema": [{"name": "Dog", "properties": {"name": "string", "age": "int", "size": "int?"}}]}"#,
            "2.js": "function migrate(m) { m.enumerateObjects('Dog', (o, n) => { n.age = 7; }); }\n",
            "3.js": """
            function migrate(m, old) {
              m.enumerateObjects("Dog", (o, n) => {
                if (old < 2) n.age = 7;
                n.size = o.name.length;
              });
            }

            """,
            "rex.sample.json": """
            {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string"}}],
             "objects": {"Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}]}}
            """,
        ]

        func run(_ options: String...) throws -> BuiltProgram.Outcome {
            try BuiltProgram.run(["ci", "."] + options, in: folder.url)
        }
    }

    @Test(arguments: [
        (#""schema": "../1.json""#, "../1.json lies outside"),
        (#""schema": "/etc/passwd""#, "/etc/passwd lies outside"),
        (#""schema": "linked.json""#, "linked.json lies outside"),
        (#""schema": "1.json", "script": "pipe""#, "pipe is neither a file nor a folder"),
        (#""schema": "models""#, "models/Linked.swift lies outside"),
    ])
    func `read nothing that lies elsewhere, or never ends`(members: String, message: String) throws {
        let fixture = try Fixture([
            "realmshift.json": "{\"versions\": [{\"version\": 1, \(members)}], \"samples\": []}"
        ])
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.path("linked.json"), withDestinationPath: "/etc/passwd")
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path("models"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.path("models/Linked.swift"), withDestinationPath: "/etc/passwd")
        #expect(mkfifo(fixture.folder.path("pipe"), 0o600) == 0)
        let outcome = try fixture.run()
        #expect(outcome.status != 0 && outcome.error.contains(message), "\(outcome.error)")
    }

    @Test func `rehearse each sample from each version, after every declaration`() throws {
        let outcome = try Fixture().run()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
        let heads = outcome.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map {
            $0.split(separator: ": schema")[0]
        }
        #expect(
            heads == [
                "./realmshift.json: version 1", "./realmshift.json: version 2", "./realmshift.json: version 3",
                "rex.sample.json: version 1 to 3", "rex.sample.json: version 1 to 2", "rex.sample.json: version 2 to 3",
                "3 versions, 1 sample, 6 checks: all pass",
            ])
    }

    @Test func `go through each script where the steps are a chain`() throws {
        let description = """
            {"versions": [{"version": 1, "schema": "1.json"}, {"version": 2, "schema": "2.json", "script": "2.js"},
                {"version": 3, "schema": "3.json", "script": "3.js"}], "samples": ["rex.sample.json"], "steps": "chain"}
            """
        let outcome = try Fixture(["realmshift.json": description]).run("--json")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
        let names = try outcome.output.split(separator: "\n").map {
            try JSONValue.parse(Array($0.utf8))["name"]?.string
        }
        #expect(names.suffix(2) == ["rex.sample.json: version 1 to 2", "rex.sample.json: version 2 to 3"])
    }

    @Test func `fail for what is lost, where that is asked, and say it in both reports`() throws {
        let fixture = try Fixture([
            "3.js": "function migrate(m) { m.enumerateObjects('Dog', (o, n) => { n.name = ''; n.size = 1; }); }"
        ])
        let never = try fixture.run("--fail-on", "never")
        #expect(never.status == 0)
        let outcome = try fixture.run("--fail-on", "loss", "--junit", "r.xml", "--sarif", "r.sarif")
        #expect(outcome.status == 1 && outcome.output.contains("LOST (valueToEmpty): Dog.name"))
        let junit = try XMLDocument(data: Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("r.xml"))))
        let failures = try junit.nodes(forXPath: "//testcase[failure]/@name").compactMap(\.stringValue)
        #expect(failures.contains("valueToEmpty"))
        let sarif = try JSONValue.parse(Array(Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("r.sarif")))))
        let results = sarif["runs"]?.elements?.first?["results"]?.elements ?? []
        #expect(results.contains { $0["ruleId"] == "valueToEmpty" && $0["properties"]?["realm"] == "rex.sample.json" })
        #expect(try fixture.run("--fail-on", "los").status == 2)
    }

    @Test(arguments: [
        ("2.json", #"{"schema": [{"name": "Dog", "properties": {"name": "strin"}}]}"#, "unknown object type 'strin'"),
        ("3.js", "function migrate(m) {\n  let x = ;\n}", "(./3.js:2)"),
        ("3.js", "function migrate(m) { m.renameProperty('Dog', 'nam', 'name'); }", "Cannot rename property 'Dog.nam'"),
        ("2.json", "[", "Malformed JSON"),
    ])
    func `fail for a declaration that can't be used`(file: String, text: String, said: String) throws {
        let outcome = try Fixture([file: text]).run()
        #expect(outcome.status == 1 && outcome.output.contains("FAILS"), "\(outcome.output)\(outcome.error)")
        #expect(
            outcome.output.contains(said.replacing("./", with: "")) || outcome.output.contains(said),
            "\(outcome.output)")
    }

    @Test(arguments: [
        (#"{"versions": []}"#, "versions has to be an array of one version or more."),
        (#"{"versions": [{"version": 2, "schema": "1.json"}, {"version": 1, "schema": "1.json"}]}"#, "versions ascend"),
        (#"{"versions": [{"version": 1, "shema": "1.json"}]}"#, "“schema” is the nearest"),
        (
            #"{"versions": [{"version": 1, "schema": "1.json"}], "samples": ["*.realm"]}"#,
            "No file is there whose name is like *.realm"
        ),
        (#"{"versions": [{"version": 1, "schema": "1.json"}], "failOn": ["warnin"]}"#, "“warning” is the nearest"),
        (#"{"versions": [{"version": 1, "schema": "none.json"}]}"#, "FAILS: No such file or directory (none.json)"),
    ])
    func `name the member that is wrong`(description: String, said: String) throws {
        let outcome = try Fixture(["realmshift.json": description]).run()
        #expect(outcome.status == 1)
        #expect((outcome.error + outcome.output).contains(said), "\(outcome.error)\(outcome.output)")
    }

    @Test func `fail for a class that a script enumerates and no version has`() throws {
        let typo = "function migrate(m) { m.enumerateObjects('Dogs', () => {}); }"
        let outcome = try Fixture(["3.js": typo]).run()
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "FAILS (unknownClass): The script enumerates objects of “Dogs”, and neither schema has such a class. "
                    + "Did you mean 'Dog'? (3.js:1)"), "\(outcome.output)")
        // Realms that come from the first version have the class, those of the second don't.
        let gone = try Fixture([
            "1.json":
                #"{"schema": [{"name": "Dog", "properties": {"name": "string"}}, {"name": "Cat", "properties": {"age": "int"}}]}"#,
            "2.js": "function migrate(m) { m.deleteData('Cat'); }",
            "3.js": "function migrate(m, old) { m.enumerateObjects('Cat', () => {}); if (old < 2) return; }",
        ])
        let passed = try gone.run()
        #expect(passed.status == 0, "\(passed.output)\(passed.error)")
        #expect(passed.output.contains("warning (unknownClass)"), "\(passed.output)")
        #expect(try gone.run("--fail-on", "unknownClass").status == 1)
    }

    @Test func `warn of a script that ran on no sample, and fail for it where that is asked`() throws {
        let newest =
            #"{"schemaVersion": 3, "schema": [{"name": "Dog", "properties": {"name": "string", "age": "int", "size": "int?"}}]}"#
        let fixture = try Fixture(["rex.sample.json": newest])
        let outcome = try fixture.run()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
        for script in ["2.js", "3.js"] {
            #expect(
                outcome.output.contains("warning (scriptNotRun): \(script) was not run on any sample"),
                "\(outcome.output)")
        }
        #expect(try fixture.run("--fail-on", "warning").status == 1)
        #expect(try Fixture().run("--fail-on", "scriptNotRun").status == 0)
    }

    @Test func `warn of a script that met no object`() throws {
        let empty =
            #"{"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string"}}], "objects": {}}"#
        let outcome = try Fixture(["rex.sample.json": empty]).run("--fail-on", "scriptNotRun")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("3.js was not run on any sample: none with an object"), "\(outcome.output)")
    }

    @Test func `warn of a check for which there is no sample`() throws {
        let description = #"{"versions": [{"version": 1, "schema": "1.json"}], "check": "2.js"}"#
        let outcome = try Fixture(["realmshift.json": description]).run("--fail-on", "scriptNotRun")
        #expect(
            outcome.status == 1 && outcome.output.contains("2.js was not run: there is no sample"), "\(outcome.output)")
    }

    @Test(arguments: [0, 1, 2])
    func `fail for a sample that has no class of any version`(version: Int) throws {
        let foreign =
            #"{"schemaVersion": \#(version), "schema": [{"name": "Bird", "properties": {"wings": "int"}}], "objects": {}}"#
        let outcome = try Fixture(["rex.sample.json": foreign]).run()
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.error)")
        #expect(
            outcome.output.contains("FAILS (schemaDiffers): It has no class that any version has"), "\(outcome.output)")
    }

    @Test func `say of a file, and of a folder without a description, that they are no such folder`() throws {
        let fixture = try Fixture()
        for (name, said) in [
            ("3.js", "This is a file"), ("nowhere", "No such file"), (".git", "has no realmshift.json"),
        ] {
            try FileManager.default.createDirectory(
                atPath: fixture.folder.path(".git"), withIntermediateDirectories: true)
            let outcome = try BuiltProgram.run(["ci", name], in: fixture.folder.url)
            #expect(outcome.status == 1 && outcome.error.contains(said), "\(outcome.error)")
        }
    }

    @Test func `fail by hints about declarations where warnings fail`() throws {
        let fixture = try Fixture([
            "3.js": "function migrate(m) { m.enumerateObjects('Dog', (o, n) => { n.size = 1; }); }"
        ])
        #expect(try fixture.run().status == 0)
        let outcome = try fixture.run("--fail-on", "versionNotAsked")
        #expect(outcome.status == 1 && outcome.output.contains("warning (versionNotAsked)"), "\(outcome.output)")
    }

    @Test(arguments: [
        (
            "2.json", #"{"schemaVersion": 7, "schema": [{"name": "Dog", "properties": {"name": "string"}}]}"#,
            "Its schemaVersion is 7, and realmshift.json names it for version 2"
        ),
        (
            "rex.sample.json", #"{"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "int"}}]}"#,
            "FAILS (schemaDiffers): Its schema is not that of version 1, to which it would have to be changed: Property 'Dog.name'"
        ),
    ])
    func `fail for a schema that is not the one of its version`(file: String, text: String, said: String) throws {
        let outcome = try Fixture([file: text]).run()
        #expect(outcome.status == 1 && outcome.output.contains(said), "\(outcome.output)\(outcome.error)")
        let cat = #"{"name": "Cat", "properties": {"name": "string"}}"#
        let both = try Fixture([
            "1.json": #"{"schema": [\#(cat), {"name": "Dog", "properties": {"name": "string"}}]}"#,
            "rex.sample.json": #"{"schemaVersion": 1, "schema": [\#(cat)]}"#,
        ]).run("--fail-on", "schemaDiffers")
        #expect(both.status == 1 && both.output.contains("warning (schemaDiffers)"), "\(both.output)")
    }

    @Test func `fail for a sample that can't be read, after the others`() throws {
        let outcome = try Fixture(["a.sample.json": "{", "b.sample.json": #"{"schemaVersion": 9, "schema": []}"#]).run()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("FAILS: Malformed JSON: the end is missing"))
        #expect(outcome.output.contains("Its schema version is 9, and the newest in ./realmshift.json is 3."))
        #expect(outcome.output.hasSuffix("3 versions, 3 samples, 8 checks: 2 fail\n"), "\(outcome.output)")
    }

    @Test func `are declared to a service as they are`() throws {
        let fixture = try Fixture()
        let service = try RunningService()
        let environment = ProcessInfo.processInfo.environment.merging(
            ["REALMSHIFT_SERVER": "http://127.0.0.1:\(service.port)", "REALMSHIFT_KEY": service.key]) { $1 }
        for _ in 0..<2 {
            let outcome = try BuiltProgram.run(["declare", "dogs", fixture.folder.url.path], environment: environment)
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.output.contains("declared version 3 of dogs, revision 1"))
        }
        let versions = try service.call("GET", "/v1/apps/dogs/schemas").json["items"]?.elements
        #expect(versions?.count == 3)
        let both = try BuiltProgram.run(["declare", "dogs", ".", "--schema", "1.json"], environment: environment)
        #expect(both.status == 2 && both.error.contains("--schema does not go with a folder"))
    }
}
