/// Why a job failed: the members of a problem document (RFC 9457) that do not depend on HTTP.
public struct JobProblem: Hashable, Sendable, Codable {
    /// The stable code, in snake_case.
    public var code: String
    /// Realm's name of the error, where it has one.
    public var realmCode: String?
    /// The whole message, Realm's own text where there is one.
    public var detail: String
    /// The single things that are wrong.
    public var errors: [Item]

    /// One thing that is wrong, and where; its JSON is that of the API.
    public struct Item: Hashable, Sendable, Codable {
        /// A JSON pointer (RFC 6901) into the request.
        public var pointer: String?
        /// The class.
        public var className: String?
        /// The property.
        public var property: String?
        /// The object key.
        public var key: Int64?
        /// The line of the script, from 1.
        public var line: Int?
        /// The column in that line, from 1.
        public var column: Int?
        /// What is wrong.
        public var message: String

        /// Describes one thing.
        public init(
            pointer: String? = nil, className: String? = nil, property: String? = nil, key: Int64? = nil,
            line: Int? = nil, column: Int? = nil, message: String
        ) {
            self.pointer = pointer
            self.className = className
            self.property = property
            self.key = key
            self.line = line
            self.column = column
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case pointer
            case className = "class"
            case property
            case key
            case line
            case column
            case message
        }
    }

    /// Describes a failure.
    public init(code: String, realmCode: String? = nil, detail: String, errors: [Item] = []) {
        self.code = code
        self.realmCode = realmCode
        self.detail = detail
        self.errors = errors
    }
}
