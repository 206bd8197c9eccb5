import HTTPServer
import RealmFormats

extension RealmFormat {
    /// What a client that likes several formats alike is given.
    private static let preferred = RealmFormat.json

    /// The format of an upload.
    ///
    /// - Parameter field: the value of `Content-Type`.
    /// - Throws: `unsupportedMediaType` where none can be read that it names.
    init(uploaded field: String?) throws(APIError) {
        let type = field.map(MediaType.parse)
        guard let format = Self.readable.first(where: { $0.mediaType == type }) else {
            throw .unsupportedMediaType(accepted: Self.readable.map(\.mediaType))
        }
        self = format
    }

    /// The format that a download asks for: by `?format=`, or where that is left out by `Accept`.
    ///
    /// - Throws: `invalidParameter`, `notAcceptable`.
    init(wanted head: HTTPRequestHead) throws(APIError) {
        guard let name = try head.choice("format", of: Self.writable.map(\.name)) else {
            try self.init(accepted: head.fields["Accept"])
            return
        }
        guard let format = Self.writable.first(where: { $0.name == name }) else {
            throw .notAcceptable(offered: Self.writable.map(\.mediaType))
        }
        self = format
    }

    /// The format that a client likes best.
    ///
    /// - Parameter field: the value of `Accept`.
    /// - Throws: `notAcceptable` where it accepts none.
    init(accepted field: String?) throws(APIError) {
        let formats = [Self.preferred] + Self.writable.filter { $0 != Self.preferred }
        let offered = formats.map(\.mediaType)
        let best = Accept(field).best(of: offered)
        guard let format = formats.first(where: { $0.mediaType == best }) else {
            throw .notAcceptable(offered: offered)
        }
        self = format
    }
}
