import RealmJSON
import RealmModel

/// Why a job failed: the members of a problem document (RFC 9457) that do not depend on HTTP.
public struct JobProblem: Hashable, Sendable {
    /// The stable code, in snake_case.
    public var code: String
    /// Realm's name of the error, where it has one.
    public var realmCode: String?
    /// The whole message, Realm's own text where there is one.
    public var detail: String
    /// The single things that are wrong.
    public var errors: [ProblemItem]
    /// The frames of the user's script where it threw, innermost first.
    public var stack: [String]
    /// The objects of the enumeration that were done before the script threw; nil outside of any.
    public var objectsDone: Int?

    /// Describes a failure.
    public init(
        code: String, realmCode: String? = nil, detail: String, errors: [ProblemItem] = [], stack: [String] = [],
        objectsDone: Int? = nil
    ) {
        self.code = code
        self.realmCode = realmCode
        self.detail = detail
        self.errors = errors
        self.stack = stack
        self.objectsDone = objectsDone
    }
}

extension JobProblem {
    /// The problem as the column `problem` holds it.
    var json: JSONValue {
        .object([
            JSONMember("code", .string(code)), JSONMember("realmCode", realmCode.map { .string($0) } ?? .null),
            JSONMember("detail", .string(detail)), JSONMember("errors", .array(errors.map(\.json))),
            JSONMember("stack", .array(stack.map { .string($0) })),
            JSONMember("objectsDone", objectsDone.map { .int(Int64($0)) } ?? .null),
        ])
    }

    /// Reads a problem back; what an older program did not write is empty.
    ///
    /// - Throws: `InputError` where it is none.
    init(json: JSONValue) throws(InputError) {
        guard let code = json["code"]?.string, let detail = json["detail"]?.string else {
            throw InputError(.malformedDocument, "A problem needs its code and its detail.")
        }
        var errors: [ProblemItem] = []
        for item in json["errors"]?.elements ?? [] { errors.append(try ProblemItem(json: item)) }
        self.init(
            code: code, realmCode: json["realmCode"]?.string, detail: detail, errors: errors,
            stack: json["stack"]?.elements?.compactMap(\.string) ?? [],
            objectsDone: json["objectsDone"]?.int.map { Int($0) })
    }
}
