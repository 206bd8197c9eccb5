import Foundation
import Testing

/// `realmshift verify` of exports that are files: a changed byte never passes.
@Suite struct `Exports compared with their realm` {
    @Test(arguments: ["csv", "parquet", "ejson"])
    func `name the file in the archive that is not the realm's`(format: String) throws {
        let folder = try TemporaryFolder()
        let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
        let name = "people.\(format).zip"
        #expect(try BuiltProgram.run(["convert", example, name, "--quiet"], in: folder.url).status == 0)
        let same = try BuiltProgram.run(["verify", name, "--against", example], in: folder.url)
        #expect(same.status == 0 && same.output == "no difference\n", "\(same.error)")

        let url = URL(fileURLWithPath: folder.path(name))
        let whole = try Data(contentsOf: url)
        for (bytes, place) in [
            (changed(whole, at: 80), "User.\(format)"), (whole + [0], name), (whole.dropLast(), name),
        ] {
            try bytes.write(to: url)
            let other = try BuiltProgram.run(["verify", name, "--against", example], in: folder.url)
            #expect(other.status == 1)
            #expect(
                other.output.hasPrefix("\(place): other bytes than the realm gives")
                    || place == name && other.output.hasPrefix("manifest.json: other bytes"), "\(other.output)")
        }
    }

    private func changed(_ data: Data, at offset: Int) -> Data {
        var data = data
        data[data.startIndex + offset] ^= 1
        return data
    }

    @Test func `say which formats there are`() throws {
        let outcome = try BuiltProgram.run(["verify", "a.realm", "--against", "b.realm"])
        #expect(outcome.status == 2)
        #expect(
            outcome.error.contains(
                "a.realm ends as realm does, which verify does not take here; give --to sqlite, sql, csv, parquet or ejson."
            ))
    }
}

/// Exports of the same values that stand in another order, or under other keys of embedded objects.
@Suite struct `Exports of what a realm has in another order` {
    private static func document(_ classes: [String], order: String) -> String {
        """
        {"schemaVersion": 1, "schema": [\(classes.joined(separator: ","))],
         "objects": {"B": [{"_key": 0, \(order == "vw" ? #""v": 1, "w": "x""# : #""w": "x", "v": 1"#)}], "A": []}}
        """
    }

    @Test func `have no difference in SQLite, and may have other bytes elsewhere`() throws {
        let folder = try TemporaryFolder()
        let a = #"{"name": "A", "properties": {"n": "int"}}"#
        let one = Self.document([a, #"{"name": "B", "properties": {"v": "int", "w": "string"}}"#], order: "vw")
        let other = Self.document([#"{"name": "B", "properties": {"w": "string", "v": "int"}}"#, a], order: "wv")
        let (first, second) = (try folder.file("one.json", one), try folder.file("other.json", other))
        for name in ["one.sqlite", "one.csv.zip"] {
            #expect(try BuiltProgram.run(["convert", first, name, "--quiet"], in: folder.url).status == 0)
        }
        let same = try BuiltProgram.run(["verify", "one.sqlite", "--against", second], in: folder.url)
        #expect(same.status == 0 && same.output == "no difference\n", "\(same.output)\(same.error)")
        let bytes = try BuiltProgram.run(["verify", "one.csv.zip", "--against", second], in: folder.url)
        #expect(bytes.status == 1 && bytes.output.contains("stand in another order"), "\(bytes.output)")
    }

    @Test func `have no difference where keys of embedded objects have gaps, and have one where their values differ`()
        throws
    {
        let folder = try TemporaryFolder()
        func schema(_ version: Int) -> String {
            """
            {"schemaVersion": \(version), "schema": [
              {"name": "Person", "properties": {"name": "string", "home": "Home", "homes": "Home[]"}},
              {"name": "Home", "embedded": true, "properties": {"street": "string", "rooms": "Room[]"}},
              {"name": "Room", "embedded": true, "properties": {"size": "int"}}]
            """
        }
        let objects = """
            , "objects": {"Person": [\((0..<6).map { n in
                #"{"_key": \#(n), "name": "p\#(n)", "home": {"street": "s\#(n)", "rooms": [{"size": \#(n)}, {"size": 9}]}, "homes": [{"street": "t", "rooms": [{"size": 3}]}]}"#
            }.joined(separator: ","))]}}
            """
        let script = """
            function migrate(m) {
              m.enumerateObjects("Person", (o, n) => {
                if (o.name === "p1" || o.name === "p3") n.home = {street: "new " + o.name, rooms: [{size: 70}]};
                if (o.name === "p4") n.homes = [];
              });
            }
            """
        _ = try folder.file("1.json", schema(1) + objects)
        _ = try folder.file("2.json", schema(2) + "}")
        _ = try folder.file("s.js", script)
        func run(_ words: String...) throws -> BuiltProgram.Outcome { try BuiltProgram.run(words, in: folder.url) }
        let migrated = try run(
            "migrate", "1.json", "--output", "m.realm", "--schema", "2.json", "--script", "s.js", "--quiet")
        #expect(migrated.status == 0, "\(migrated.error)")
        #expect(try run("convert", "m.realm", "m.json", "--quiet").status == 0)
        #expect(try run("convert", "m.realm", "m.sqlite", "--quiet").status == 0)
        for realm in ["m.realm", "m.json"] {
            let same = try run("verify", "m.sqlite", "--against", realm)
            #expect(same.status == 0 && same.output == "no difference\n", "\(realm): \(same.output)\(same.error)")
        }
        let text = try String(contentsOfFile: folder.path("m.json"), encoding: .utf8)
        for (old, new, place) in [
            ("new p3", "new p5", "Home.street"), (#""size":70"#, #""size":71"#, "Room.size"),
        ] {
            _ = try folder.file("changed.json", text.replacing(old, with: new, maxReplacements: 1))
            let other = try run("verify", "m.sqlite", "--against", "changed.json")
            #expect(other.status == 1 && other.output.contains("\(place): another value in 1 row"), "\(other.output)")
        }
    }
}
