import RealmEditing
import RealmModel

/// Why a migration failed, in Realm's words where Realm has them.
public struct MigrationError: Error, Hashable, Sendable {
    /// How a script failed; the raw value is the `code` of the problem document.
    public enum ScriptFailure: String, Hashable, Sendable {
        /// The text is no program of its language, or declares no migration function.
        case syntax = "script_syntax_error"
        /// The script threw, or called an operation that Realm refuses.
        case exception = "script_failed"
        /// The script did what no callback of an independent class may.
        case notIndependent = "script_not_independent"
        /// The script took longer than it may.
        case timeLimit = "script_timeout"
        /// The script took more memory than it may.
        case memoryLimit = "script_memory_exceeded"
        /// The script made more than it may: objects, columns, lines of its log.
        case outputLimit = "script_output_exceeded"
        /// The host ended without an answer.
        case crash = "script_host_crashed"
        /// No host could be started.
        case unavailable = "script_host_unavailable"
        /// The migration was cancelled from outside.
        case cancelled = "cancelled"
    }

    /// Realm's name of the error; nil for what a script throws and what only realmshift refuses.
    public var code: RealmErrorCode?
    /// How the script failed, where it is the script that did.
    public var script: ScriptFailure?
    /// The whole message, Realm's own text where Realm has one.
    public var message: String
    /// The single things that are wrong; of a script that threw, the objects in hand.
    public var details: [ProblemItem]
    /// The frames of the user's script where it threw, innermost first: "name (line:column)".
    public var stack: [String]
    /// The objects of the enumeration, or of the call of a function, that were done before the script failed; nil outside of any.
    public var objectsDone: Int?
    /// The findings about the objects until then, the reason of the failure among them where it is one.
    public var findings: [MigrationFinding] = []

    /// Describes a failure.
    public init(
        _ code: RealmErrorCode?, _ message: String, script: ScriptFailure? = nil, details: [ProblemItem] = [],
        stack: [String] = [], objectsDone: Int? = nil
    ) {
        self.code = code
        self.script = script
        self.message = message
        self.details = details
        self.stack = stack
        self.objectsDone = objectsDone
    }
}

extension MigrationError {
    /// The refusal of an operation on objects, as an error of the migration.
    init(_ error: EditingError) { self.init(error.code, error.message, details: error.details) }
}

extension MigrationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
