import RealmFormats
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `The description of the API` {
    private let server: APIServer
    private let document: JSONValue

    init() throws {
        server = try APIServer()
        document = try server.client().request("GET", "/openapi.json").json
    }

    /// Each operation: its path and method, with what is described of it.
    private var operations: [(place: String, value: JSONValue)] {
        (document["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).filter { $0.name != "parameters" }
                .map { ("\($0.name.uppercased()) \(path.name)", $0.value) }
        }
    }

    private func resolved(_ value: JSONValue) -> JSONValue {
        guard let parts = value["$ref"]?.string?.split(separator: "/").dropFirst() else { return value }
        return parts.reduce(document) { $0[String($1)] ?? .null }
    }

    @Test func `lists exactly the operations that there are, and their query parameters`() throws {
        #expect(document["openapi"] == "3.1.0")
        let described = operations.map { place, operation in
            let query = (operation["parameters"]?.elements ?? []).map(resolved).filter { $0["in"] == "query" }
                .compactMap { $0["name"]?.string }
            return "\(place) \(operation["operationId"]?.string ?? "") \(query.sorted())"
        }
        let known = server.api.operations.map { "\($0.method) \($0.path) \($0.name) \($0.query.sorted())" }
        #expect(described.sorted() == known.sorted())
        for path in document["paths"]?.members ?? [] {
            #expect(path.value["parameters"]?.elements?.allSatisfy { $0["in"] != "query" } != false, "\(path.name)")
        }
    }

    @Test func `has every format of the table, and one that is added`() throws {
        let csv = RealmFormat("csv", mediaType: "text/csv")
        for more in [[RealmFormat](), [csv]] {
            let bytes = OpenAPI.document(
                of: server.api.routes, readable: RealmFormat.readable + more, writable: RealmFormat.writable + more)
            let paths = try #require(try JSONValue.parse(bytes)["paths"])
            let upload = paths["/v1/apps/{app}/realms/{realm}/snapshots"]?["post"]?["requestBody"]?["content"]
            let download = paths["/v1/snapshots/{snapshot}/content"]?["get"]?["responses"]?["200"]?["content"]
            for (content, formats) in [(upload, RealmFormat.readable), (download, RealmFormat.writable)] {
                let types = (formats + more).flatMap { [$0.mediaType] + [$0.classFile?.mediaType].compactMap(\.self) }
                #expect(Set(content?.members?.map(\.name) ?? []) == Set(types))
            }
        }
    }

    @Test func `says of each operation which scopes it takes, and whether tokens may ask for it`() throws {
        for route in server.api.routes {
            let operation = document["paths"]?[route.path.text]?[route.method.lowercased()]
            let security = try #require(operation?["security"]?.elements, "\(route.operation)")
            let enough: [JSONValue] =
                switch route.requirement {
                case .noKey: []
                case .anyKey: [[]]
                case .scope(let scope): [[.string(scope.rawValue)]]
                case .deviceOr(let scope): [[.string(scope.rawValue)], ["device"]]
                }
            let told = security.compactMap { $0.members?.first?.value }
            #expect(told.allSatisfy(enough.contains) && enough.allSatisfy(told.contains), "\(route.operation)")
            #expect(security.contains { $0["token"] != nil } == (route.tokens != .refused), "\(route.operation)")
        }
    }

    // MARK: Descriptions

    /// The places in a schema that lack a description: each of its members, unless it names a schema that has one.
    private func undescribed(in schema: JSONValue, at place: String) -> [String] {
        let members = (schema["properties"]?.members ?? []).flatMap { member -> [String] in
            let place = "\(place).\(member.name)"
            let text = member.value["description"]?.string ?? resolved(member.value)["description"]?.string
            return (text?.isEmpty == false ? [] : [place]) + undescribed(in: member.value, at: place)
        }
        let inner = ["items", "additionalProperties"].compactMap { schema[$0] }
        // The alternatives of an object say which of its members go together, and describe none of their own.
        let alternatives = schema["properties"] == nil ? ["oneOf", "anyOf"].flatMap { schema[$0]?.elements ?? [] } : []
        return members + (inner + alternatives).flatMap { undescribed(in: $0, at: place) }
    }

    private func undescribed(inContentOf value: JSONValue?, at place: String) -> [String] {
        (value?["content"]?.members ?? []).flatMap { undescribed(in: $0.value["schema"] ?? .null, at: place) }
    }

    private func lacksDescription(_ value: JSONValue) -> Bool {
        resolved(value)["description"]?.string?.isEmpty != false
    }

    private func undescribed(inOperation operation: JSONValue, at place: String) -> [String] {
        let texts = ["summary", "description"].filter { operation[$0]?.string?.isEmpty != false }
        let parameters = (operation["parameters"]?.elements ?? []).filter(lacksDescription)
            .map { $0["name"]?.string ?? "" }
        let answers = (operation["responses"]?.members ?? []).flatMap { answer -> [String] in
            let fields = (answer.value["headers"]?.members ?? []).filter { lacksDescription($0.value) }.map(\.name)
            let lacking = lacksDescription(answer.value) ? [answer.name] : []
            return (lacking + fields).map { "\(place) \($0)" }
                + undescribed(inContentOf: answer.value, at: "\(place) \(answer.name)")
        }
        return (texts + parameters).map { "\(place) \($0)" }
            + undescribed(inContentOf: operation["requestBody"], at: "\(place) body") + answers
    }

    @Test func `describes every operation, parameter, answer and member`() {
        var lacking = operations.flatMap { undescribed(inOperation: $0.value, at: $0.place) }
        for path in document["paths"]?.members ?? [] {
            let parameters = path.value["parameters"]?.elements ?? []
            lacking += parameters.filter(lacksDescription).map { "\(path.name) \($0["name"]?.string ?? "")" }
        }
        for schema in document["components"]?["schemas"]?.members ?? [] {
            lacking += lacksDescription(schema.value) ? [schema.name] : []
            lacking += undescribed(in: schema.value, at: schema.name)
        }
        #expect(lacking.isEmpty, "Without a description, in OpenAPI/Parts: \(lacking)")
    }

    @Test func `shows an example of every request that has members`() {
        for (place, operation) in operations {
            let body = operation["requestBody"]?["content"]?["application/json"]
            guard let body, resolved(body["schema"] ?? .null)["properties"]?.members?.isEmpty == false else { continue }
            #expect(body["example"] != nil, "\(place) has no example of its body")
        }
    }

    @Test func `shows an example of every stream of events`() {
        for (place, operation) in operations {
            for answer in operation["responses"]?.members ?? [] {
                guard let stream = answer.value["content"]?["text/event-stream"] else { continue }
                #expect(stream["example"]?.string?.contains("data: ") == true, "\(place) has no example of an event")
            }
        }
    }
}
