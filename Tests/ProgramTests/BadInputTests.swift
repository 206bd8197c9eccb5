import Foundation
import RealmJSON
import Testing

/// What the program and the service say of sixty mistakes and more: each time the place, and mostly what to do.
@Suite struct `Bad inputs` {
    private static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "Person", "properties": {"name": "string", "age": "int"}}],
         "objects": {"Person": [{"_key": 0, "name": "x", "age": 1}]}}
        """
    private static let target = """
        {"schemaVersion": 1, "schema": [{"name": "Person", "properties": {"name": "string", "age": "int"}}]}
        """

    @Test func `are sixty and more, of which fifty and more are told what to do`() {
        #expect(BadInput.all.count >= 60)
        #expect(BadInput.all.filter { $0.remedy != nil }.count >= 50)
        #expect(BadInput.all.allSatisfy { !$0.place.isEmpty })
    }

    private func expect(_ text: String, of input: BadInput) {
        #expect(text.contains(input.place), "\(input.name): \(text)")
        if let remedy = input.remedy { #expect(text.contains(remedy), "\(input.name): \(text)") }
    }

    @Test(arguments: BadInput.commands)
    func `of a command line name their place, and what to do`(input: BadInput) throws {
        guard case .command(let arguments) = input.way else { return }
        let folder = try TemporaryFolder()
        _ = try folder.file("in.json", Self.realm)
        _ = try folder.file("t.json", Self.target)
        for (name, text) in input.files { _ = try folder.file(name, text) }
        let outcome = try BuiltProgram.run(arguments, in: folder.url)
        #expect([1, 2].contains(outcome.status), "\(input.name)")
        #expect(outcome.error.hasPrefix("realmshift: "), "\(input.name): \(outcome.error)")
        expect(outcome.error, of: input)
    }

    @Test func `of requests name their place, and what to do`() throws {
        let service = try RunningService()
        #expect(try service.call("PUT", "/v1/apps/notes").status < 300)
        let schema = try JSONValue.parse(Array(Self.target.utf8))["schema"] ?? .null
        #expect(try service.call("PUT", "/v1/apps/notes/schemas/1", ["schema": schema]).status < 300)
        let upload = try service.send(
            "POST", "/v1/apps/notes/realms/grace/snapshots", body: Array(Self.realm.utf8))
        #expect(upload.status < 300)
        let snapshot = try JSONValue.parse(upload.body)["id"]?.string ?? ""
        for input in BadInput.requests {
            guard case .request(let method, let path, let body) = input.way else { continue }
            let answer = try service.send(
                method, path.replacing("{snapshot}", with: snapshot), body: body.map { Array($0.utf8) })
            #expect((400...422).contains(answer.status), "\(input.name)")
            let json = try JSONValue.parse(answer.body)
            #expect(json["code"]?.string?.isEmpty == false && json["remedy"]?.string?.isEmpty == false, "\(input.name)")
            expect(String(decoding: json.encoded(), as: UTF8.self), of: input)
        }
    }
}
