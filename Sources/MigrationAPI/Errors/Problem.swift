import HTTPServer
import RealmJSON

/// A problem document (RFC 9457).
struct Problem: Hashable, Sendable {
    /// One thing that is wrong, and where.
    struct Item: Hashable, Sendable {
        var pointer: String?
        var className: String?
        var property: String?
        var key: Int64?
        var line: Int?
        var column: Int?
        var message: String

        init(
            _ message: String, pointer: String? = nil, className: String? = nil, property: String? = nil,
            key: Int64? = nil, line: Int? = nil, column: Int? = nil
        ) {
            self.message = message
            self.pointer = pointer
            self.className = className
            self.property = property
            self.key = key
            self.line = line
            self.column = column
        }
    }

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
    var errors: [Item]
    /// Fields that the response has beside its type.
    var fields: HTTPFields

    init(
        _ status: Int, _ code: String, _ detail: String, realmCode: String? = nil, errors: [Item] = [],
        fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.realmCode = realmCode
        self.errors = errors
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

extension Problem.Item {
    var json: JSONValue {
        var members: [JSONMember] = []
        if let pointer { members.append(JSONMember("pointer", .string(pointer))) }
        if let className { members.append(JSONMember("class", .string(className))) }
        if let property { members.append(JSONMember("property", .string(property))) }
        if let key { members.append(JSONMember("key", .int(key))) }
        if let line { members.append(JSONMember("line", .int(Int64(line)))) }
        if let column { members.append(JSONMember("column", .int(Int64(column)))) }
        members.append(JSONMember("message", .string(message)))
        return .object(members)
    }
}
