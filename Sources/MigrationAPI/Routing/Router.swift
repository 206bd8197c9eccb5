/// Finds the route of a request.
struct Router: Sendable {
    /// All routes, in the order that they are tried in.
    let routes: [APIRoute]

    /// The route of a path and a method, HEAD being served by GET's.
    ///
    /// - Throws: `APIError.routeNotFound`, `APIError.methodNotAllowed`.
    func match(method: String, segments: [String]) throws(APIError) -> (route: APIRoute, parameters: [String: String]) {
        let wanted = method == "HEAD" ? "GET" : method
        for route in routes where route.method == wanted {
            if let parameters = route.path.match(segments) { return (route, parameters) }
        }
        let others = routes.filter { $0.path.match(segments) != nil }
        guard !others.isEmpty else { throw .routeNotFound }
        throw .methodNotAllowed(allowed: Self.allowed(others.map(\.method)))
    }

    private static func allowed(_ methods: [String]) -> [String] {
        methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
    }
}
