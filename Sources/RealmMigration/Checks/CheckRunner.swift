import Columns
import RealmModel

/// The result of one assertion about a realm before and after a migration.
public struct RealmCheckResult: Hashable, Sendable {
    /// The function's name.
    public var name: String
    /// Whether it holds.
    public var passed: Bool
    /// The function's message where it does not hold; nil where it gave none.
    public var message: String?
    /// The line where it threw, from 1.
    public var line: Int?
    /// The file of its program; nil where that is in none, or not known.
    public var file: String?

    /// Describes a result.
    public init(name: String, passed: Bool, message: String? = nil, line: Int? = nil, file: String? = nil) {
        self.file = file
        self.name = name
        self.passed = passed
        self.message = message
        self.line = line
    }
}

/// A realm before and after a migration, and functions that say whether it is as it should be.
public struct RealmChecks: Sendable {
    /// Programs that declare functions whose names begin with `check`: each is called with the old and the new realm, and does not
    /// hold where it throws, or answers false or a text.
    public var programs: [ScriptSource]
    /// The realm before.
    public var old: Snapshot
    /// The realm after.
    public var new: Snapshot

    /// Describes checks.
    public init(_ programs: [ScriptSource], old: Snapshot, new: Snapshot) {
        self.programs = programs
        self.old = old
        self.new = new
    }
}

/// Runs assertions about a realm before and after a migration, apart from this process.
public protocol CheckRunner: Sendable {
    /// Runs all functions and waits for what they say; they change nothing.
    ///
    /// - Parameters:
    ///   - app: whose checks they are, as for `ScriptRunner.run`.
    ///   - limits: what all of them may use together.
    ///   - store: has the columns of both realms.
    /// - Returns: the results in the order of the programs and their functions. A program that is none, or declares no such
    ///   function, is a check that fails, and so is the one at which the time is over: it is the last then.
    /// - Throws: `MigrationError` where another limit is exceeded or the checks are cancelled; what the store throws.
    func check(
        _ checks: RealmChecks, of app: UUID?, limits: ScriptLimits, store: any SegmentStore,
        observer: any MigrationObserver
    ) throws -> [RealmCheckResult]
}
