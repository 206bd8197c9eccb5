import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmExport

/// Exports of embedded objects within each other: columns are counted before they are made.
struct EmbeddedWidthTests {
    /// Embedded classes of which each holds the next twice, below a class of its own.
    private func doubling(_ levels: Int) -> Schema {
        let embedded = (1...levels).map { level in
            ObjectSchema(
                "E\(level)", kind: .embedded,
                properties: level == levels
                    ? [Property("n", .int)]
                    : ["a", "b"].map { Property($0, .object, objectType: "E\(level + 1)", isOptional: true) })
        }
        let top = ObjectSchema(
            "Top", properties: [Property("e", .object, objectType: "E1", isOptional: true)])
        return Schema([top] + embedded)
    }

    @Test func `embedded classes are measured once, however often they are held`() throws {
        let schema = doubling(60)
        var width = EmbeddedWidth(schema.classes.filter(\.isEmbedded)) { _, holdsColumns in holdsColumns ? 0 : 1 }
        #expect(width.work == 59 * 2 + 1)
        let message = "The class Top would have more than 10000 columns, counting those of its embedded objects."
        #expect(
            throws: InputError(.tooLarge, message, details: [ProblemItem(message, className: "Top")])
        ) { try width.check([schema.classes[0]]) }
        #expect(width.work == 59 * 2 + 2)
    }

    @Test(arguments: [ClassFileFormat.parquet])
    func `a Parquet export of millions of columns is refused before it begins`(format: ClassFileFormat) throws {
        let store = MemorySegmentStore()
        let snapshot = try snapshot(of: doubling(40), in: store)
        var writer = try ClassFilesWriter(snapshot, from: store, as: format)
        #expect(throws: InputError.self) { _ = try writer.next() }
    }

    @Test func `embedded classes that hold themselves, or nest too deep, are refused`() throws {
        let ring = ObjectSchema(
            "R", kind: .embedded, properties: [Property("r", .object, objectType: "R", isOptional: true)])
        var width = EmbeddedWidth([ring]) { _, _ in 1 }
        #expect(throws: InputError.self) { try width.check([ring]) }
        let chain = (0..<120).map { level in
            ObjectSchema(
                "C\(level)", kind: .embedded,
                properties: [Property("c", .object, objectType: "C\(level + 1)", isOptional: true)])
        }
        var deep = EmbeddedWidth(chain) { _, _ in 1 }
        #expect(throws: InputError.self) { try deep.check([chain[0]]) }
        try deep.check([chain[60]])
    }

    @Test func `a flattened table has no more columns than the database takes`() throws {
        #expect(throws: InputError.self) {
            try RelationalSchema(doubling(14), rules: .sqlite, flattens: true) { _ in false }
        }
        let made = try RelationalSchema(doubling(8), rules: .sqlite, flattens: true) { _ in false }
        #expect(made.classes[0].columns.count == 255 + 128)
        #expect(made.flattened.count == 8)
    }

    @Test func `a database of more tables than SQLite makes in a moment is refused`() throws {
        let lists = (0..<100).map { Property("p\($0)", .int, collection: .list) }
        let classes = (0..<90).map { ObjectSchema("C\($0)", properties: lists) }
        #expect(throws: InputError.self) { try RelationalSchema(Schema(classes), rules: .sqlite) { _ in false } }
        #expect(throws: Never.self) { try RelationalSchema(Schema(classes), rules: .postgres) { _ in false } }
    }

    @Test func `the files of an archive share what is known of all classes`() throws {
        let store = MemorySegmentStore()
        let classes = (0..<300).map { ObjectSchema("C\($0)", properties: [Property("n", .int)]) }
        let snapshot = try snapshot(of: Schema(classes), in: store)
        var writer = try ClassFilesWriter(snapshot, from: store, as: .parquet)
        var bytes = 0
        while let chunk = try writer.next() { bytes += chunk.count }
        #expect(bytes > 0)
        #expect(writer.relationsMade == 1)
    }

    private func snapshot(of schema: Schema, in store: MemorySegmentStore) throws -> Snapshot {
        let document = JSONValue.object([
            JSONMember("schema", SchemaJSON.encode(schema)), JSONMember("objects", .object([])),
        ])
        return try document.encoded().withUnsafeBytes { try RealmJSONReader(MappedSource($0), into: store).read() }
    }
}
