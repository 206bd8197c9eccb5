/// What is known of a request before its body.
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

    /// Puts a head together.
    ///
    /// - Throws: `HTTPError.malformedTarget` where the path or the query can't be decoded.
    public init(method: String, path: String, query: [(name: String, value: String)], fields: HTTPFields)
        throws(HTTPError)
    {
        self.method = method
        self.path = path
        self.fields = fields
        segments = try Self.segments(of: path)
        self.query = []
        for item in query {
            guard let name = PercentEncoding.decode(item.name), let value = PercentEncoding.decode(item.value) else {
                throw .malformedTarget
            }
            self.query.append(QueryItem(name: name, value: value))
        }
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
