import Foundation
import RealmJSON
import RealmModel
import TestHTTP
import Testing

@testable import MigrationAPI

/// Point 15: what a client can make large is refused before the work that it would be.
struct SchemaLimitTests {
    enum Place: CaseIterable, Sendable {
        case declaration
        case difference
        case job
        case upload
    }

    private static func schema(classes: Int, properties: Int) -> JSONValue {
        let members = (0..<properties).map { JSONMember("p\($0)", "int") }
        return .array((0..<classes).map { ["name": .string("C\($0)"), "properties": .object(members)] })
    }

    private func send(_ schema: JSONValue, as place: Place, to server: APIServer) throws -> SocketResponse {
        switch place {
        case .declaration: try server.send("PUT", "/v1/apps/shop/schemas/9", ["schema": schema])
        case .difference: try server.send("POST", "/v1/schema-diffs", ["from": [], "to": schema])
        case .job:
            try server.send(
                "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 9, "schema": schema])
        case .upload: try server.upload(JSONValue.object([JSONMember("schema", schema)]).encoded())
        }
    }

    @Test(arguments: Place.allCases)
    func `a schema of too many classes or properties is refused, and the limit named`(place: Place) throws {
        let server = try APIServer(documentLimit: 16 << 20)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        for (classes, properties, limit) in [(SchemaLimit.classCount + 1, 0, "4096"), (2, 32_768, "65535")] {
            let started = ContinuousClock.now
            let response = try send(Self.schema(classes: classes, properties: properties), as: place, to: server)
            #expect(response.status == 422)
            #expect(response.problem == "too_large")
            #expect(response.json["detail"]?.string?.contains(limit) == true)
            #expect(response.json["errors"]?.elements?.first?["pointer"]?.string?.isEmpty == false)
            #expect(ContinuousClock.now - started < .seconds(30))
        }
    }

    @Test func `linking objects by the ten thousand are a moment's work`() throws {
        let server = try APIServer(documentLimit: 16 << 20)
        let links = (0..<10_000).flatMap { number in
            [
                JSONMember("p\(number)", "A?"),
                JSONMember(
                    "l\(number)",
                    ["type": "linkingObjects", "objectType": "A", "property": .string("p\(number)")]),
            ]
        }
        let schema: JSONValue = [["name": "A", "properties": .object(links)]]
        let started = ContinuousClock.now
        let response = try server.send("POST", "/v1/schema-diffs", ["from": [], "to": schema])
        #expect(response.status == 200)
        #expect(ContinuousClock.now - started < .seconds(60))
    }

    @Test func `a migration of too many renames is refused, and the limit named`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let renames = (0...SchemaLimit.renameCount).map { number -> JSONValue in
            ["class": "A", "from": .string("a\(number)"), "to": .string("a\(number + 1)")]
        }
        let response = try server.send(
            "PUT", "/v1/apps/shop/schemas/1", ["schema": [], "migration": ["renames": .array(renames)]])
        #expect(response.problem == "too_large")
        #expect(response.json["errors"]?.elements?.first?["pointer"] == "/migration/renames")
    }
}
