import HTTPServer
import RealmJSON
import RealmModel
import SwiftScripts

/// Swift files in bodies of requests.
enum SwiftMembers {
    /// The media type of a Swift file.
    private static let mediaType = "text/x-swift"

    /// The document that a body of Swift alone stands for: a schema of its classes; nil of any other body.
    static func document(of request: APIRequest) throws -> JSONValue? {
        guard let type = request.head.fields["Content-Type"], MediaType.parse(type) == mediaType else { return nil }
        guard let text = String(validating: request.whole?.bytes ?? [], as: UTF8.self) else {
            throw APIError.invalidMember(pointer: "", message: "The body has to be text in UTF-8.")
        }
        return ["schema": ["swift": [["name": "Models.swift", "text": .string(text)]]]]
    }

    /// The program of model classes that a schema is given as; nil of one that is JSON.
    static func schema(_ value: JSONValue, at pointer: String) throws -> SwiftProgram? {
        guard let files = value["swift"] else { return nil }
        return try program(["sources": files], at: pointer)
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
    static func script(_ members: JSONBody, in body: JSONBody) throws -> String? {
        guard members.member("sources") != nil else { return nil }
        var program = try program(members.value, at: members.pointer)
        if let schema = body.member("schema"),
            let models = try schema["swift"].map({ _ in try Self.schema(schema, at: body.pointer(to: "schema")) })
        {
            program.sources += models?.sources ?? []
        }
        return String(decoding: program.json.encoded(), as: UTF8.self)
    }

    private static func program(_ value: JSONValue, at pointer: String) throws -> SwiftProgram {
        let program = try SwiftProgram(value, at: pointer)
        let bytes = program.sources.reduce(0) { $0 + $1.text.utf8.count }
        guard bytes <= JSONBody.scriptLimit else {
            let message = "Swift files have at most \(JSONBody.scriptLimit) bytes together, and these \(bytes)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: pointer))
        }
        return program
    }
}
