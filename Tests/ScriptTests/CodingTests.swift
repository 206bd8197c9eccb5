import Columns
import RealmMigration
import RealmModel
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptWire

/// Messages on the socket are read as they were written, and cut anywhere they are refused.
@Suite struct CodingTests {
    private let task: ScriptTask

    init() throws {
        let realm = try TestRealm(HostLimitsTests.realm)
        let request = MigrationRequest(
            source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 9, mode: .manual,
            migration: DeclaredMigration(
                renames: [PropertyRename(className: "A", from: "n", to: "m")],
                classRenames: [ClassRename(from: "B", to: "C")],
                primaryKeyPolicies: [PrimaryKeyPolicy(className: "A", onDuplicate: .merge, merge: "f")],
                nullability: .keep, applyDefaults: .existing), resolveEmbeddedConstraints: true, addedRequired: .absent,
            origin: ScriptOrigin(source: .uuid(3), milliseconds: -5))
        let served = ServedStore(realm.store, source: realm.snapshot)
        let supplies = try SegmentSupplies(of: realm.snapshot, from: served)
        #expect(!supplies.columns.isEmpty && !supplies.segments.isEmpty)
        task = .migrate(
            MigrationTask(
                rowGroups: RowGroupLimits(rows: 5, bytes: 6), script: ScriptSource(.javaScript, "x\u{0}y"),
                createdLimit: 1 << 40, usesColumns: false,
                parts: [MigrationTask.Part(request: request), MigrationTask.Part(request: request, supplies: supplies)])
        )
    }

    @Test func `reads a migration as it was written`() throws {
        guard case .migrate(let read) = try ScriptTask(task.bytes), case .migrate(let task) = task else {
            Issue.record("another task")
            return
        }
        #expect(read.rowGroups == task.rowGroups)
        #expect(read.script == task.script)
        #expect(!read.usesColumns && read.createdLimit == 1 << 40)
        #expect(read.parts.map(\.supplies) == task.parts.map(\.supplies))
        for (read, part) in zip(read.parts, task.parts) { expect(read.request, part.request) }
    }

    private func expect(_ read: MigrationRequest, _ written: MigrationRequest) {
        #expect(read.origin == written.origin && written.origin != nil)
        #expect(read.source == written.source)
        #expect(read.target == written.target)
        #expect(read.targetVersion == 9)
        #expect(read.mode == .manual)
        #expect(read.migration == written.migration)
        #expect(read.resolveEmbeddedConstraints && read.addedRequired == .absent)
    }

    @Test func `reads a check as it was written`() throws {
        let script = ScriptSource(.javaScript, "x")
        guard case .check(script) = try ScriptTask(ScriptTask.check(script).bytes) else {
            Issue.record("another task")
            return
        }
    }

    @Test func `refuses a task that is cut anywhere`() throws {
        let bytes = task.bytes
        for count in bytes.indices {
            #expect(throws: ColumnError.self) { try ScriptTask(Array(bytes.prefix(count))) }
        }
    }

    @Test func `carries errors whole`() throws {
        let error = MigrationError(
            .typeMismatch, "text", script: .exception,
            details: [
                ProblemItem(
                    "detail", pointer: "/a", className: "A", property: "p", key: ObjectKey(-1),
                    primaryKey: .string("k"), step: .max, line: 2, column: 3, offset: 4), ProblemItem(""),
            ], stack: ["inner (2:3)", "outer (9:1)"], objectsDone: 17)
        #expect(try MigrationCoding.decodeError(MigrationCoding.encode(error)) == error)
    }

    @Test func `carries results and progress whole`() throws {
        let realm = try TestRealm(HostLimitsTests.realm)
        let result = MigrationResult(snapshot: realm.snapshot, scriptRan: true, warnings: ["a", "b"])
        let read = try MigrationCoding.decodeResult(MigrationCoding.encode(result))
        #expect(read.snapshot == result.snapshot && read.scriptRan && read.warnings == result.warnings)
        let progress = MigrationProgress(phase: "script", className: "A", objectsDone: 1, objectsTotal: 1 << 40)
        #expect(try MigrationCoding.decodeProgress(MigrationCoding.encode(progress)) == progress)
    }

    @Test(arguments: LogLevel.allCases)
    func `carries reports whole`(level: LogLevel) throws {
        let progress = MigrationProgress(phase: "script", className: nil, objectsDone: 1, objectsTotal: 2)
        guard case .progress(progress) = try ScriptReport(ScriptReport.progress(progress).bytes),
            case .line("a\u{0}b", level) = try ScriptReport(ScriptReport.line("a\u{0}b", level).bytes)
        else {
            Issue.record("another report")
            return
        }
    }

    @Test func `refuses reports that no host makes`() {
        let tooLong = [UInt8](repeating: 1, count: ScriptReport.lineBytes + 2)
        for bytes in [[], [255], tooLong] { #expect(throws: ColumnError.self) { try ScriptReport(bytes) } }
    }
}
