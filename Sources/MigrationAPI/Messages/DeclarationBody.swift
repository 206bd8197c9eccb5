import Columns
import HTTPServer
import RealmJSON
import RealmMigration
import RealmModel

/// The declaration of a schema version as a request brings it: its parts are read one by one, and each can be at fault.
struct DeclarationBody {
    /// Members of an answer, which may be sent back, that the declaration itself does not have.
    private static let answered = ["version", "revision", "createdAt", "changes", "lint"]

    /// The number, which the path has.
    let number: UInt64
    /// The document.
    let body: JSONBody

    /// Reads what is wrong with the request rather than with the declaration.
    init(_ request: APIRequest) throws {
        guard let number = SchemaVersionNumber.parse(request.parameter("version")) else {
            throw APIError.invalidParameter(name: "version", message: "has to be an integer from 0.")
        }
        self.number = number
        let document = try SwiftMembers.document(of: request) ?? JSONBody.document(of: request)
        body = try JSONBody(document, members: ["schema", "migration"] + Self.answered)
        if let version = try body.integer("version", from: 0), UInt64(version) != number {
            throw body.invalid("version", "version is \(version) here and \(number) in the path.")
        }
        _ = try body.required("schema")
    }

    /// The schema, which Realm accepts.
    ///
    /// - Throws: `InputError`, `APIError.schemaInvalid`.
    func schema() throws -> Schema {
        let schema = try body.schema("schema") ?? Schema()
        try WorkBudget.current?.look()
        try SchemaCheck.check(schema, at: body.pointer(to: "schema"))
        return schema
    }

    /// The migration, whose script has not been looked at; nil where there is none.
    ///
    /// - Throws: `InputError`.
    func migration() throws -> DeclaredMigration? { try body.migration("migration") }
}
