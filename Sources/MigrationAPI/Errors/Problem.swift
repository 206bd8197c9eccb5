import HTTPServer
import RealmJSON
import RealmModel

/// A problem document (RFC 9457).
struct Problem: Hashable, Sendable {
    /// The most single things that one problem lists of what a client may send without end.
    static let longestList = 20

    /// The status code, 400…599.
    var status: Int
    /// The stable name, in snake_case.
    var code: String
    /// What happened, in sentences without values of objects.
    var detail: String
    /// Realm's name of the error, where it has one.
    var realmCode: String?
    /// The single things that are wrong.
    var errors: [ProblemItem]
    /// The frames of the user's script where it threw, innermost first.
    var stack: [String]
    /// The objects of the enumeration that were done before the script threw; nil outside of any.
    var objectsDone: Int?
    /// Fields that the response has beside its type.
    var fields: HTTPFields

    init(
        _ status: Int, _ code: String, _ detail: String, realmCode: String? = nil, errors: [ProblemItem] = [],
        stack: [String] = [], objectsDone: Int? = nil, fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.realmCode = realmCode
        self.errors = errors
        self.stack = stack
        self.objectsDone = objectsDone
        self.fields = fields
    }

    /// The document.
    ///
    /// - Parameter instance: the path of the request; nil for a problem that is part of another document.
    func json(instance: String?) -> JSONValue {
        var members = [
            JSONMember("type", .string("urn:realmshift:problem:\(code)")), JSONMember("title", .string(title)),
            JSONMember("status", .int(Int64(status))), JSONMember("detail", .string(detail)),
        ]
        if let instance { members.append(JSONMember("instance", .string(instance))) }
        members.append(JSONMember("code", .string(code)))
        if let realmCode { members.append(JSONMember("realmCode", .string(realmCode))) }
        if !errors.isEmpty { members.append(JSONMember("errors", .array(errors.map(\.json)))) }
        if !stack.isEmpty { members.append(JSONMember("stack", .array(stack.map { .string($0) }))) }
        if let objectsDone { members.append(JSONMember("objectsDone", .int(Int64(objectsDone)))) }
        return .object(members)
    }

    /// The response.
    func response(instance: String) -> HTTPResponse {
        var fields: HTTPFields = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
        for line in self.fields.lines { fields.append(line.name, line.value) }
        return HTTPResponse(
            status: status, fields: fields, body: .bytes(json(instance: instance).encoded() + [UInt8(ascii: "\n")]))
    }

    /// The code in words: the same for every problem of its type (RFC 9457, section 3.1.3).
    private var title: String {
        let words = code.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
