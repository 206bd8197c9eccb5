/// The header fields of a message, in order; names are case-insensitive (RFC 9110, section 5.1).
public struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// The name as it was sent.
        public var name: String
        /// The value without surrounding white space.
        public var value: String
    }

    /// All field lines, in order.
    public private(set) var lines: [Field]

    /// No fields.
    public init() {
        lines = []
    }

    /// Fields in the order of a literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Adds a field line behind the others.
    public mutating func append(_ name: String, _ value: String) {
        append(Field(name: name, value: value))
    }

    /// Adds other fields behind these.
    public mutating func append(contentsOf other: HTTPFields) { lines += other.lines }

    /// Adds a field line behind the others.
    mutating func append(_ line: Field) { lines.append(line) }

    /// The values of the lines of a name, one by one.
    func values(of name: String) -> [String] {
        lines.lazy.filter { $0.name.isToken(name) }.map(\.value)
    }

    /// Whether a list of tokens (RFC 9110, section 5.6.1) has one, in any case.
    static func list(_ value: String, contains token: String) -> Bool {
        value.split(separator: ",").contains { element in
            element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.isToken(token)
        }
    }

    /// The values of all lines of a name, joined by commas (RFC 9110, section 5.2); setting replaces them all.
    public subscript(_ name: String) -> String? {
        get {
            var joined: String?
            for line in lines where line.name.isToken(name) {
                joined = joined.map { $0 + ", " + line.value } ?? line.value
            }
            return joined
        }
        set {
            lines.removeAll { $0.name.isToken(name) }
            if let newValue { append(name, newValue) }
        }
    }
}
