import HTTPServer
import RealmExport
import RealmFormats
import RealmJSON
import SnapshotStore

/// `/v1/apps/{app}/exports`, and the export of a realm that it speaks of.
struct ExportPolicyResource: Sendable {
    let store: SnapshotStore
    let exports: RealmExports

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps/{app}/exports", "getExportPolicy", requires: .read, query: []) { request in
                guard let policy = try store.apps.exportPolicy(of: request.app()) else {
                    throw APIError.exportPolicyMissing
                }
                return .json(policy.json)
            },
            APIRoute(
                "PUT", "/v1/apps/{app}/exports", "putExportPolicy", requires: .admin, query: [], body: .json
            ) { request in
                let app = try request.app()
                let policy = try Self.policy(try JSONBody.document(of: request))
                try store.apps.setExportPolicy(policy, of: app)
                return .json(policy.json)
            },
            APIRoute("DELETE", "/v1/apps/{app}/exports", "deleteExportPolicy", requires: .admin, query: []) { request in
                try store.apps.setExportPolicy(nil, of: request.app())
                return .noContent
            },
            APIRoute(
                "GET", "/v1/apps/{app}/realms/{realm}/export", "getRealmExport", requires: .read, tokens: .realm,
                query: [],
                answering: .patiently { .response(try exports.current($0.realm(), in: $0.app())) }),
        ]
    }

    private static func policy(_ document: JSONValue) throws -> ExportPolicy {
        let body = try JSONBody(document, members: ["format", "dates", "flatten", "targetVersion"])
        let names = RealmExports.formats.map(\.name)
        guard let format = body.member("format")?.string, names.contains(where: format.hasSameBytes) else {
            throw body.invalid("format", "format has to be one of \(names.joined(separator: ", ")).")
        }
        let dates = try body.choice("dates", among: ExportOptions.Dates.allCases) ?? .iso
        let flattens = try body.bool("flatten") ?? false
        guard format.hasSameBytes(as: RealmFormat.sqlite.name) || (dates == .iso && !flattens) else {
            throw body.invalid(flattens ? "flatten" : "dates", "Only sqlite has a choice of dates and of flatten.")
        }
        return ExportPolicy(
            format: format, dates: dates.rawValue, flattens: flattens,
            targetVersion: try body.integer("targetVersion", from: 0).map { UInt64($0) })
    }
}

extension ExportPolicy {
    /// The policy as clients see it.
    fileprivate var json: JSONValue {
        [
            "format": .string(format), "dates": .string(dates), "flatten": .bool(flattens),
            "targetVersion": targetVersion.map { JSONValue($0) } ?? .null,
        ]
    }
}
