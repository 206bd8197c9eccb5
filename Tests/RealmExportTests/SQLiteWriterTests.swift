import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmExport

/// Cases that the readers in Tests/Exports can't bring about: links that lead nowhere, and counts that are wrong.
struct SQLiteWriterTests {
    private static let document = """
        {"schemaVersion":3,"schema":[{"name":"A","properties":{"n":"int","a":"A"}}],
        "objects":{"A":[{"_key":1,"n":1,"a":2},{"_key":2,"n":2,"a":null}]}}
        """

    private func snapshot(in store: MemorySegmentStore) throws -> Snapshot {
        try Array(Self.document.utf8).withUnsafeBytes { try RealmJSONReader(MappedSource($0), into: store).read() }
    }

    private func write(_ snapshot: Snapshot, from store: MemorySegmentStore) throws -> [UInt8] {
        var writer = SQLiteWriter(snapshot, from: store)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        return bytes
    }

    @Test func `a database in memory is given whole`() throws {
        let store = MemorySegmentStore()
        let bytes = try write(try snapshot(in: store), from: store)
        #expect(bytes.starts(with: Array("SQLite format 3\0".utf8)))
        let pages = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
        #expect(bytes.count == pages * (Int(bytes[16]) << 8 | Int(bytes[17])))
    }

    @Test func `an index that takes long ends with the budget of the request`() throws {
        let store = MemorySegmentStore()
        let objects = (0..<200_000).map { "{\"_key\":\($0),\"n\":\($0 &* 7919 % 200_000)}" }.joined(separator: ",")
        let document = """
            {"schema":[{"name":"A","properties":{"n":{"type":"int","indexed":true}}}],"objects":{"A":[\(objects)]}}
            """
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store).read()
        }
        var writer = SQLiteWriter(snapshot, from: store)
        // The tables, the rows of thirteen row groups, and the count of them; indexes are left, and then bytes.
        for _ in 0..<15 { #expect(try writer.next() == []) }
        WorkBudget.$current.withValue(WorkBudget { .abandoned }) {
            #expect(throws: WorkBudget.Excess.abandoned) { while try writer.next() != nil {} }
        }
    }

    @Test func `a link to an object that is not there fails the export`() throws {
        let store = MemorySegmentStore()
        var snapshot = try snapshot(in: store)
        let segment = try store.write(
            try ColumnArray([.link(ObjectKey(2)), .link(ObjectKey(77))], as: ColumnType(.object)))
        snapshot.classes[0].columns[1] = .segments(try store.write(column: [segment]))
        #expect(throws: ExportError.brokenReferences(table: "A", count: 1)) { try write(snapshot, from: store) }
    }

    @Test func `a class that has not as many objects as it says fails the export`() throws {
        let store = MemorySegmentStore()
        var snapshot = try snapshot(in: store)
        snapshot.classes[0].objectCount = 3
        #expect(throws: ExportError.wrongCount(className: "A", expected: 3, written: 2)) {
            try write(snapshot, from: store)
        }
    }
}
