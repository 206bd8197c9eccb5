import Columns
import HTTPServer
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// `/v1/apps/{app}/schemas` and `/v1/schema-diffs`.
struct SchemaVersionResource: Sendable {
    let store: SnapshotStore
    let check: DeclarationCheck
    let known = RecentSchemas()

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
                "POST", "/v1/apps/{app}/schemas/{version}/check", "checkSchemaVersion", requires: .write, query: [],
                body: .json, keepsNothing: true
            ) { request in
                .json(try DeclarationTrial(store: store, check: check, recent: known).answer(request))
            },
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
                return .json(
                    SchemaChangeReport.between((from.version, from.schema), and: to.version, to.schema, to.migration)
                        .json)
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
        let declaration = try DeclarationBody(request)
        let (number, body) = (declaration.number, declaration.body)
        let schema = try declaration.schema()
        let migration = try declaration.migration()
        let before = try store.schemaVersions.find(before: number, of: app.name)
        let known = try KnownSchemas(before: number, of: app.name, in: store)
        try WorkBudget.current?.look()
        try check.check(number, schema, migration, in: body, after: before, known: known, of: app)
        try WorkBudget.current?.beginChanging()
        let put = try store.schemaVersions.put(number, of: app.name, schema: schema, migration: migration)
        let json = try whole(
            put.schemaVersion, of: app.name, changes: known.changes(to: put.schemaVersion))
        return .json(json, status: put.outcome == .new ? 201 : 200)
    }

    /// A version with what it changes, and with what is to be said of it.
    private func whole(
        _ declared: DeclaredVersion, of app: String, changes: [SchemaChangeReport]
    ) throws -> JSONValue {
        let hints = try DeclarationHint.all(
            of: declared.version, declared.schema, declared.migration,
            earlier: store.schemaVersions.way(from: nil, to: declared.version, of: app).filter {
                $0.version < declared.version
            })
        return declared.json(changes: changes).adding([JSONMember("lint", .array(hints.map(\.json)))])
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
        try KnownSchemas(before: version.version, of: app, in: store).changes(to: version)
    }

}

extension SchemaChangeReport {
    /// The changes that lead from a schema to a declared one.
    ///
    /// - Parameter from: the schema before; nil where there was nothing.
    static func between(
        _ from: (version: UInt64, schema: Schema)?, and version: UInt64, _ schema: Schema,
        _ migration: DeclaredMigration?
    ) -> [SchemaChangeReport] {
        guard let from else { return compare(existing: Schema(), target: schema) }
        // Only the way forward has the renames that the later version declares.
        let renames = from.version < version ? migration?.schemaRenames ?? [] : []
        return compare(existing: from.schema, target: schema, renames: renames)
    }
}

extension DeclarationHint {
    /// Hints at things that Realm permits in a declaration and that are seldom meant.
    static func all(
        of version: UInt64, _ schema: Schema, _ migration: DeclaredMigration?, earlier: [DeclaredVersion]
    ) -> [DeclarationHint] {
        all(
            version: version, schema: schema, script: migration?.script?.source,
            earlier: earlier.map { ($0.version, $0.schema) }, nullability: migration?.nullability ?? .reset)
    }

    var json: JSONValue {
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
                ?? objectSchema.persistedProperties.lazy.compactMap {
                    NameLimit.violation(property: $0.name, of: objectSchema.name)
                }.first
            if let violation { throw .invalidMember(pointer: pointer, message: violation) }
        }
    }
}
