import Columns
import RealmMigration
import RealmModel
import Testing

@testable import MigrationScript

/// What crosses the socket is read as it was written, and cut anywhere it is refused.
@Suite struct CodingTests {
    private let task: HostTask

    init() throws {
        let realm = try TestRealm(HostLimitsTests.realm)
        let request = MigrationRequest(
            source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 9, mode: .manual,
            options: MigrationOptions(nullability: .keep, applyDefaults: .existing, resolveEmbeddedConstraints: true),
            renames: [PropertyRename(className: "A", from: "n", to: "m")])
        let served = ServedStore(realm.store, source: realm.snapshot)
        let supplies = try SegmentSupplies(of: realm.snapshot) { try served.answer($0) }
        #expect(!supplies.columns.isEmpty && !supplies.segments.isEmpty)
        task = .migrate(
            MigrationTask(
                rowGroups: RowGroupLimits(rows: 5, bytes: 6), request: request,
                script: ScriptSource(language: "javascript", source: "x\u{0}y"), usesColumns: false,
                supplies: supplies))
    }

    @Test func `reads a migration as it was written`() throws {
        guard case .migrate(let read) = try #require(try HostTask(task.frame)), case .migrate(let task) = task else {
            Issue.record("another task")
            return
        }
        #expect(read.rowGroups == task.rowGroups)
        #expect(read.script == task.script)
        #expect(!read.usesColumns)
        #expect(read.request.source == task.request.source)
        #expect(read.request.target == task.request.target)
        #expect(read.request.targetVersion == 9)
        #expect(read.request.mode == .manual)
        #expect(read.request.options == task.request.options)
        #expect(read.request.renames == task.request.renames)
        #expect(read.supplies == task.supplies)
    }

    @Test func `reads the task of a decoder as it was written`() throws {
        let task = DecodeTask(rowGroups: .standard, format: "realm")
        guard case .decode(let read) = try #require(try HostTask(HostTask.decode(task).frame)) else {
            Issue.record("another task")
            return
        }
        #expect(read == task)
    }

    @Test(arguments: [HostProfile.Kind.migrations, .decoding])
    func `reads a profile as it was written`(kind: HostProfile.Kind) throws {
        let profile = HostProfile(kind, memoryBytes: 77 << 20)
        #expect(try HostProfile(profile.frame) == profile)
        #expect(try HostProfile(task.frame) == nil)
        #expect(throws: ColumnError.self) { try HostProfile(Frame(.prepare, [kind.rawValue])) }
    }

    @Test func `refuses a task that is cut anywhere`() throws {
        let frame = task.frame
        for count in frame.payload.indices {
            #expect(throws: ColumnError.self) { try HostTask(Frame(.migrate, Array(frame.payload.prefix(count)))) }
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
        let input = InputError(
            .brokenLink, "text",
            details: [
                ProblemItem(
                    "a", pointer: "/a", className: "A", property: "p", key: ObjectKey(.max), primaryKey: .null,
                    line: 1, column: 2, offset: 3), ProblemItem("b"),
            ])
        #expect(try InputErrorCoding.decode(InputErrorCoding.encode(input)) == input)
    }

    @Test func `carries results and progress whole`() throws {
        let realm = try TestRealm(HostLimitsTests.realm)
        let result = MigrationResult(snapshot: realm.snapshot, scriptRan: true, warnings: ["a", "b"])
        let read = try MigrationCoding.decodeResult(MigrationCoding.encode(result))
        #expect(read.snapshot == result.snapshot && read.scriptRan && read.warnings == result.warnings)
        let progress = MigrationProgress(phase: "script", className: "A", objectsDone: 1, objectsTotal: 1 << 40)
        #expect(try MigrationCoding.decodeProgress(MigrationCoding.encode(progress)) == progress)
    }

    @Test func `bounds the size of a frame`() {
        #expect(Frame.parse(header: [0, 0, 0, 0x40, 64])?.payloadBytes == 1 << 30)
        #expect(Frame.parse(header: [1, 0, 0, 0x40, 64]) == nil)
        #expect(Frame.parse(header: [0, 0, 0, 0, 255]) == nil)
    }
}
