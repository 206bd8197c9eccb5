import HTTPServer

/// A media type without its parameters, in lower case (RFC 9110, section 8.3.1).
enum MediaType {
    static let json = "application/json"

    /// The type that a `Content-Type` field names.
    static func parse(_ field: String) -> String {
        let type = field.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return type.filter { $0 != " " && $0 != "\t" }.lowercasedASCII
    }
}
