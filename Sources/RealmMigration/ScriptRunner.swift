import Columns
import RealmModel

/// The language of a script.
public enum ScriptLanguage: String, Hashable, Sendable {
    case javaScript = "javascript"
    case swift
    /// JavaScript that Swift was lowered to, between this program and its hosts.
    case loweredSwift = "lowered swift"
}

/// A migration function as text.
public struct ScriptSource: Hashable, Sendable {
    /// The language of the program.
    public var language: ScriptLanguage
    /// The program that declares `migrate` or `onMigration`; of Swift a document with its files.
    public var source: String

    /// Wraps a script.
    public init(_ language: ScriptLanguage, _ source: String) {
        self.language = language
        self.source = source
    }
}

/// The limits of a script, at which it is stopped.
public struct ScriptLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int

    /// The limits of its output, together with that of the scripts before it.
    public var output: OutputLimits
    /// The output of the scripts that ran before it in the same job.
    public var made = ScriptOutput()

    /// Sets all limits; ten minutes and 384 MiB unless said otherwise.
    public init(timeoutSeconds: Double = 600, memoryBytes: Int = 384 << 20, output: OutputLimits = OutputLimits()) {
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
        self.output = output
    }
}

/// Follows a migration that runs elsewhere; called from the thread that runs it.
public protocol MigrationObserver: AnyObject {
    /// The migration got further; called some times a second at most.
    func progressed(to progress: MigrationProgress)
    /// The script or the engine has a line for the job's log.
    func logged(_ line: String, level: LogLevel)
    /// Asked some times a second; true stops the migration.
    var isCancelled: Bool { get }
}

/// One of the migrations of a slice.
public struct ScriptedMigration {
    /// The request, with the script.
    public var request: MigrationRequest
    /// Has the segments of its source, and takes the new ones.
    public var store: any SegmentStore
    /// Follows it.
    public var observer: any MigrationObserver

    /// Describes a migration.
    public init(_ request: MigrationRequest, store: any SegmentStore, observer: any MigrationObserver) {
        self.request = request
        self.store = store
        self.observer = observer
    }
}

/// Runs migrations that have a script, apart from this process.
public protocol ScriptRunner: Sendable {
    /// Runs a slice: migrations by the same script, one after the other, each in a world of its own and with the limits for itself.
    ///
    /// Those of a slice of several are small.
    ///
    /// - Parameter app: whose migrations they are: where scripts of one app could leave something behind, nothing of it meets
    ///   scripts of another. Nil for a run that is to meet nothing at all.
    /// - Returns: the results of the first ones, of one at least. A `MigrationError` has `script` set where the script is at
    ///   fault. The others have not begun.
    /// - Throws: what the store throws; `MigrationError` where none could begin, or they were cancelled.
    func run(
        _ migrations: [ScriptedMigration], of app: UUID?, limits: ScriptLimits
    ) throws -> [Result<MigrationResult, MigrationError>]
}
