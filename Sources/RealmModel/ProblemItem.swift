/// One thing that is wrong, and where: what bad input, failed migrations, jobs and answers all carry of it.
public struct ProblemItem: Hashable, Sendable {
    /// The problem, without any object's values.
    public var message: String
    /// A JSON pointer (RFC 6901) into the document or the request.
    public var pointer: String?
    /// The class.
    public var className: String?
    /// The property.
    public var property: String?
    /// The object key.
    public var key: ObjectKey?
    /// The object's primary key, where its class has one: for problem documents alone, never for a log.
    public var primaryKey: Value?
    /// The schema version whose script or schema it was.
    public var step: UInt64?
    /// The line of the script or the document, from 1.
    public var line: Int?
    /// The column in that line, from 1; in bytes where it is a document's.
    public var column: Int?
    /// Bytes from the start of the input.
    public var offset: Int?
    /// The name that was probably meant, or what to do; apart from the message, which may be Realm's, word for word.
    public var hint: String?

    /// Describes one thing; as much of its place as is known.
    public init(
        _ message: String, pointer: String? = nil, className: String? = nil, property: String? = nil,
        key: ObjectKey? = nil, primaryKey: Value? = nil, step: UInt64? = nil, line: Int? = nil, column: Int? = nil,
        offset: Int? = nil, hint: String? = nil
    ) {
        self.message = message
        self.pointer = pointer
        self.className = className
        self.property = property
        self.key = key
        self.primaryKey = primaryKey
        self.step = step
        self.line = line
        self.column = column
        self.offset = offset
        self.hint = hint
    }
}
