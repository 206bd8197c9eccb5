import HTTPServer

/// Keeps requests that change something: who sent them, and the answers to those that may be repeated.
struct KeptRequests: Sendable {
    /// Who did what when; nil where nobody wants to know.
    let audit: AuditLog?
    let idempotency: IdempotentRequests

    /// Answers a request of an operation that changes something.
    func answer(
        _ request: APIRequest, of route: APIRoute, by operation: (APIRequest) -> HTTPAnswer
    ) throws -> HTTPAnswer {
        guard route.method == "POST", let name = request.head.fields[IdempotentRequests.field] else {
            return try noted(request, route, operation)
        }
        return try idempotency.answer(request, named: name, without: route.secrets) { try noted($0, route, operation) }
    }

    private func noted(
        _ request: APIRequest, _ route: APIRoute, _ operation: (APIRequest) -> HTTPAnswer
    ) throws -> HTTPAnswer {
        guard let audit, route.requirement != .read, let entry = AuditLog.entry(of: request, by: route.operation) else {
            return operation(request)
        }
        let mark = try audit.begin(entry)
        return operation(request).watched { mark.end(status: $0.status) }
    }
}
