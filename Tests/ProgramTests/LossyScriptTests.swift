import Foundation
import FoundationXML
import RealmJSON
import Testing

/// Scripts that lose something, and scripts that lose nothing: the one has its finding, the other none, in every form alike.
@Suite struct `Scripts that lose something, and others` {
    @Test(arguments: lossy) func `that lose something have a finding`(script: Script) throws {
        let (report, junit, sarif, status) = try rehearse(script)
        let findings = report["findings"]?.elements ?? []
        let found = findings.filter { $0["rule"]?.string == script.finding }
        #expect(found.map { $0["count"] } == [.int(Int64(script.count))], "\(findings)")
        let isError = found.first?["level"] == "error"
        #expect(status == (isError ? 1 : 0) && report["passed"] == .bool(!isError))
        let name = script.finding ?? ""
        #expect(try junit.nodes(forXPath: "//testcase[@name='\(name)']/failure").count == (isError ? 1 : 0))
        #expect(try junit.nodes(forXPath: "//testcase[@name='\(name)']/*").count == 1)
        #expect(sarif.contains { $0["ruleId"]?.string == name && $0["level"] == found.first?["level"] })
        // No form but JSON and the page has a value, and these where they are asked for.
        let examples = report["losses"]?.elements?.flatMap { $0["examples"]?.elements ?? [] } ?? []
        #expect(examples.allSatisfy { $0["before"] == nil && $0["key"] != nil })
    }

    @Test(arguments: harmless) func `that lose nothing have none`(script: Script) throws {
        let (report, junit, sarif, status) = try rehearse(script)
        #expect(report["findings"] == [] && report["losses"] == [], "\(report["findings"] ?? .null)")
        #expect(status == 0 && sarif.isEmpty)
        #expect(try junit.nodes(forXPath: "//testcase/*").isEmpty)
    }

    /// Files as devices have them: an example of the project, and, where they are at hand, some of Realm's own.
    @Test(
        arguments: [
            ("now.full = '';", "valueToEmpty"), ("now.age = 0;", "valueToEmpty"), ("now.full = 'X';", "oneValueForAll"),
            ("now.full = before.full.toUpperCase();", nil), ("now.age = before.age + 1;", nil),
        ] as [(String, String?)])
    func `find the same in a file of a device`(body: String, finding: String?) throws {
        let folder = try TemporaryFolder()
        let target =
            #"{"schemaVersion": 3, "schema": [{"name": "User", "properties": {"full": "string", "age": "int"}}]}"#
        let run = try BuiltProgram.run([
            "rehearse", BuiltProgram.root.appendingPathComponent("examples/people.realm").path, "--json", "--quiet",
            "--schema", try folder.file("target.json", target), "--script",
            try folder.file("script.js", Self.script(body, of: "User")),
        ])
        let report = try JSONValue.parse(Array(run.output.utf8))
        #expect(
            report["findings"]?.elements?.map { $0["rule"]?.string } == [finding].filter { $0 != nil }, "\(run.output)")
    }

    @Test(arguments: ["default-v0.realm", "js_dates-v3.realm", "js_default.realm", "Places.realm"])
    func `find nothing in a file of Realm's that stays as it is, and all that is dropped`(name: String) throws {
        let file = BuiltProgram.root.deletingLastPathComponent().appendingPathComponent(
            "shared/realms/upstream/\(name)")
        guard FileManager.default.fileExists(atPath: file.path) else {
            print("skipped: \(file.path) is missing")
            return
        }
        let folder = try TemporaryFolder()
        let copy = folder.path("copy.json")
        #expect(try BuiltProgram.run(["convert", file.path, copy]).status == 0)
        let document = try JSONValue.parse(Array(try String(contentsOfFile: copy, encoding: .utf8).utf8))
        func findings(_ schema: JSONValue) throws -> [JSONValue] {
            let target: JSONValue = ["schemaVersion": 1_000_000, "schema": schema]
            let path = try folder.file("target.json", String(decoding: target.encoded(), as: UTF8.self))
            let run = try BuiltProgram.run(["rehearse", file.path, "--schema", path, "--json", "--quiet"])
            return try JSONValue.parse(Array(run.output.utf8))["findings"]?.elements ?? []
        }
        #expect(try findings(document["schema"] ?? []) == [])
        let objects = document["objects"]?.members?.filter { $0.value.elements?.isEmpty == false } ?? []
        #expect(try findings([]).count == objects.count)
    }

    // MARK: The persons

    private static let properties: JSONValue = [
        "name": "string", "age": "int", "email": "string", "isActive": "bool", "rating": "double", "born": "date",
        "tags": "string[]", "city": "string", "status": "string", "nick": "string?", "position": "int",
        "seen": "date", "price": "decimal128", "counts": "int[]", "ratios": "double[]", "traits": "string{}",
        "friends": "Person[]", "house": "Place?", "homes": "Place[]", "token": "uuid", "photo": "data",
    ]

    private static let place: JSONValue = [
        "name": "Place", "embedded": true, "properties": ["street": "string", "zip": "string?", "floor": "int"],
    ]

    private static func place(_ number: Int) -> JSONValue {
        [
            "street": .string("\(number) Main Street"), "zip": .string("\(10_000 + number)"),
            "floor": .int(Int64(number % 4 + 1)),
        ]
    }

    private static func person(_ number: Int) -> JSONValue {
        let names = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Leslie"]
        let families = ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Lamport", "Hamilton"]
        let day = "\(1950 + number)-0\(1 + number % 9)-1\(number % 9)T00:00:00Z"
        return [
            "_key": .int(Int64(number)), "name": .string("\(names[number % 7]) \(families[number % 8])"),
            "age": .int(Int64(20 + number)), "email": .string(" P\(number)@Example.com"),
            "isActive": .bool(number % 3 != 0), "rating": .double(Double(number) * 0.375 + 0.1),
            "born": ["$date": .string(day)],
            "tags": [.string("t\(number % 4)"), .string("u\(number % 5)")],
            "city": .string(["Berlin", "Paris", "Rome", "Oslo", "Wien"][number % 5]),
            "status": .string(["open", "closed", "new"][number % 3]), "nick": .string("n\(number)"),
            "position": .int(Int64(number + 1)),
            "seen": [
                "$date": .string(
                    "20\(10 + number % 20)-0\(1 + number % 9)-11T\(10 + number % 13):2\(number % 7):3\(number % 9).\(101 + number)Z"
                )
            ],
            "price": ["$numberDecimal": .string("\(100 + number).\(25 + number)")],
            "counts": [.int(Int64(number + 1)), .int(Int64(2 * number + 3))],
            "ratios": [.double(Double(number) + 1.25), .double(Double(number) + 1.75)],
            "traits": ["a": .string("a\(number)"), "b": "b"],
            "friends": [.int(Int64(20 + number % 20)), .int(Int64(20 + (number + 7) % 20))],
            "house": place(number), "homes": [place(number + 100), place(number + 200)],
            "token": ["$uuid": .string("8a6a63ec-24ed-e6a4-6b4c-b2424a23d5\(10 + number)")],
            "photo": ["$binary": ["base64": .string("zHX2NthQmQlaow\(10 + number)"), "subType": "00"]],
        ]
    }

    private static func script(_ body: String, of className: String) -> String {
        body.contains("function migrate")
            ? body
            : "function migrate(m) { m.enumerateObjects('\(className)', (before, now) => { \(body) }); }"
    }

    private func rehearse(
        _ script: Script
    ) throws -> (report: JSONValue, junit: XMLDocument, sarif: [JSONValue], status: Int32) {
        let folder = try TemporaryFolder()
        func file(_ name: String, _ json: JSONValue) throws -> String {
            try folder.file(name, String(decoding: json.encoded(), as: UTF8.self))
        }
        let kept = (Self.properties.members ?? []).filter { !script.drops.contains($0.name) }
        let person: JSONValue = [
            "name": "Person", "properties": .object(kept + (script.adds.members ?? [])),
        ]
        let (junit, sarif) = (folder.path("out.xml"), folder.path("out.sarif"))
        var arguments = [
            "rehearse",
            try file(
                "persons.json",
                [
                    "schemaVersion": 1, "schema": [["name": "Person", "properties": Self.properties], Self.place],
                    "objects": ["Person": .array((0..<40).map(Self.person))],
                ]),
            "--schema",
            try file(
                "target.json",
                ["schemaVersion": 2, "schema": .array([person, Self.place] + (script.classes.elements ?? []))]),
            "--json", "--quiet", "--junit", junit, "--sarif", sarif,
        ]
        if let body = script.body {
            arguments += ["--script", try folder.file("script.js", Self.script(body, of: "Person"))]
        }
        let run = try BuiltProgram.run(arguments)
        let report = try JSONValue.parse(Array(run.output.utf8))
        let log = try JSONValue.parse(Array(try String(contentsOfFile: sarif, encoding: .utf8).utf8))
        return (
            report, try XMLDocument(xmlString: try String(contentsOfFile: junit, encoding: .utf8)),
            log["runs"]?.elements?.first?["results"]?.elements ?? [], run.status
        )
    }
}
