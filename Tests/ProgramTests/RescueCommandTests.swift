import Foundation
import RealmJSON
import Testing

/// `realmshift rescue`: what comes back, what is said of it, and how it ends.
@Suite struct `Rescues on the command line` {
    /// A copy of an example without its reference to all that is in it.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var bytes = try Data(contentsOf: BuiltProgram.root.appendingPathComponent("examples/people.realm"))
        bytes.replaceSubrange(8..<16, with: Data("torn off".utf8))
        try bytes.write(to: URL(fileURLWithPath: folder.path("broken.realm")))
        return folder
    }

    @Test func `gives in any format what is there, and says so`() throws {
        let folder = try makeFolder()
        #expect(try BuiltProgram.run(["convert", "broken.realm", "never.json"], in: folder.url).status == 1)
        for name in ["saved.realm", "saved.json", "saved.ndjson"] {
            let outcome = try BuiltProgram.run(["rescue", "broken.realm", name], in: folder.url)
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.hasPrefix("realmshift: rescued broken.realm to \(name): schema version 2, 2 objects"))
            #expect(outcome.error.contains("User: 2 of 2 objects"), "\(outcome.error)")
            #expect(!outcome.error.contains("Lovelace"))
        }
        let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
        let difference = try BuiltProgram.run(["diff", example, "saved.realm", "--exit-code"], in: folder.url)
        #expect(difference.status == 0, "\(difference.output)")
    }

    @Test func `reports as JSON, and also where it is to be quiet`() throws {
        let folder = try makeFolder()
        let outcome = try BuiltProgram.run(
            ["rescue", "broken.realm", "-", "--to", "json", "--json", "--quiet"], in: folder.url)
        #expect(outcome.status == 0)
        let report = try #require(try JSONValue.parse(Array(outcome.error.utf8))["rescue"])
        #expect(report["whole"] == false)
        #expect(report["objectsRead"] == 2 && report["objectsLost"] == 0)
        #expect(report["classes"]?.elements?.first?["read"] == 2)
        #expect(try JSONValue.parse(Array(outcome.output.utf8))["schemaVersion"] == 2)
    }

    @Test func `does not say that nothing is lost where the file's own state is`() throws {
        let folder = try TemporaryFolder()
        var bytes = try Data(contentsOf: BuiltProgram.root.appendingPathComponent("examples/people.realm"))
        let top = bytes[8..<16].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        // The number of the transaction, and all behind it.
        bytes.replaceSubrange(top + 8 + 6 * 4..<top + 8 + 11 * 4, with: Data(count: 5 * 4))
        try bytes.write(to: URL(fileURLWithPath: folder.path("people.realm")))
        let outcome = try BuiltProgram.run(["rescue", "people.realm", "saved.json"], in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.error.contains("an unknown transaction"), "\(outcome.error)")
        #expect(outcome.error.contains("the file's own state can't be read whole"), "\(outcome.error)")
        #expect(!outcome.error.contains("nothing is lost"), "\(outcome.error)")
    }

    @Test func `ends with 1 where nothing is found, and writes nothing`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("noise.realm", String(repeating: "no realm ", count: 1000))
        let outcome = try BuiltProgram.run(["rescue", "noise.realm", "out.json"], in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("realmshift: noise.realm: The file is no Realm file"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.json")))
    }

    @Test func `does not advise a rescue where it found nothing`() throws {
        let folder = try TemporaryFolder()
        var bytes = try Data(contentsOf: BuiltProgram.root.appendingPathComponent("examples/people.realm"))
        bytes.replaceSubrange(24..., with: Data(repeating: 7, count: bytes.count - 24))
        try bytes.write(to: URL(fileURLWithPath: folder.path("people.realm")))
        let outcome = try BuiltProgram.run(["rescue", "people.realm", "saved.json"], in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("look for another copy"), "\(outcome.error)")
        #expect(!outcome.error.contains("realmshift rescue"), "\(outcome.error)")
    }
}
