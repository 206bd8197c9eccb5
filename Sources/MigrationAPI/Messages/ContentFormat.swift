/// A form in which a realm is downloaded.
enum ContentFormat: String, CaseIterable, Sendable {
    case json
    case ndjson
    case realm

    /// The media type.
    var mediaType: String {
        switch self {
        case .json: MediaType.json
        case .ndjson: MediaType.ndjson
        case .realm: MediaType.realm
        }
    }

    /// The format that a client likes best, JSON where it likes several alike.
    ///
    /// - Parameter field: the value of `Accept`.
    /// - Throws: `notAcceptable` where it accepts none.
    init(accepted field: String?) throws(APIError) {
        let offered = Self.allCases.map(\.mediaType)
        let best = Accept(field).best(of: offered)
        guard let format = Self.allCases.first(where: { $0.mediaType == best }) else {
            throw .notAcceptable(offered: offered)
        }
        self = format
    }
}
