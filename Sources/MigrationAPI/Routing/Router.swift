/// Finds the route of a request.
struct Router: Sendable {
    /// All routes, in the order that they are tried in.
    let routes: [APIRoute]

    /// The route of a path and a method, HEAD being served by GET's.
    ///
    /// - Throws: `APIError.routeNotFound`, `APIError.methodNotAllowed`.
    func match(method: String, segments: [String]) throws(APIError) -> (route: APIRoute, parameters: [String: String]) {
        let matches = routes.compactMap { route in route.path.match(segments).map { (route, $0) } }
        guard !matches.isEmpty else { throw .routeNotFound }
        let wanted = method == "HEAD" ? "GET" : method
        guard let match = matches.first(where: { $0.0.method == wanted }) else {
            throw .methodNotAllowed(allowed: Self.allowed(matches.map(\.0.method)))
        }
        return match
    }

    private static func allowed(_ methods: [String]) -> [String] {
        methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
    }
}
