import HTTPServer
import JobStore
import RealmComparison
import RealmJSON

/// The forms in which a rehearsal's report is had.
enum ReportForm: String, CaseIterable {
    case json
    case junit
    case sarif
    case html

    private var mediaType: String {
        switch self {
        case .json: MediaType.json
        case .junit: "application/xml"
        case .sarif: "application/sarif+json"
        case .html: "text/html"
        }
    }

    /// The form that `?format` names, else the one that `Accept` likes best.
    ///
    /// - Throws: `APIError.invalidParameter`, `notAcceptable`.
    init(of request: APIRequest) throws(APIError) {
        if let name = request.head.queryValue("format") {
            guard let form = ReportForm(rawValue: name) else {
                let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalidParameter(name: "format", message: "has to be one of \(names).")
            }
            self = form
            return
        }
        let offered = Self.allCases.map(\.mediaType)
        let best = Accept(request.head.fields["Accept"]).best(of: offered)
        guard let form = Self.allCases.first(where: { $0.mediaType == best }) else {
            throw .notAcceptable(offered: offered)
        }
        self = form
    }

    /// The answer.
    ///
    /// - Parameters:
    ///   - json: the report, as the store has it.
    ///   - showsValues: whether values of objects that were lost are shown, as JSON and in the page.
    ///   - version: the program's.
    func response(_ json: JSONValue, of job: Job, showsValues: Bool, version: String) -> HTTPResponse {
        if let whole = RehearsalMatrix(json: json) {
            let matrix = showsValues ? whole : whole.withoutValues
            return response(matrix.json, matrix.reports, version: version) { matrix.page(of: job.app) }
        }
        let name = if case .migration(let order) = job.order { order.realm } else { "\(job.id)" }
        let whole = RehearsalReport(json: json)
        let report = showsValues ? whole : whole.withoutValues
        return response(report.json, [(name, report)], version: version) { report.page(named: name) }
    }

    private func response(
        _ json: JSONValue, _ reports: [(name: String, report: RehearsalReport)], version: String, page: () -> String
    ) -> HTTPResponse {
        let bytes: [UInt8] =
            switch self {
            case .json: json.encoded() + [UInt8(ascii: "\n")]
            case .junit: Array(RehearsalReport.junit(reports).utf8)
            case .sarif: RehearsalReport.sarif(reports, version: version).encoded() + [UInt8(ascii: "\n")]
            case .html: Array(page().utf8)
            }
        var fields: HTTPFields = ["Content-Type": self == .html ? "text/html; charset=utf-8" : mediaType]
        fields["Vary"] = "Accept"
        // Nothing but what stands in the page itself.
        if self == .html {
            fields["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        }
        return HTTPResponse(status: 200, fields: fields, body: .bytes(bytes))
    }
}
