/// The part of a request before its body.
public struct HTTPRequestHead: Hashable, Sendable {
    /// One parameter of the query.
    public struct QueryItem: Hashable, Sendable {
        /// The decoded name.
        public var name: String
        /// The decoded value; empty where there is no `=`.
        public var value: String
    }

    /// The method, in the case it was sent in.
    public var method: String
    /// The path as it was sent, percent-encoded, without the query.
    public var path: String
    /// The decoded segments of the path, `/` itself being one empty segment.
    public var segments: [String]
    /// The parameters of the query, decoded, in order.
    public var query: [QueryItem]
    /// The header fields.
    public var fields: HTTPFields
    /// The request's id: in logs, in answers, and for the work that it starts.
    public var id: String

    /// Takes a target apart (RFC 9112, section 3.2).
    ///
    /// - Parameters:
    ///   - target: a path with or without a query; or both behind a scheme and an authority, which are left out.
    ///   - id: what the request is called.
    /// - Throws: `HTTPError.malformedTarget` where the path or the query can't be decoded.
    public init(
        method: String, target: String, fields: HTTPFields, id: String = ""
    ) throws(HTTPError) {
        self.id = id
        let origin = Self.origin(of: target)
        let mark = origin.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.method = method
        self.fields = fields
        path = String(origin[..<(mark ?? origin.endIndex)])
        segments = try Self.segments(of: path)
        query = try mark.map { mark throws(HTTPError) in try Self.query(origin[mark...].dropFirst()) } ?? []
    }

    /// The path of a target as it was sent.
    static func path(of target: String) -> String { String(origin(of: target).prefix { $0 != "?" }) }

    private static func origin(of target: String) -> Substring {
        guard target.utf8.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: "://") else {
            return target[...]
        }
        return target[scheme.upperBound...].drop { $0 != "/" }
    }

    private static func query(_ text: Substring) throws(HTTPError) -> [QueryItem] {
        var items: [QueryItem] = []
        for item in text.split(separator: "&") {
            let halves = item.replacing("+", with: " ").split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(String(halves[0])),
                let value = PercentEncoding.decode(halves.count > 1 ? String(halves[1]) : "")
            else { throw .malformedTarget }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    /// The value of the first query parameter of a name.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    private static func segments(of path: String) throws(HTTPError) -> [String] {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .malformedTarget }
        var segments: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(String(Substring(part))) else { throw .malformedTarget }
            segments.append(segment)
        }
        return segments
    }
}
