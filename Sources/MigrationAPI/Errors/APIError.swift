import HTTPServer
import Problems
import RealmModel

/// Why the API itself refuses a request.
///
/// Each reason is a constant or a function of its name, which gives it its status, its code, its sentence and its fields:
/// those about keys, about requests and about realms have a file each.
struct APIError: Error, Hashable, Sendable {
    /// The problem that the client sees.
    let problem: Problem

    init(_ problem: Problem) {
        self.problem = problem
    }

    init(
        _ code: ProblemCode, _ detail: String, errors: [ProblemItem] = [], fields: HTTPFields = [:]
    ) {
        self.init(Problem(code, detail, errors: errors, fields: fields))
    }

    /// A part of a body is at fault, which the one item repeats with its place.
    init(_ code: ProblemCode, _ detail: String, at pointer: String) {
        self.init(code, detail, errors: [ProblemItem(detail, pointer: pointer)])
    }
}
