import RealmModel

/// Why something failed (RFC 9457): what a request is answered, a job keeps, and a command prints.
public struct ProblemDocument: Hashable, Sendable {
    /// The status that an answer has, 400…599; a job keeps it too.
    public var status: Int
    /// The stable name, in snake_case.
    public var code: String
    /// The problem in sentences; Realm's own text where there is one.
    public var detail: String
    /// Realm's name of the error, where it has one.
    public var realmCode: String?
    /// The single things that are wrong.
    public var errors: [ProblemItem]
    /// The frames of the user's script where it threw, innermost first: "name (line:column)".
    public var stack: [String]
    /// The objects of the enumeration that were done before the script threw; nil outside of any.
    public var objectsDone: Int?
    /// For a client that has to start over: the recovery that takes the changes that it had not sent.
    public var recovery: RealmModel.UUID?
    /// The file that it is about, for programs that read files.
    public var file: String?

    /// Describes a problem; texts and lists are cut where they are too long, wherever they come from.
    public init(
        _ status: Int, _ code: String, _ detail: String, realmCode: String? = nil, errors: [ProblemItem] = [],
        stack: [String] = [], objectsDone: Int? = nil, file: String? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail.bounded()
        self.realmCode = realmCode
        self.errors = ProblemBounds.bounded(errors)
        self.stack = ProblemBounds.bounded(stack: stack)
        self.objectsDone = objectsDone
        self.file = file
    }

    /// The code in words: the same for every problem of its type (RFC 9457, section 3.1.3).
    public var title: String {
        let words = code.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Something that is nobody's business but the operator's.
    public static let internalError = ProblemDocument(500, "internal_error", "The service failed; its log says why.")
    /// The database can't be reached just now.
    public static let databaseUnavailable = ProblemDocument(
        503, "database_unavailable", "The database can't be reached.")
}
