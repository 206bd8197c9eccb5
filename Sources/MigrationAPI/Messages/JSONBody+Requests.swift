import Columns
import HTTPServer
import RealmJSON
import RealmModel

extension JSONBody {
    /// Bytes of memory that a byte of a document takes, with all that is made of it, at the most.
    private static let memoryPerByte = 128

    /// The JSON document of a request; an empty body is an empty object where that is allowed.
    ///
    /// - Throws: `WorkBudget.Excess` where the request may not hold what the document takes.
    static func document(of request: APIRequest, emptyIsObject: Bool = false) throws -> JSONValue {
        let bytes = request.whole?.bytes ?? []
        if bytes.isEmpty && emptyIsObject { return .object([]) }
        try requireJSON(request)
        try WorkBudget.hold(bytes.count * memoryPerByte)
        return try JSONValue.parse(bytes)
    }

    /// Refuses a body that says to be no JSON.
    static func requireJSON(_ request: APIRequest) throws(APIError) {
        if let type = request.head.fields["Content-Type"], MediaType.parse(type) != MediaType.json {
            throw .unsupportedMediaType(accepted: [MediaType.json])
        }
    }

    /// Refuses a body that says anything: it may be empty, or an empty object.
    static func requireNone(_ request: APIRequest) throws {
        _ = try JSONBody(try document(of: request, emptyIsObject: true), members: [])
    }

    /// A schema of the form that Realm's SDK has, or of the Swift model classes in `{"swift": [{"name", "text"}]}`; not validated.
    func schema(_ name: String) throws -> Schema? {
        try member(name).map { value in
            guard let program = try SwiftMembers.schema(value, at: pointer(to: name)) else {
                return try SchemaJSON.decode(value, at: pointer(to: name))
            }
            return try SwiftMembers.schema(of: program, at: pointer(to: name) + "/swift")
        }
    }
}
