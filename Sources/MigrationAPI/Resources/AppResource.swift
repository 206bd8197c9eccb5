import HTTPServer
import RealmJSON
import RealmModel
import SnapshotStore

/// `/v1/apps`.
struct AppResource: Sendable {
    let store: SnapshotStore
    /// Told the name of an app that was deleted.
    let removed: @Sendable (String) -> Void

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps", "listApps", requires: .read, query: .page) { request in
                .json(try store.apps.list(request.head.page(), among: request.access.apps).map(\.json).json)
            },
            APIRoute("PUT", "/v1/apps/{app}", "putApp", requires: .write, query: [], body: .json) { request in
                try JSONBody.requireNone(request)
                let put = try store.apps.put(try request.newApp())
                return .json(put.app.json, status: put.isNew ? 201 : 200)
            },
            APIRoute("GET", "/v1/apps/{app}", "getApp", requires: .read, query: []) { request in
                .json(try store.apps.find(request.app()).json)
            },
            APIRoute("GET", "/v1/apps/{app}/retention", "getRetention", requires: .read, query: []) { request in
                .json(try store.apps.retention(of: request.app()).json)
            },
            APIRoute(
                "PUT", "/v1/apps/{app}/retention", "putRetention", requires: .admin, query: [], body: .json
            ) { request in
                let app = try request.app()
                let retention = try Self.retention(try JSONBody.document(of: request))
                try store.apps.setRetention(retention, of: app)
                return .json(retention.json)
            },
            APIRoute("DELETE", "/v1/apps/{app}", "deleteApp", requires: .admin, query: []) { request in
                let app = try request.app()
                try store.apps.delete(app)
                removed(app)
                return .noContent
            },
        ]
    }

    private static func retention(_ document: JSONValue) throws -> Retention {
        let body = try JSONBody(document, members: ["keepSnapshots", "keepDays", "keepJobs", "keepJobDays"])
        func count(_ name: String, from least: Int64) throws(InputError) -> Int? {
            try body.integer(name, from: least).map { number throws(InputError) in
                guard let number = Int32(exactly: number) else {
                    throw body.invalid(name, "\(name) has to be \(Int32.max) at most.")
                }
                return Int(number)
            }
        }
        func days(_ name: String) throws(InputError) -> Double? {
            try body.positiveNumber(name).map { days throws(InputError) in
                guard days <= longestDays else {
                    throw body.invalid(name, "\(name) has to be \(Int(longestDays)) at most.")
                }
                return days
            }
        }
        return Retention(
            keepSnapshots: try count("keepSnapshots", from: 1), keepDays: try days("keepDays"),
            keepJobs: try count("keepJobs", from: 0), keepJobDays: try days("keepJobDays"))
    }

    /// A thousand years: what is older than all that there is.
    private static let longestDays = 365_000.0
}
