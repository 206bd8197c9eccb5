import Dashboard
import HTTPServer

/// `/`: the dashboard, and the files that it is made of.
struct DashboardResource: Sendable {
    var routes: [APIRoute] {
        [
            APIRoute("GET", "/", "getDashboard", requires: .noKey, query: [], on: .immediate) { _ in
                Self.answer(Dashboard.page, "text/html; charset=utf-8", cache: "no-cache")
            },
            APIRoute(
                "GET", "/dashboard/{revision}/{file}", "getDashboardFile", requires: .noKey, query: [], on: .immediate
            ) { try Self.file($0, $0.parameter("file")) },
            APIRoute(
                "GET", "/dashboard/{revision}/{folder}/{file}", "getDashboardModule", requires: .noKey, query: [],
                on: .immediate
            ) { try Self.file($0, "\($0.parameter("folder"))/\($0.parameter("file"))") },
        ]
    }

    /// A file as it is for good: at another revision there is none, so that no page mixes two.
    private static func file(_ request: APIRequest, _ name: String) throws(APIError) -> HTTPResponse {
        guard request.parameter("revision") == Dashboard.revision, let file = Dashboard.file(name) else {
            throw .routeNotFound
        }
        return answer(file.bytes, file.mediaType, cache: "public, max-age=31536000, immutable")
    }

    private static func answer(_ bytes: [UInt8], _ type: String, cache: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            fields: [
                "Content-Type": type, "Cache-Control": cache,
                "Content-Security-Policy": Dashboard.contentSecurityPolicy, "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
            ],
            body: .bytes(bytes))
    }
}
