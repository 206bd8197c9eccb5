import Columns
import RealmModel

/// A migration function as text.
public struct ScriptSource: Hashable, Sendable {
    /// `javascript`.
    public var language: String
    /// The program that declares `migrate` or `onMigration`.
    public var source: String

    /// Wraps a script.
    public init(language: String, source: String) {
        self.language = language
        self.source = source
    }
}

/// What a script may use before it is stopped.
public struct ScriptLimits: Hashable, Sendable {
    /// Seconds of wall-clock time, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int

    /// What it may make.
    public var output: OutputLimits

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

/// Runs migrations that have a script, apart from this process.
public protocol ScriptHost: Sendable {
    /// Runs a migration and waits for its end.
    ///
    /// - Parameter app: whose migration it is: where scripts of one app could leave something behind, nothing of it meets
    ///   scripts of another. Nil for a run that is to meet nothing at all.
    /// - Throws: `MigrationError`, with `script` set where the script is at fault; what the store throws.
    func run(
        _ request: MigrationRequest, of app: UUID?, script: ScriptSource, limits: ScriptLimits,
        store: any SegmentStore, observer: any MigrationObserver
    ) throws -> MigrationResult
}
