import Columns
import Foundation
import RealmFile
import RealmFormats
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

    private func decode(_ text: String, as format: RealmFormat = .json, in pool: HostPool) throws -> Snapshot {
        try withFile(Array(text.utf8)) {
            try SandboxedDecoder(hosts: pool).decode($0, as: format, into: store, of: Self.app).snapshot
        }
    }

    private func withFile<Value>(_ bytes: [UInt8], _ body: (Int32) throws -> Value) throws -> Value {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(bytes, 1, bytes.count, file)
        fflush(file)
        return try body(fileno(file))
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
        #expect(throws: HostFailure.self) { try decode("", as: RealmFormat("trap", mediaType: ""), in: pool) }
    }

    @Test func `takes nothing of a refused file for the next one's`() throws {
        let pool = try pool()
        for _ in 0..<3 {
            #expect(throws: InputError(.damaged, "in the middle")) {
                try decode("", as: RealmFormat("refuse in the middle", mediaType: ""), in: pool)
            }
            #expect(try decode(Self.realm, in: pool)["A"]?.objectCount == 1)
        }
    }

    @Test(arguments: [WorkBudget.Excess.abandoned, .time(seconds: 2)])
    func `ends with the budget of the request`(excess: WorkBudget.Excess) throws {
        // Nobody reads so much before the host is asked about.
        let objects = repeatElement("{\"n\": 1}", count: 2_000_000).joined(separator: ",")
        let text = Self.realm.replacing("{\"n\": 1}", with: objects)
        let pool = try pool()
        WorkBudget.$current.withValue(WorkBudget { excess }) {
            #expect(throws: excess) { try decode(text, in: pool) }
        }
    }

    @Test func `knows no format that the program has not`() throws {
        #expect(throws: InputError(.unsupportedFormat, "There is no decoder for the format csv.")) {
            try decode("", as: RealmFormat("csv", mediaType: ""), in: pool())
        }
    }

    // MARK: Encrypted files

    /// A realm of a few blocks, encrypted.
    private func encryptedRealm(_ key: EncryptionKey) throws -> (plain: Snapshot, bytes: [UInt8]) {
        let objects = (0..<20_000).map { "{\"n\": \($0 &* 7_919)}" }.joined(separator: ",")
        let plain = try decode(Self.realm.replacing("{\"n\": 1}", with: objects), in: pool())
        let options = WritingOptions(encryption: PageEncryption(key: key, counter: 7))
        let write = try #require(RealmFormat.realm.write)
        let next = write(plain, store, options)
        var bytes: [UInt8] = []
        while let chunk = try next() { bytes += chunk }
        return (plain, bytes)
    }

    @Test func `decrypts in the host`() throws {
        let key = try #require(EncryptionKey(bytes: 0..<64))
        let (plain, bytes) = try encryptedRealm(key)
        let decoder = SandboxedDecoder(hosts: try pool())
        let snapshot = try withFile(bytes) { try decoder.decode($0, as: .realm, key: key, into: store).snapshot }
        let values = try [plain, snapshot].map { snapshot in
            let stored = try #require(snapshot["A"])
            let reader = try ClassReader(stored, store: store)
            return try reader.rowGroups.indices.map { try reader.column(0, inGroup: $0).values }
        }
        #expect(values[0] == values[1])
        let summary = try withFile(bytes) { try decoder.summary(of: $0, as: .realm, key: key) }
        #expect(summary.isEncrypted)
        #expect(summary.classes.map(\.objectCount) == [20_000])
        #expect(summary.classes.map(\.schema) == plain.declared.classes)
    }

    @Test func `reads past a damaged page in the host`() throws {
        let key = try #require(EncryptionKey(bytes: 0..<64))
        var (_, bytes) = try encryptedRealm(key)
        bytes[10 * 4096 + 100] ^= 1
        let decoder = SandboxedDecoder(hosts: try pool())
        let realm = try withFile(bytes) { try decoder.decode($0, as: .realm, rescuing: true, key: key, into: store) }
        let report = try #require(realm.report.rescue)
        #expect(report.damagedPages == 1)
        let read = try #require(realm.snapshot["A"]?.objectCount)
        #expect((15_000..<20_000).contains(read) && report.readCount == read)
        #expect(report.readCount + report.lostCount == 20_000)
    }

    @Test func `says that a key does not fit, or that a page is not the one that was written`() throws {
        let key = try #require(EncryptionKey(bytes: 0..<64))
        let bytes = try encryptedRealm(key).bytes
        let decoder = SandboxedDecoder(hosts: try pool())
        for other in [nil, EncryptionKey(bytes: 1..<65)] {
            let error = #expect(throws: InputError.self) {
                try withFile(bytes) { try decoder.decode($0, as: .realm, key: other, into: store) }
            }
            #expect(error?.code == .wrongEncryptionKey)
        }
        // The first page of records, then the pages: the last one of them is read first.
        for page in [1, 2, 10, bytes.count / 4096 - 1] {
            var damaged = bytes
            damaged[page * 4096 + 100] ^= 1
            let error = #expect(throws: InputError.self, "page \(page)") {
                try withFile(damaged) { try decoder.decode($0, as: .realm, key: key, into: store) }
            }
            #expect(error?.code == .damaged && error?.message.contains("encrypted") == true, "page \(page)")
        }
    }

    // MARK: Coding

    @Test func `carries tasks and errors whole`() throws {
        let task = DecodingTask(
            .summarize, format: "realm", rowGroups: RowGroupLimits(rows: 5, bytes: 6), key: EncryptionKey(bytes: 0..<64)
        )
        #expect(try DecodingTask(task.bytes) == task)
        for count in task.bytes.indices {
            #expect(throws: ColumnError.self) { try DecodingTask(Array(task.bytes.prefix(count))) }
        }
        #expect(!"\(task)".contains("63"))
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
