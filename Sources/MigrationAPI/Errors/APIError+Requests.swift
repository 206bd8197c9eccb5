import Problems
import RealmModel
import RealmQuery

/// Requests: paths, fields, parameters, bodies, and what makes a request one of its own.
extension APIError {
    /// The program has not come up yet.
    static let notReady = APIError(
        .notReady, "The service is coming up, or going down.", fields: ["Retry-After": "1"])

    // MARK: Paths

    /// No operation has the path.
    static let routeNotFound = APIError(
        .notFound, "There is nothing at this path: /openapi.json describes what there is.")

    /// The path has operations, but not of this method.
    static func methodNotAllowed(allowed: [String]) -> APIError {
        APIError(
            .methodNotAllowed, "This path takes \(allowed.joined(separator: ", ")), and no other method.",
            fields: ["Allow": allowed.joined(separator: ", ")])
    }

    // MARK: Fields and parameters

    /// Nothing that the client accepts can be given.
    static func notAcceptable(offered: [String]) -> APIError {
        APIError(.notAcceptable, "Accept permits nothing of what there is: \(offered.joined(separator: ", ")).")
    }

    /// The body is of a type that the operation does not take.
    static func unsupportedMediaType(accepted: [String]) -> APIError {
        APIError(
            .unsupportedMediaType,
            "The body has to be \(accepted.joined(separator: " or ")), and Content-Type to say so.",
            fields: ["Accept": accepted.joined(separator: ", ")])
    }

    /// A header field is not what it has to be; its value is never repeated.
    static func invalidField(name: String, message: String) -> APIError {
        refused(.invalidHeader, "The field \(name) \(message)")
    }

    /// A query parameter is not what it has to be.
    static func invalidParameter(name: String, message: String) -> APIError {
        refused(.invalidParameter, "The parameter \(name) \(message)")
    }

    /// A query as the parameter `where` that can't be answered; the problem has the place in it, in bytes.
    static func invalidQuery(_ query: String, _ error: QueryError) -> APIError {
        let message = "The parameter where is refused: \(error.located.bounded())"
        let offset = error.offset.map { query.unicodeScalars.prefix($0).reduce(0) { $0 + UTF8.width($1) } }
        return APIError(.invalidParameter, message, errors: [ProblemItem(message, offset: offset, hint: error.hint)])
    }

    /// A query parameter that stands twice.
    static func repeatedParameter(_ name: String) -> APIError {
        refused(.invalidParameter, "The parameter \(name) stands twice in the query.")
    }

    /// Query parameters that the operation has not, and those that it has.
    static func unknownParameters(_ names: [String], known: [String]) -> APIError {
        let messages = names.prefix(Problem.longestList).map {
            UnknownName.message($0, kind: "query parameter", of: "This operation", known: known)
        }
        return APIError(.unknownParameter, messages[0], errors: messages.map { ProblemItem($0) })
    }

    private static func refused(_ code: ProblemCode, _ message: String) -> APIError {
        APIError(code, message, errors: [ProblemItem(message)])
    }

    // MARK: Bodies

    /// A member of the body is not what it has to be.
    static func invalidMember(pointer: String, message: String) -> APIError {
        APIError(.malformedDocument, message, at: pointer)
    }

    /// The client speaks another version of tus, or does not say which.
    static let tusVersion = APIError(
        .tusVersionUnsupported, "Uploads in parts speak tus 1.0.0, which Tus-Resumable has to say.",
        fields: ["Tus-Version": "1.0.0"])

    /// The bytes are not those that their checksum is of.
    static let checksumMismatch = APIError(
        .checksumMismatch, "The bytes are not those that Upload-Checksum is of: none was kept.")

    // MARK: One request and another

    /// The same request is being answered, on another connection.
    static let idempotencyInFlight = APIError(
        .idempotencyInFlight,
        "The request of this \(IdempotentRequests.field) is being answered: ask again in a moment.",
        fields: ["Retry-After": "1"])

    /// Another request was sent under the same name.
    static let idempotencyMismatch = APIError(
        .idempotencyMismatch,
        "Another request was sent with this \(IdempotentRequests.field) in the last day: each has one of its own.")

    /// The thing is in another state than the client asks for (`If-Match`).
    static let preconditionFailed = APIError(
        .preconditionFailed, "It is in another state than If-Match asks for: read it again, and decide anew.")
}
