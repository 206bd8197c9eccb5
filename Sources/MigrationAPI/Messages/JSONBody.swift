import Columns
import HTTPServer
import RealmJSON
import RealmModel

/// A JSON object of a request: members are asked for by name and kind, and those nobody asks for are refused.
struct JSONBody {
    let value: JSONValue
    let pointer: String

    /// Takes an object.
    ///
    /// - Parameters:
    ///   - what: the thing that the object describes, with its article, for errors.
    ///   - known: the members that it may have.
    /// - Throws: `APIError.invalidMember`; `InputError` with every member that is not known.
    init(_ value: JSONValue, _ what: String = "The body", at pointer: String = "", members known: [String]) throws {
        guard value.members != nil else {
            throw APIError.invalidMember(pointer: pointer, message: "\(what) has to be a JSON object.")
        }
        if let unknown = InputError.unknownMembers(of: value, what, known: known, at: pointer) { throw unknown }
        self.value = value
        self.pointer = pointer
    }

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

    /// The pointer of a member (RFC 6901).
    func pointer(to name: String) -> String {
        pointer + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// A member; null counts as left out.
    func member(_ name: String) -> JSONValue? {
        // A literal nil could mean `JSONValue.null` where it stands beside a value.
        guard let member = value[name], !member.isNull else { return .none }
        return member
    }

    func required(_ name: String) throws(APIError) -> JSONValue {
        guard let member = member(name) else { throw invalid(name, "\(name) is missing.") }
        return member
    }

    func string(_ name: String) throws(APIError) -> String? {
        try member(name).map { member throws(APIError) in
            guard let text = member.string else { throw invalid(name, "\(name) has to be a string.") }
            return text
        }
    }

    func requiredString(_ name: String) throws(APIError) -> String {
        guard let text = try string(name) else { throw invalid(name, "\(name) is missing.") }
        return text
    }

    /// Bytes of a script or a function at most, in UTF-8.
    static let scriptLimit = 1 << 20

    /// The text of a script or a function.
    func script(_ name: String) throws -> String? {
        guard let text = try string(name) else { return nil }
        guard text.utf8.count <= Self.scriptLimit else {
            let message = "A script has at most \(Self.scriptLimit) bytes, and this one \(text.utf8.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: pointer(to: name)))
        }
        return text
    }

    func requiredScript(_ name: String) throws -> String {
        guard let text = try script(name) else { throw invalid(name, "\(name) is missing.") }
        return text
    }

    func bool(_ name: String) throws(APIError) -> Bool? {
        try member(name).map { member throws(APIError) in
            guard let flag = member.bool else { throw invalid(name, "\(name) has to be true or false.") }
            return flag
        }
    }

    func array(_ name: String) throws(APIError) -> [JSONValue]? {
        try member(name).map { member throws(APIError) in
            guard let elements = member.elements else { throw invalid(name, "\(name) has to be an array.") }
            return elements
        }
    }

    /// One of some named values.
    func choice<Choice: RawRepresentable>(_ name: String, among choices: [Choice]) throws(APIError) -> Choice?
    where Choice.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let names = choices.map { "“\($0.rawValue)”" }.joined(separator: ", ")
            throw invalid(name, "\(name) has to be one of \(names).")
        }
        return choice
    }

    /// A number greater than 0.
    func positiveNumber(_ name: String) throws(APIError) -> Double? {
        try member(name).map { member throws(APIError) in
            guard let number = member.double, number > 0, number.isFinite else {
                throw invalid(name, "\(name) has to be a number greater than 0.")
            }
            return number
        }
    }

    /// An integer from a least one.
    func integer(_ name: String, from least: Int64) throws(APIError) -> Int64? {
        try member(name).map { member throws(APIError) in
            guard let number = member.int, number >= least else {
                throw invalid(name, "\(name) has to be an integer from \(least).")
            }
            return number
        }
    }

    /// A time as RFC 3339 writes it, of the years up to 9999.
    func time(_ name: String) throws(APIError) -> Timestamp? {
        try string(name).map { text throws(APIError) in
            guard let moment = Timestamp(text), moment >= Self.firstTime, moment < Self.endOfYears else {
                throw invalid(name, "\(name) has to be a time, as RFC 3339 writes it.")
            }
            return moment
        }
    }

    private static let firstTime = Timestamp(seconds: -62_135_596_800, nanoseconds: 0)
    private static let endOfYears = Timestamp(seconds: 253_402_300_800, nanoseconds: 0)

    /// A schema of the form that Realm's SDK has, or of the Swift model classes in `{"swift": [{"name", "text"}]}`; not validated.
    func schema(_ name: String) throws -> Schema? {
        try member(name).map { value in
            guard let program = try SwiftMembers.schema(value, at: pointer(to: name)) else {
                return try SchemaJSON.decode(value, at: pointer(to: name))
            }
            return try SwiftMembers.schema(of: program, at: pointer(to: name) + "/swift")
        }
    }

    func invalid(_ name: String, _ message: String) -> APIError {
        .invalidMember(pointer: pointer(to: name), message: message)
    }
}
