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
        #expect(outcome.error.contains("a.realm: unknown ending; give --to sqlite, sql, csv, parquet or ejson."))
    }
}
