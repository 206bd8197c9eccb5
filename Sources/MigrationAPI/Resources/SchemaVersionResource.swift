import Columns
import HTTPServer
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// `/v1/apps/{app}/schemas` and `/v1/schema-diffs`.
struct SchemaVersionResource: Sendable {
    /// Members of the answer that the declaration itself does not have.
    private static let answered = ["version", "revision", "createdAt", "changes", "lint"]

    let store: SnapshotStore
    let check: DeclarationCheck

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps/{app}/schemas", "listSchemaVersions", requires: .read, query: .page) { request in
                let page = try store.schemaVersions.list(of: request.app(), request.head.page())
                return .json(page.map { $0.json() }.json)
            },
            APIRoute(
                "PUT", "/v1/apps/{app}/schemas/{version}", "putSchemaVersion", requires: .write, query: [], body: .json,
                endsEarly: true, respond: put),
            APIRoute(
                "GET", "/v1/apps/{app}/schemas/{version}", "getSchemaVersion", requires: .read, query: ["revision"]
            ) { request in
                let app = try request.app()
                let version = try version(request, of: app)
                return .json(try whole(version, of: app, changes: try changes(to: version, of: app)))
            },
            APIRoute("DELETE", "/v1/apps/{app}/schemas/{version}", "deleteSchemaVersion", requires: .write, query: []) {
                request in
                try store.schemaVersions.delete(request.schemaVersion("version"), of: request.app())
                return .noContent
            },
            APIRoute("GET", "/v1/apps/{app}/schemas/{from}/diff/{to}", "diffSchemaVersions", requires: .read, query: [])
            { request in
                let app = try request.app()
                let from = try store.schemaVersions.find(request.schemaVersion("from"), of: app)
                let to = try store.schemaVersions.find(request.schemaVersion("to"), of: app)
                return .json(Self.changes(from: (from.version, from.schema), to: to).json)
            },
            APIRoute(
                "POST", "/v1/schema-diffs", "diffSchemas", requires: .read, query: [], body: .json, endsEarly: true
            ) { request in
                let body = try JSONBody(try JSONBody.document(of: request), members: ["from", "to"])
                _ = try (body.required("from"), body.required("to"))
                let (from, to) = (try body.schema("from") ?? Schema(), try body.schema("to") ?? Schema())
                try WorkBudget.current?.look()
                return .json(SchemaChangeReport.compare(existing: from, target: to).json)
            },
        ]
    }

    private func put(_ request: APIRequest) throws -> HTTPResponse {
        let app = try store.apps.find(request.app())
        guard let number = SchemaVersionNumber.parse(request.parameter("version")) else {
            throw APIError.invalidParameter(name: "version", message: "has to be an integer from 0.")
        }
        let document = try SwiftMembers.document(of: request) ?? JSONBody.document(of: request)
        let body = try JSONBody(document, members: ["schema", "migration"] + Self.answered)
        if let version = try body.integer("version", from: 0), UInt64(version) != number {
            throw body.invalid("version", "version is \(version) here and \(number) in the path.")
        }
        _ = try body.required("schema")
        let schema = try body.schema("schema") ?? Schema()
        try WorkBudget.current?.look()
        try SchemaCheck.check(schema, at: body.pointer(to: "schema"))
        let migration = try body.migration("migration")
        let before = try store.schemaVersions.find(before: number, of: app.name)
        let known = try KnownSchemas(before: number, of: app.name, in: store)
        try WorkBudget.current?.look()
        try check.check(number, schema, migration, in: body, after: before, known: known, of: app)
        try WorkBudget.current?.beginChanging()
        let put = try store.schemaVersions.put(number, of: app.name, schema: schema, migration: migration)
        let json = try whole(
            put.schemaVersion, of: app.name, changes: Self.changes(from: known.newest, to: put.schemaVersion))
        return .json(json, status: put.outcome == .new ? 201 : 200)
    }

    /// A version with what it changes, and with what is to be said of it.
    private func whole(
        _ declared: DeclaredVersion, of app: String, changes: [SchemaChangeReport]
    ) throws -> JSONValue {
        declared.json(changes: changes).adding([
            JSONMember("lint", .array(try hints(declared, of: app).map(\.json)))
        ])
    }

    /// Hints at things that Realm permits in a declaration and that are seldom meant.
    private func hints(_ declared: DeclaredVersion, of app: String) throws -> [DeclarationHint] {
        let earlier = try store.schemaVersions.way(from: nil, to: declared.version, of: app)
            .filter { $0.version < declared.version }.map { (version: $0.version, schema: $0.schema) }
        return DeclarationHint.all(
            version: declared.version, schema: declared.schema, script: declared.migration?.script?.source,
            earlier: earlier, nullability: declared.migration?.nullability ?? .reset)
    }

    /// The version that the path names, at the revision that the query asks for.
    private func version(_ request: APIRequest, of app: String) throws -> DeclaredVersion {
        let number = try request.schemaVersion("version")
        guard let text = request.head.queryValue("revision") else {
            return try store.schemaVersions.find(number, of: app)
        }
        guard let revision = Int(text), revision > 0 else {
            throw APIError.invalidParameter(name: "revision", message: "has to be an integer from 1.")
        }
        return try store.schemaVersions.find(number, revision: revision, of: app)
    }

    /// The changes to a version from the one before it, from the one that realms have already, or from nothing.
    private func changes(to version: DeclaredVersion, of app: String) throws -> [SchemaChangeReport] {
        Self.changes(from: try KnownSchemas(before: version.version, of: app, in: store).newest, to: version)
    }

    private static func changes(
        from: (version: UInt64, schema: Schema)?, to: DeclaredVersion
    ) -> [SchemaChangeReport] {
        guard let from else { return SchemaChangeReport.compare(existing: Schema(), target: to.schema) }
        // Only the way forward has the renames that the later version declares.
        let renames = from.version < to.version ? to.migration?.schemaRenames ?? [] : []
        return SchemaChangeReport.compare(existing: from.schema, target: to.schema, renames: renames)
    }
}

extension DeclarationHint {
    fileprivate var json: JSONValue {
        [
            "rule": .string(rule.rawValue), "message": .string(message),
            "class": className.map { .string($0) } ?? .null, "property": property.map { .string($0) } ?? .null,
        ]
    }
}

/// Refuses schemas that Realm does not accept.
enum SchemaCheck {
    /// - Throws: `APIError.schemaInvalid` with all of Realm's messages, `APIError.invalidMember` for a name too long.
    static func check(_ schema: Schema, at pointer: String) throws(APIError) {
        let errors = schema.validate()
        guard errors.isEmpty else { throw .schemaInvalid(errors, pointer: pointer) }
        for objectSchema in schema.classes {
            let violation =
                NameLimit.violation(className: objectSchema.name)
                ?? objectSchema.persistedProperties.lazy.compactMap { NameLimit.violation(property: $0.name) }.first
            if let violation { throw .invalidMember(pointer: pointer, message: violation) }
        }
    }
}
