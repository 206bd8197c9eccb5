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
        lines.append(Field(name: name, value: value))
    }

    /// The values of all lines of a name, joined by commas (RFC 9110, section 5.2); setting replaces them all.
    public subscript(_ name: String) -> String? {
        get {
            let wanted = name.lowercased()
            let values = lines.filter { $0.name.lowercased() == wanted }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            let wanted = name.lowercased()
            lines.removeAll { $0.name.lowercased() == wanted }
            if let newValue { append(name, newValue) }
        }
    }
}
