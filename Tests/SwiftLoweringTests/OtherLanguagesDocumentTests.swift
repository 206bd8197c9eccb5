import Foundation
import Testing

/// The examples of `docs/kotlin-java-objective-c.md`, in JavaScript and in Swift, do the same, and do what they say.
struct OtherLanguagesDocumentTests {
    /// The realm that an example starts from, and the one that it makes of it.
    struct Case: Sendable {
        var heading: String
        /// The classes and objects of before.
        var before: String
        var objects: String
        /// The classes of the target.
        var after: String
        var expected: String

        init(_ heading: String, _ before: String, _ objects: String, _ after: String, _ expected: String) {
            (self.heading, self.before, self.objects, self.after, self.expected) =
                (heading, before, objects, after, expected)
        }
    }

    private static let cases = [
        Case(
            "Add a field with a value", person(#""name": "string""#), #"{"Person": [{"name": "Ada"}]}"#,
            person(#""name": "string", "level": "int""#), #"{"Person": [{"name": "Ada", "level": 3}]}"#),
        Case(
            "Rename a field", person(#""fullName": "string""#), #"{"Person": [{"fullName": "Ada"}]}"#,
            person(#""name": "string""#), #"{"Person": [{"name": "Ada"}]}"#),
        Case(
            "Remove a field", person(#""nickname": "string?""#),
            #"{"Person": [{"nickname": "Ad"}, {"nickname": null}]}"#, person(#""note": "string""#),
            #"{"Person": [{"note": "Ad"}, {"note": ""}]}"#),
        Case(
            "One field from several", person(#""firstName": "string", "lastName": "string""#),
            #"{"Person": [{"firstName": "Ada", "lastName": "King"}]}"#, person(#""fullName": "string""#),
            #"{"Person": [{"fullName": "Ada King"}]}"#),
        Case(
            "Change the type of a field", person(#""age": "string""#),
            #"{"Person": [{"age": "36"}, {"age": "-1"}, {"age": "old"}, {"age": ""}]}"#, person(#""age": "int""#),
            #"{"Person": [{"age": 36}, {"age": -1}, {"age": 0}, {"age": 0}]}"#),
        Case(
            "Make a field optional, or required", person(#""email": "string""#),
            #"{"Person": [{"email": "a@b"}, {"email": ""}]}"#, person(#""email": "string?""#),
            #"{"Person": [{"email": "a@b"}, {"email": null}]}"#),
        Case(
            "Add a primary key", person(#""email": "string""#), #"{"Person": [{"email": "A@b"}]}"#,
            #"[{"name": "Person", "primaryKey": "id", "properties": {"id": "string", "email": "string"}}]"#,
            #"{"Person": [{"id": "a@b", "email": "A@b"}]}"#),
        Case(
            "Create objects", "[]", "{}",
            #"[{"name": "Setting", "primaryKey": "key", "properties": {"key": "string", "value": "string"}}]"#,
            #"{"Setting": [{"key": "theme", "value": "dark"}]}"#),
        Case(
            "Make a link of a value", person(#""street": "string""#), #"{"Person": [{"street": "High St"}]}"#,
            person(#""address": "Address""#, #"{"name": "Address", "properties": {"street": "string"}}"#),
            #"{"Address": [{"street": "High St"}], "Person": [{"address": 0}]}"#),
        Case(
            "Fill a list", person(#""words": "string""#), #"{"Person": [{"words": "a,b"}]}"#,
            person(#""tags": "Tag[]""#, #"{"name": "Tag", "properties": {"name": "string"}}"#),
            #"{"Person": [{"tags": [0, 1]}], "Tag": [{"name": "a"}, {"name": "b"}]}"#),
        Case(
            "Find objects and delete them", person(#""age": "int""#),
            #"{"Person": [{"age": 17}, {"age": 18}, {"age": 5}]}"#, person(#""age": "int""#),
            #"{"Person": [{"age": 18}]}"#),
        Case(
            "Remove a class", #"[{"name": "Legacy", "properties": {"n": "int"}}]"#, #"{"Legacy": [{"n": 1}]}"#, "[]",
            "{}"),
        Case(
            "Rename a class", #"[{"name": "Dog", "properties": {"name": "string"}}]"#,
            #"{"Dog": [{"name": "Rex"}]}"#, #"[{"name": "Animal", "properties": {"name": "string"}}]"#,
            #"{"Animal": [{"name": "Rex"}]}"#),
        Case(
            "Step from version to version", person(#""level": "int""#), #"{"Person": [{"level": 1}]}"#,
            person(#""level": "int""#), #"{"Person": [{"level": 2}]}"#),
        Case(
            "Ask whether a field is there", person(#""email": "string""#), #"{"Person": [{"email": "a@b"}]}"#,
            person(#""note": "string""#), #"{"Person": [{"note": "a@b"}]}"#),
    ]

    private static func person(_ properties: String, _ more: String...) -> String {
        "[" + ([#"{"name": "Person", "properties": {\#(properties)}}"#] + more).joined(separator: ", ") + "]"
    }

    /// The blocks of a section for a language.
    private static func examples(_ heading: String, _ language: String) throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/kotlin-java-objective-c.md")
        let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ")
        let section = sections.first { $0.hasPrefix(heading + "\n") } ?? ""
        return section.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `every section has its cases`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/kotlin-java-objective-c.md")
        let headings = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
            .filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(headings == Self.cases.map(\.heading))
    }

    @Test(arguments: cases)
    func `runs in JavaScript and in Swift`(example: Case) throws {
        let javaScript = try Self.examples(example.heading, "js")
        let swift = try Self.examples(example.heading, "swift")
        try #require(javaScript.count == 1 && swift.count == 1)
        let scripts = [
            ("Migration.js", "function migrate(migration, oldSchemaVersion) {\n\(javaScript[0])\n}\n"),
            ("Migration.swift", "func migrate(migration: Migration, oldSchemaVersion: UInt64) {\n\(swift[0])\n}\n"),
        ]
        for (name, text) in scripts {
            let output = try TemporaryFolder.shared.path("out.json")
            let outcome = try BuiltProgram.run([
                "migrate",
                try TemporaryFolder.shared.file(
                    #"{"schemaVersion": 1, "schema": \#(example.before), "objects": \#(example.objects)}"#, "in.json"),
                "--schema",
                try TemporaryFolder.shared.file(
                    #"{"schemaVersion": 2, "schema": \#(example.after)}"#, "target.json"),
                "--script", try TemporaryFolder.shared.file(text, name), "--output", output, "--quiet",
            ])
            try #require(outcome.code == 0, "\(name): \(outcome.errors)")
            #expect(try Self.objects(of: output) == Self.plain(example.expected), "\(name)")
        }
    }

    /// The objects of a file, in the words of the cases.
    private static func objects(of path: String) throws -> NSDictionary {
        let realm = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let objects = (realm as? [String: Any])?["objects"] as? [String: [[String: Any]]] ?? [:]
        return NSDictionary(
            dictionary: objects.filter { !$0.value.isEmpty }.mapValues { all in
                all.map { $0.filter { $0.key != "_key" } }
            })
    }

    private static func plain(_ text: String) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
}
