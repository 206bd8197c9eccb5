import RealmJSON
import RealmModel

extension ProblemDocument {
    /// The document.
    ///
    /// - Parameter instance: the path of the request; nil for a problem that answers none.
    public func json(instance: String? = nil) -> JSONValue {
        var members = [
            JSONMember("type", .string("urn:realmshift:problem:\(code)")), JSONMember("title", .string(title)),
            JSONMember("status", .int(Int64(status))), JSONMember("detail", .string(detail)),
        ]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(name, value)) }
        }
        add("instance", instance.map { .string($0) })
        add("code", .string(code))
        add("realmCode", realmCode.map { .string($0) })
        add("errors", errors.isEmpty ? nil : .array(errors.map(\.json)))
        add("stack", stack.isEmpty ? nil : .array(stack.map { .string($0) }))
        add("objectsDone", objectsDone.map { .int(Int64($0)) })
        add("recovery", recovery.map { .string("\($0)") })
        add("file", file.map { .string($0) })
        add("remedy", ProblemCode(rawValue: code).map { .string($0.remedy) })
        return .object(members)
    }

    /// Reads a document back.
    ///
    /// Members that an older program did not write are empty, or as they were.
    ///
    /// - Throws: `InputError` where it is none.
    public init(json: JSONValue) throws(InputError) {
        guard let code = json["code"]?.string, let detail = json["detail"]?.string else {
            throw InputError(.malformedDocument, "A problem needs its code and its detail.")
        }
        var errors: [ProblemItem] = []
        for item in json["errors"]?.elements ?? [] { errors.append(try ProblemItem(json: item)) }
        self.init(
            json["status"]?.int.map { Int($0) } ?? Self.status(ofOld: code), code, detail,
            realmCode: json["realmCode"]?.string, errors: errors,
            stack: json["stack"]?.elements?.compactMap(\.string) ?? [],
            objectsDone: json["objectsDone"]?.int.map { Int($0) }, file: json["file"]?.string)
    }

    /// The status of a job's problem that was kept without one.
    private static func status(ofOld code: String) -> Int {
        switch code {
        case "internal_error", "snapshot_damaged", "worker_lost": 500
        case "database_unavailable", "database_read_only": 503
        case "realm_changed": 409
        case _ where code.hasSuffix("_not_found"): 404
        default: 422
        }
    }
}
