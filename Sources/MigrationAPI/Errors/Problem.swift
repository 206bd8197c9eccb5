import HTTPServer
import Problems
import RealmJSON
import RealmModel

/// A problem that a request is answered with.
struct Problem: Hashable, Sendable {
    /// The most single things that one problem lists of what a client may send without end.
    static let longestList = 20

    /// The document in the body.
    var document: ProblemDocument
    /// Fields that the response has beside its type.
    var fields: HTTPFields

    init(_ document: ProblemDocument, fields: HTTPFields = [:]) {
        self.document = document
        self.fields = fields
    }

    init(
        _ code: ProblemCode, _ detail: String, status: Int? = nil, realmCode: String? = nil,
        errors: [ProblemItem] = [], fields: HTTPFields = [:]
    ) {
        self.init(
            ProblemDocument(code, detail, status: status, realmCode: realmCode, errors: errors), fields: fields)
    }

    /// The status code, 400…599.
    var status: Int { document.status }

    /// The response.
    func response(instance: String) -> HTTPResponse {
        var fields: HTTPFields = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
        for line in self.fields.lines { fields.append(line.name, line.value) }
        let body = document.json(instance: instance).encoded() + [UInt8(ascii: "\n")]
        return HTTPResponse(status: status, fields: fields, body: .bytes(body))
    }
}
