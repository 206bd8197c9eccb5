import Columns
import Foundation
import RealmModel
import Sandbox
import Testing

@testable import RealmDecoding

/// Files are decoded in hosts, one after the other of the same app.
@Suite(.serialized) struct SandboxedDecoderTests {
    private static let app = RealmModel.UUID(bytes: Array(1...16))
    private static let realm = """
        {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": [{"n": 1}]}}
        """
    private let store = MemorySegmentStore()

    private func pool() throws -> HostPool {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("SandboxTestHost").path
        try #require(FileManager.default.isExecutableFile(atPath: path))
        return HostPool(executable: path, policy: HostPool.Policy(kept: 4))
    }

    private func decode(_ text: String, format: String = "json", in pool: HostPool) throws -> Snapshot {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(text, 1, text.utf8.count, file)
        fflush(file)
        return try SandboxedDecoder(hosts: pool).decode(fileno(file), format: format, into: store, of: Self.app)
    }

    @Test func `decodes an input file`() throws {
        let stored = try #require(try decode(Self.realm, in: pool())["A"])
        #expect(stored.objectCount == 1)
        let values = try ClassReader(stored, store: store).column(0, inGroup: 0).values
        #expect(values == .int([1]))
    }

    @Test(arguments: ["", "{", "[]", "{\"schemaVersion\": 0}"])
    func `hands back what the decoder finds wrong`(input: String) throws {
        #expect(throws: InputError.self) { try decode(input, in: pool()) }
    }

    @Test func `decodes one file after the other in a host`() throws {
        let pool = try pool()
        for count in 1...3 {
            let objects = (0..<count).map { "{\"n\": \($0)}" }.joined(separator: ",")
            let snapshot = try decode(Self.realm.replacing("{\"n\": 1}", with: objects), in: pool)
            #expect(snapshot["A"]?.objectCount == count)
        }
        #expect(throws: InputError.self) { try decode("{", in: pool) }
        #expect(try decode(Self.realm, in: pool)["A"]?.objectCount == 1)
        #expect(throws: HostFailure.self) { try decode("", format: "trap", in: pool) }
    }

    @Test func `takes nothing of a refused file for the next one's`() throws {
        let pool = try pool()
        for _ in 0..<3 {
            #expect(throws: InputError(.damaged, "in the middle")) {
                try decode("", format: "refuse in the middle", in: pool)
            }
            #expect(try decode(Self.realm, in: pool)["A"]?.objectCount == 1)
        }
    }

    @Test func `carries tasks and errors whole`() throws {
        let task = DecodingTask(format: "realm", rowGroups: RowGroupLimits(rows: 5, bytes: 6))
        #expect(try DecodingTask(task.bytes) == task)
        for count in task.bytes.indices {
            #expect(throws: ColumnError.self) { try DecodingTask(Array(task.bytes.prefix(count))) }
        }
        let error = InputError(
            .brokenLink, "text",
            details: [
                ProblemItem(
                    "a", pointer: "/a", className: "A", property: "p", key: ObjectKey(.max), primaryKey: .null,
                    line: 1, column: 2, offset: 3), ProblemItem("b"),
            ])
        #expect(try InputErrorCoding.decode(InputErrorCoding.encode(error)) == error)
    }
}
