import AccessStore
import CEmbeddedFiles
import Problems
import RealmFormats
import RealmJSON

/// The description of the API, an OpenAPI 3.1 document.
///
/// The files in `Parts` describe the operations by topic: summaries, bodies, answers. The table of routes knows the rest, and the
/// document takes it from there: the parameters in paths, those of pages, scopes and tokens, `Idempotency-Key`, and the problems that
/// every operation of a kind may answer with. The tables of formats and of problems' codes add those that no file describes.
enum OpenAPI {
    /// The document of an API with these routes.
    static func document(
        of routes: [APIRoute], readable: [RealmFormat] = RealmFormat.readable,
        writable: [RealmFormat] = RealmFormat.writable
    ) -> [UInt8] {
        var document = parts[0]
        let components = document["components"]?.members ?? []
        let schemas =
            (document["components"]?["schemas"]?.members ?? []) + described("schemas")
            + [JSONMember("ProblemCode", problemCodes)]
        document.set("components", .object(components).setting("schemas", .object(schemas)))
        let inPaths = document["pathParameters"]
        document.remove("pathParameters")
        let uploads = ["/v1/apps/{app}/realms/{realm}/snapshots", "post", "requestBody", "content"]
        let downloads = ["/v1/snapshots/{snapshot}/content", "get", "responses", "200", "content"]
        let paths = JSONValue.object(
            described("paths").map { path in
                JSONMember(path.name, item(path.value, routes.filter { $0.path.text == path.name }, inPaths))
            })
        document.set(
            "paths", paths.adding(readable, at: uploads[...]).adding(writable, at: downloads[...]))
        return document.encoded()
    }

    /// The files, the one that all others add to first.
    private static let parts: [JSONValue] = {
        var parts: [JSONValue] = []
        while let file = openapi_part(parts.count)?.pointee {
            guard let part = try? JSONValue.parse([UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count)))
            else {
                preconditionFailure(
                    "The part of the description that \(String(cString: file.name)).json has is no JSON.")
            }
            parts.append(part)
        }
        return parts
    }()

    /// The schema of the codes of problems, each with its title and description.
    private static var problemCodes: JSONValue {
        let codes = ProblemCode.allCases.map { code -> JSONValue in
            [
                "const": .string(code.rawValue), "title": .string(code.title),
                "description": .string(
                    "\(code.statuses.map(String.init).joined(separator: ", ")): \(code.meaning) \(code.remedy)"),
            ]
        }
        return ["type": "string", "oneOf": .array(codes), "description": "The problem's kind, for programs."]
    }

    private static func described(_ member: String) -> [JSONMember] {
        parts.flatMap { $0[member]?.members ?? [] }
    }

    /// The description of a path, with the parameters that it names.
    private static func item(_ written: JSONValue, _ routes: [APIRoute], _ inPaths: JSONValue?) -> JSONValue {
        var item = written
        for route in routes {
            let method = route.method.lowercased()
            if let operation = written[method] { item.set(method, route.describing(operation)) }
        }
        let parameters = (routes.first?.path.parameterNames ?? []).compactMap { inPaths?[$0] }
        return parameters.isEmpty
            ? item : .object([JSONMember("parameters", .array(parameters))] + (item.members ?? []))
    }
}

extension APIRoute {
    /// The description of the operation with all that the table of routes says of it.
    fileprivate func describing(_ written: JSONValue) -> JSONValue {
        var operation = written
        let own = written["parameters"]?.elements ?? []
        let names = own.compactMap { $0["name"]?.string }
        let ofPages = [String].page.filter { query.contains($0) && !names.contains($0) }
        let more = ofPages + (method == "POST" && changes ? ["IdempotencyKey"] : [])
        let parameters = own + more.map { JSONValue.reference("parameters", $0) }
        if !parameters.isEmpty { operation.set("parameters", .array(parameters)) }
        operation.set("security", security)
        let answers = written["responses"]?.members ?? []
        operation.set(
            "responses", .object(answers + problems.filter { problem in !answers.contains { $0.name == problem.name } })
        )
        return operation
    }

    /// The credentials that it takes, each with a scope that is enough.
    private var security: JSONValue {
        let enough: [[KeyScope]]
        switch requirement {
        case .noKey: return .array([])
        case .anyKey: enough = [[]]
        case .scope(let scope): enough = [[scope]]
        case .deviceOr(let scope): enough = [[scope], [.device]]
        }
        let credentials = ["key", "session"] + (tokens == .refused ? [] : ["token"])
        return .array(
            enough.flatMap { scopes in
                let roles = JSONValue.array(scopes.map { .string($0.rawValue) })
                return credentials.map { JSONValue.object([JSONMember($0, roles)]) }
            })
    }

    /// The problems that every operation of its kind may answer with.
    private var problems: [JSONMember] {
        let ofKeys =
            requirement == .noKey ? [] : [("401", "NoKey"), ("403", "NotPermitted"), ("429", "TooManyRequests")]
        let ofPaths = path.parameterNames.isEmpty ? [] : [("404", "NotFound")]
        return (ofKeys + ofPaths + [("default", "Problem")]).map { JSONMember($0, .reference("responses", $1)) }
    }
}

extension JSONValue {
    fileprivate static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// The object with a member in place of that of its name, or behind all others.
    fileprivate func setting(_ name: String, _ value: JSONValue) -> JSONValue {
        var members = members ?? []
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = value
        } else {
            members.append(JSONMember(name, value))
        }
        return .object(members)
    }

    fileprivate mutating func set(_ name: String, _ value: JSONValue) {
        self = setting(name, value)
    }

    fileprivate mutating func remove(_ name: String) {
        self = .object((members ?? []).filter { $0.name != name })
    }

    /// The value with a description of each format that the object at a path has none of.
    fileprivate func adding(_ formats: [RealmFormat], at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else {
            let missing = formats.filter { self[$0.mediaType] == nil }
            return adding(missing.map { JSONMember($0.mediaType, ["schema": ["type": "string", "format": "binary"]]) })
        }
        return self[name].map { setting(name, $0.adding(formats, at: path.dropFirst())) } ?? self
    }
}
