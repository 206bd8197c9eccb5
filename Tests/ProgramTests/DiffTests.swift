import Foundation
import RealmJSON
import Testing

@Suite struct `Differences of two realms` {
    private let dogs = """
        {"schemaVersion": 0, "schema": [{"name": "Dog", "properties": {"name": "string"}}],
         "objects": {"Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}]}}
        """
    /// The same dogs, with a class that has a primary key and one that has none.
    private let more = """
        {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string"}},
            {"name": "Cat", "primaryKey": "tag", "properties": {"tag": "string"}},
            {"name": "Bird", "properties": {"wings": "int"}}],
         "objects": {"Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}],
            "Cat": [{"tag": "Tom"}], "Bird": [{"_key": 0, "wings": 2}, {"_key": 3, "wings": 2}]}}
        """

    @Test func `lists the objects that differ, and their values when asked to`() throws {
        let folder = try TemporaryFolder()
        let before = try folder.file("a.json", dogs)
        let after = try folder.file(
            "b.json", dogs.replacing("Fido", with: "Bello").replacing("_key\": 0", with: "_key\": 4"))
        let runs = try [[], ["--objects"], ["--values"], ["--objects", "--json"], ["--values", "--json"]].map {
            try BuiltProgram.run(["diff", before, after] + $0)
        }
        #expect(runs.map(\.status) == [0, 0, 0, 0, 0])
        #expect(runs[0].output == "no difference in schema and counts\n")
        let total = "Dog: 1 differ, 1 in A alone, 1 in B alone\n"
        #expect(runs[1].output == "Dog 0: in A alone\nDog 1: name\nDog 4: in B alone\n" + total)
        #expect(
            runs[2].output
                == "Dog 0: in A alone\nDog 1:\n    name: \"Fido\" → \"Bello\"\nDog 4: in B alone\n" + total)
        for (run, hasValues) in zip(runs[3...], [false, true]) {
            let json = try JSONValue.parse(Array(run.output.utf8))
            #expect(json["objectCounts"]?["Dog"]?["to"] == 2)
            #expect(
                json["objectDifferences"]?["Dog"] == ["identity": "objectKey", "changed": 1, "removed": 1, "added": 1])
            let objects = try #require(json["objects"]?.elements)
            #expect(objects.compactMap { $0["change"]?.string } == ["removed", "changed", "added"])
            #expect(objects[1]["properties"] == ["name"])
            #expect(objects[1]["to"] == (hasValues ? ["name": "Bello"] : nil))
            #expect(run.output.contains("Fido") == hasValues)
        }
        #expect(try BuiltProgram.run(["diff", before, before, "--objects"]).output == "no difference\n")
    }

    /// The file has them in the order of its tables.
    @Test func `finds none where a set links to several classes`() throws {
        let folder = try TemporaryFolder()
        let source = try folder.file(
            "a.json",
            """
            {"schemaVersion": 1, "schema": [{"name": "Person", "properties": {"s": "mixed<>"}},
                {"name": "Dog", "properties": {"a": "int"}}],
             "objects": {"Person": [{"_key": 5, "s": [{"$ref": "Person", "$id": 5}, {"$ref": "Dog", "$id": 1}, null]}],
                "Dog": [{"_key": 1, "a": 1}]}}
            """)
        for file in ["a.realm", "a.csv.zip"] {
            #expect(try BuiltProgram.run(["convert", source, file, "--quiet"], in: folder.url).status == 0)
        }
        for command in [["diff", source, "a.realm", "--objects"], ["verify", "a.csv.zip", "--against", "a.realm"]] {
            let outcome = try BuiltProgram.run(command, in: folder.url)
            #expect(outcome.status == 0 && outcome.output == "no difference\n", "\(outcome.output)")
        }
    }

    @Test(arguments: [true, false])
    func `lists the objects of classes that one side alone has`(isLeft: Bool) throws {
        let folder = try TemporaryFolder()
        let files = [try folder.file("dogs.json", dogs), try folder.file("more.json", more)]
        let arguments = ["diff"] + (isLeft ? files.reversed() : files)
        let (side, kind) = isLeft ? ("A", "removed") : ("B", "added")
        let text = try BuiltProgram.run(arguments + ["--objects"]).output.split(separator: "\n").map(String.init)
        let counts = { (count: Int) in
            isLeft ? "\(count) in A alone, 0 in B alone" : "0 in A alone, \(count) in B alone"
        }
        #expect(
            text.suffix(5) == [
                "Bird 0: in \(side) alone", "Bird 3: in \(side) alone", "Bird: 0 differ, \(counts(2))",
                "Cat \"Tom\": in \(side) alone", "Cat: 0 differ, \(counts(1))",
            ])
        let json = try JSONValue.parse(Array(try BuiltProgram.run(arguments + ["--objects", "--json"]).output.utf8))
        #expect(
            json["objects"] == [
                ["class": "Bird", "key": 0, "change": .string(kind)],
                ["class": "Bird", "key": 3, "change": .string(kind)],
                ["class": "Cat", "key": "Tom", "change": .string(kind)],
            ])
        #expect(json["objectDifferences"]?["Cat"]?["identity"] == "primaryKey")
    }

    @Test(arguments: [[], ["--objects"], ["--values"], ["--json"], ["--objects", "--json"]])
    func `says by its exit code whether realms differ, when asked to`(options: [String]) throws {
        let folder = try TemporaryFolder()
        let before = try folder.file("a.json", dogs)
        // The same schema and counts: objects alone differ.
        let after = try folder.file("b.json", dogs.replacing("Fido", with: "Bello"))
        let schema = try folder.file("c.json", dogs.replacing(#""schemaVersion": 0"#, with: #""schemaVersion": 7"#))
        let broken = try folder.file("d.json", String(dogs.dropLast(9)))
        func status(_ other: String, _ option: [String]) throws -> Int32 {
            try BuiltProgram.run(["diff", before, other] + options + option).status
        }
        #expect(try [before, after, schema, broken].map { try status($0, ["--exit-code"]) } == [0, 1, 1, 2])
        #expect(try [before, after, schema, broken].map { try status($0, []) } == [0, 0, 0, 1])
        #expect(try status(folder.path("nowhere.json"), ["--exit-code"]) == 2)
    }

    @Test func `shows how many objects differ, where only that was asked for`() throws {
        let folder = try TemporaryFolder()
        let arguments = [
            "diff", try folder.file("a.json", dogs),
            try folder.file("b.json", dogs.replacing("Fido", with: "Bello")), "--exit-code",
        ]
        #expect(try BuiltProgram.run(arguments).output == "Dog: 1 differ, 0 in A alone, 0 in B alone\n")
        let json = try JSONValue.parse(Array(try BuiltProgram.run(arguments + ["--json"]).output.utf8))
        #expect(json["objects"] == nil)
        #expect(json["objectDifferences"]?["Dog"]?["changed"] == 1)
    }
}
