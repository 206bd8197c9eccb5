import HTTPServer
import RealmJSON
import RealmModel
import SwiftParent
import SwiftWire

/// Swift files in bodies of requests.
enum SwiftMembers {
    /// The media type of a Swift file.
    private static let mediaType = "text/x-swift"

    /// The document that a body of Swift alone stands for, one file or several: a schema of its classes; nil of any other body.
    static func document(of request: APIRequest) throws -> JSONValue? {
        guard let type = request.head.fields["Content-Type"] else { return nil }
        let bytes = request.whole?.bytes ?? []
        switch MediaType.parse(type) {
        case mediaType: return ["schema": ["swift": [try file("Models.swift", bytes[...])]]]
        case "multipart/form-data", "multipart/mixed":
            guard let body = MultipartBody(bytes, contentType: type), !body.parts.isEmpty else {
                throw APIError.invalidMember(
                    pointer: "", message: "The body has to be Swift files, between lines of the boundary.")
            }
            let files = try body.parts.enumerated().map { index, part in
                try file(part.name.isEmpty ? "Models\(index + 1).swift" : part.name, part.bytes)
            }
            return ["schema": ["swift": .array(files)]]
        default: return nil
        }
    }

    private static func file(_ name: String, _ bytes: ArraySlice<UInt8>) throws -> JSONValue {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw APIError.invalidMember(pointer: "", message: "‘\(name)’ has to be text in UTF-8.")
        }
        return ["name": .string(name), "text": .string(text)]
    }

    /// The program of model classes that a schema is given as; nil of one that is JSON.
    static func schema(_ value: JSONValue, at pointer: String) throws(InputError) -> SwiftProgram? {
        guard let files = value["swift"] else { return nil }
        return try program(["sources": files, "parameters": value["parameters"] ?? [:]], at: pointer)
    }

    /// The schema of model classes.
    ///
    /// - Throws: `InputError` with line and column of all that is not understood.
    static func schema(of program: SwiftProgram, at pointer: String) throws -> Schema {
        do {
            return try SwiftFrontEnd().schema(of: program).schema
        } catch let refusal as SwiftRefusal {
            let items = refusal.diagnostics.map {
                ProblemItem("\($0.file): \($0.message)", pointer: pointer, line: $0.line, column: $0.column)
            }
            throw InputError(.schemaInvalid, items.first?.message ?? "", details: items)
        } catch let unavailable as SwiftFrontEnd.Unavailable {
            throw InputError(.unsupportedFormat, unavailable.description)
        }
    }

    /// A migration's Swift as one text, with the model classes beside it where the schema is Swift too.
    static func script(_ members: JSONBody, in body: JSONBody) throws(InputError) -> String? {
        guard members.member("sources") != nil else { return nil }
        var program = try program(members.value, at: members.pointer)
        if let schema = body.member("schema"),
            let models = try Self.schema(schema, at: body.pointer(to: "schema"))
        {
            for source in models.sources { program.add(source) }
        }
        return String(decoding: program.json.encoded(), as: UTF8.self)
    }

    private static func program(_ value: JSONValue, at pointer: String) throws(InputError) -> SwiftProgram {
        let program = try SwiftProgram(value, at: pointer)
        let bytes = program.sources.reduce(0) { $0 + $1.text.utf8.count }
        guard bytes <= JSONBody.scriptLimit else {
            let message = "Swift files have at most \(JSONBody.scriptLimit) bytes together, and these \(bytes)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: pointer))
        }
        return program
    }
}
