import Columns
import Foundation
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// A realm of a test, and the migrations of it in real child processes.
struct TestRealm {
    let store = MemorySegmentStore()
    let snapshot: Snapshot

    /// Reads a realm from Realm JSON, in row groups of a few objects so that each test crosses some.
    init(_ json: String, limits: RowGroupLimits = RowGroupLimits(rows: 3, bytes: 1 << 20)) throws {
        snapshot = try RealmJSONReader(ByteArraySource(Array(json.utf8)), into: store, limits: limits).read()
    }

    /// How a script is run, and what it may use.
    struct Run {
        var usesColumns = true
        var limits = ScriptLimits(timeoutSeconds: 120)
        var observer = TestObserver()
        var mode = SchemaMode.automatic
        var rowGroups = RowGroupLimits(rows: 3, bytes: 1 << 20)
        var app: RealmModel.UUID? = TestRealm.app
        /// Nil for hosts that all tests share.
        var hosts: HostPool?
        /// Nil for the machine's time and chance.
        var origin: ScriptOrigin?
        var targetVersion: UInt64?
    }

    static let app = RealmModel.UUID.uuid(1)

    /// The request of a migration that gives its script a time and chance of its own.
    static let repeatable = MigrationRequest(
        source: Snapshot(schemaVersion: 0, declared: Schema([]), classes: []), target: Schema([]), targetVersion: 1,
        origin: ScriptOrigin(source: .uuid(1), milliseconds: 1_000))

    /// Hosts that do one test's script after the other's: what a script leaves behind, another test falls over.
    private static let hosts = Result {
        HostPool(
            executable: try TestProgram.path(),
            policy: HostPool.Policy(kept: 4))
    }

    /// Migrates to the same schema, or to another, at the next version.
    func migrate(_ source: String, to schema: String? = nil, _ run: Run = Run()) throws -> MigrationResult {
        let target = try schema.map { try TargetJSON(Array("{\"schema\":\($0)}".utf8)).schema }
        let request = MigrationRequest(
            source: snapshot, target: target ?? snapshot.declared,
            targetVersion: run.targetVersion ?? (snapshot.schemaVersion ?? 0) + 1,
            migration: DeclaredMigration(script: ScriptSource(.javaScript, source)), origin: run.origin)
        let host = SandboxedScriptRunner(
            hosts: try run.hosts ?? Self.hosts.get(), rowGroups: run.rowGroups,
            usesColumns: run.usesColumns, suppliesSegments: !run.usesColumns)
        return try MigrationRunner(by: host, of: run.app)
            .run(request, limits: run.limits, store: store, observer: run.observer)
    }

    /// The objects afterwards, as Realm JSON.
    func json(_ source: String, to schema: String? = nil, _ run: Run = Run()) throws -> String {
        let result = try migrate(source, to: schema, run)
        var writer = RealmJSONWriter(result.snapshot, from: store, layout: .document)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.range(of: "\"objects\":").map { String(text[$0.upperBound...].dropLast()) } ?? text
    }

    /// The lines that a script writes to its log.
    func log(_ source: String, to schema: String? = nil, usesColumns: Bool = true) throws -> [String] {
        let run = Run(usesColumns: usesColumns)
        _ = try migrate(source, to: schema, run)
        return run.observer.lines
    }

    /// How a script fails.
    func error(_ source: String, to schema: String? = nil, _ run: Run = Run()) throws -> MigrationError {
        try #require(throws: MigrationError.self) { _ = try migrate(source, to: schema, run) }
    }
}

/// Collects what a migration says, and cancels it after some questions.
final class TestObserver: MigrationObserver {
    var lines: [String] = []
    var levels: [LogLevel] = []
    var progress: [MigrationProgress] = []
    var questionsUntilCancelled = Int.max

    func progressed(to progress: MigrationProgress) { self.progress.append(progress) }
    func logged(_ line: String, level: LogLevel) {
        lines.append(line)
        levels.append(level)
    }

    var isCancelled: Bool {
        questionsUntilCancelled -= 1
        return questionsUntilCancelled < 0
    }
}
