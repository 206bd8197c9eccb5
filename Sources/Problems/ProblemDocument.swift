import RealmModel

/// Why something failed (RFC 9457): what a request is answered, a job keeps, and a command prints.
public struct ProblemDocument: Hashable, Sendable {
    /// The status that an answer has, 400…599; a job keeps it too.
    public var status: Int
    /// The stable name, in snake_case: a `ProblemCode`, or one of another version's.
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
    ///
    /// - Parameter status: one of the code's; the usual one unless it is given.
    public init(
        _ code: ProblemCode, _ detail: String, status: Int? = nil, realmCode: String? = nil, errors: [ProblemItem] = [],
        stack: [String] = [], objectsDone: Int? = nil, file: String? = nil
    ) {
        self.init(
            status ?? code.status, code.rawValue, detail, realmCode: realmCode, errors: errors, stack: stack,
            objectsDone: objectsDone, file: file)
    }

    init(
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
    public var title: String { ProblemCode.title(of: code) }

    /// Something that is nobody's business but the operator's.
    public static let internalError = ProblemDocument(.internalError, "The service failed; its log says why.")
    /// The database can't be reached just now.
    public static let databaseUnavailable = ProblemDocument(
        .databaseUnavailable, "The database can't be reached.")
}
