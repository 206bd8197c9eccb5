import RealmJSON
import RealmModel

extension SwiftProgram {
    /// Reads a program: `{"sources": [{"name", "text"}], "stubs"?, "parameters"?, "block"?}`.
    ///
    /// - Parameter pointer: where the value stands in its document, for errors.
    /// - Throws: `malformedDocument`.
    public init(_ value: JSONValue, at pointer: String = "") throws(InputError) {
        func wrong(_ member: String, _ message: String) -> InputError {
            InputError(.malformedDocument, ProblemItem(message, pointer: "\(pointer)/\(member)"))
        }
        guard let elements = value["sources"]?.elements, !elements.isEmpty else {
            throw wrong("sources", "sources has to be an array of {name, text}, with one at least.")
        }
        self.init(sources: [])
        for (index, element) in elements.enumerated() {
            guard let name = element["name"]?.string, let text = element["text"]?.string else {
                throw wrong("sources/\(index)", "A source has to be {name, text}.")
            }
            sources.append(SwiftSource(name: name, text: text))
        }
        for (index, element) in (value["stubs"]?.elements ?? []).enumerated() {
            guard let name = element.string else { throw wrong("stubs/\(index)", "A stub has to be a name.") }
            stubs.append(name)
        }
        for member in value["parameters"]?.members ?? [] {
            guard let parameter = SwiftParameter(member.value) else {
                throw wrong("parameters/\(member.name)", "A parameter has to be a number, a text, true or false.")
            }
            parameters[member.name] = parameter
        }
        block = value["block"]?.string
    }

    /// The program as a document.
    public var json: JSONValue {
        var members = [
            JSONMember(
                "sources", .array(sources.map { ["name": .string($0.name), "text": .string($0.text)] }))
        ]
        if !stubs.isEmpty { members.append(JSONMember("stubs", .array(stubs.map { .string($0) }))) }
        if !parameters.isEmpty {
            let values = parameters.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) }
            members.append(JSONMember("parameters", .object(values)))
        }
        if let block { members.append(JSONMember("block", .string(block))) }
        return .object(members)
    }
}

extension SwiftParameter {
    /// Reads a value; nil where it is none that a parameter has.
    public init?(_ value: JSONValue) {
        if let number = value.int {
            self = .int(number)
        } else if let number = value.double {
            self = .double(number)
        } else if let text = value.string {
            self = .string(text)
        } else if let flag = value.bool {
            self = .bool(flag)
        } else {
            return nil
        }
    }

    /// The value.
    public var json: JSONValue {
        switch self {
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .bool(let flag): .bool(flag)
        case .string(let text): .string(text)
        }
    }
}
