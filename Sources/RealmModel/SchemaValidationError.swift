/// One thing for which Realm refuses a schema.
public struct SchemaValidationError: Error, Hashable, Sendable {
    /// Realm's own text.
    public let message: String
    /// The class that declares what is wrong.
    public let className: String
    /// The property that is wrong, by its stored name; nil where it is the class.
    public let property: String?
    /// The name that was probably meant, or what to do; no word of Realm's.
    public let hint: String?

    init(_ message: String, _ className: String, _ property: String? = nil, hint: String? = nil) {
        self.message = message
        self.className = className
        self.property = property
        self.hint = hint
    }

    /// Realm's whole message: the header, and one line an error.
    public static func text(_ errors: [SchemaValidationError]) -> String {
        SchemaMessageHeader.validationFailed.text(errors.map(\.message))
    }
}

extension SchemaValidationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
