import HTTPServer
import RealmFormats
import RealmModel

extension RealmFormat {
    /// The format for a client that likes several alike.
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
    /// - Parameter ofClass: whether the file of one class is asked for.
    /// - Throws: `invalidParameter`, also where the format has no file of one class; `notAcceptable`.
    init(wanted head: HTTPRequestHead, ofClass: Bool) throws(APIError) {
        let format =
            if let name = try head.choice("format", of: Self.writable.map(\.name)) {
                Self.writable.first { $0.name.hasSameBytes(as: name) } ?? Self.preferred
            } else {
                try Self(accepted: head.fields["Accept"], ofClass: ofClass)
            }
        guard !ofClass || format.classFile != nil else {
            let names = Self.writable.filter { $0.classFile != nil }.alternatives
            throw .invalidParameter(
                name: "class", message: "is for \(names) only; name one by format, or leave it out.")
        }
        self = format
    }

    /// The media type of a download.
    func mediaType(ofClass: Bool) -> String { ofClass ? classFile?.mediaType ?? mediaType : mediaType }

    /// The ending of a downloaded file's name.
    func fileEnding(ofClass: Bool) -> String { ofClass ? classFile?.fileEnding ?? fileEnding : fileEnding }

    /// The format that a client likes best; of archives of a type the first of the table.
    ///
    /// - Parameter field: the value of `Accept`.
    /// - Throws: `notAcceptable` where it accepts none.
    private init(accepted field: String?, ofClass: Bool) throws(APIError) {
        let formats = [Self.preferred] + Self.writable.filter { $0 != Self.preferred }
        let offered = formats.filter { !ofClass || $0.classFile != nil }.map { $0.mediaType(ofClass: ofClass) }
        let best = Accept(field).best(of: offered)
        guard let format = formats.first(where: { $0.mediaType(ofClass: ofClass) == best }) else {
            throw .notAcceptable(offered: offered)
        }
        self = format
    }
}
