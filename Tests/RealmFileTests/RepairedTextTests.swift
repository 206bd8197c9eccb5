import Columns
import RealmModel
import Testing

@testable import RealmFile

/// Texts that are no valid UTF-8 come back as others, and that is told.
struct RepairedTextTests {
    private static let marker = "MARKED"
    private static let repaired = "M\u{FFFD}\u{FFFD}KED"
    private static let other = Array("MORKED".utf8)

    private static let places: [(Property, Value)] = [
        (Property("p", .string, isOptional: true), .string(marker)),
        (Property("p", .string, isOptional: true), .string(marker + String(repeating: "medium ", count: 5))),
        (Property("p", .string, isOptional: true), .string(marker + String(repeating: "large ", count: 2_000))),
        (Property("p", .string, collection: .list), .list([.string("a"), .string(marker)])),
        (
            Property("p", .string, collection: .dictionary),
            .dictionary([DictionaryEntry("a", .string(marker)), DictionaryEntry("b", .string("c"))])
        ),
        (
            Property("p", .string, collection: .dictionary),
            .dictionary([DictionaryEntry("MA", .string("a")), DictionaryEntry(marker, .string("b"))])
        ),
        (Property("p", .mixed, isOptional: true), .string(marker)),
        (Property("p", .mixed, isOptional: true), .list([.dictionary([DictionaryEntry(marker, .string(marker))])])),
        (Property("p", .mixed, collection: .list, isOptional: true), .list([.int(1), .string(marker)])),
    ]

    @Test(arguments: places.indices)
    func `counts texts that are no valid UTF-8 by class and property`(_ place: Int) throws {
        let (property, value) = Self.places[place]
        let bytes = try Self.file([property], [value])
        #expect(try Self.read(bytes).report == ReadingReport())
        #expect(try RescuedRealm.read(bytes).1.isWhole)
        let broken = try Self.breaking(bytes)
        let count = place == 7 ? 2 : 1
        let (read, report) = try Self.read(broken)
        #expect(
            report.repairedTexts == [ReadingReport.RepairedTexts(className: "Source", property: "p", count: count)])
        let wanted = Self.replacing(value)
        #expect(read.objects["Source"]?.map(\.values.last) == [Self.nothing(property), wanted, Self.nothing(property)])
        let (rescued, told) = try RescuedRealm.read(broken)
        #expect(rescued.objects["Source"]?.map(\.values) == read.objects["Source"]?.map(\.values))
        #expect(!told.isWhole && told.hasSuspects)
        let part = try #require(told.classes[0].properties.first)
        #expect(part.name == "p" && part.isWhole)
        #expect(part.suspectValues == 1 && part.suspectKeys.ranges == [.init(4, 4)])
    }

    @Test func `counts each of the objects that have a distinct text of a list of them`() throws {
        var file = CraftedFile()
        let values = file.node(
            .cells, width: 4, count: 2, payload: Array("good\0\0\0\u{3}bad".utf8) + [0xff, 0, 0, 0, 3])
        let table = file.table(
            types: file.array([2]), names: file.names(["s"]), attributes: file.array([0]), keys: file.array([2 << 16]),
            enumerations: file.array([values], flags: 0x40), objects: 4, leaves: [file.array([1, 0, 1, 1])])
        let bytes = file.finish(table: table)
        let (read, report) = try Self.read(bytes)
        #expect(
            read.objects["A"]?.map(\.values)
                == ["bad\u{FFFD}", "good", "bad\u{FFFD}", "bad\u{FFFD}"].map { [.string($0)] })
        #expect(report.repairedTexts == [ReadingReport.RepairedTexts(className: "A", property: "s", count: 3)])
        let told = try RescuedRealm.read(bytes).1
        #expect(told.classes[0].properties.map(\.suspectValues) == [3])
        #expect(told.classes[0].properties[0].suspectKeys.ranges == [.init(0, 0), .init(2, 3)])
    }

    @Test func `takes U+0000 for a character`() throws {
        let value = Value.string("\0a\0\0b\0")
        let (read, report) = try Self.read(try Self.file([Property("p", .string, isOptional: true)], [value]))
        #expect(read.objects["Source"]?.map(\.values.last) == [.null, value, .null])
        #expect(report == ReadingReport())
    }

    @Test func `refuses a primary key, and a rescue names it`() throws {
        let bytes = try Self.file([], [], keys: ["MARKED1", "MARKED2", "M\u{FFFD}\u{FFFD}KED1"])
        // Both become the text that the third has, but for the digits.
        let broken = try Self.breaking(bytes)
        let error = try #require(throws: InputError.self) { try Self.read(broken) }
        #expect(error.message.contains("a primary key that is no valid UTF-8"))
        #expect(error.details.first?.className == "Source" && error.details.first?.key == ObjectKey(1))
        let (rescued, report) = try RescuedRealm.read(broken)
        #expect(rescued.objects["Source"]?.map(\.key) == [1, 4])
        #expect(report.classes[0].lost.map(\.reason) == [.duplicatePrimaryKey])
        #expect(report.classes[0].properties.map(\.suspectValues) == [2])
    }

    @Test(arguments: [
        Property("p", .string, collection: .set), Property("p", .mixed, collection: .set, isOptional: true),
    ])
    func `refuses sets, of which a rescue has each element once and in order`(_ property: Property) throws {
        let elements = ["MARKED", "MORKED", "Z"].map { Value.string($0) }
        let broken = try Self.breaking(try Self.file([property], [.list(elements)]), both: true)
        let error = try #require(throws: InputError.self) { try Self.read(broken) }
        #expect(error.message.contains("a set has a text that is no valid UTF-8"))
        #expect(error.details.first?.property == "p" && error.details.first?.key == ObjectKey(4))
        let (rescued, report) = try RescuedRealm.read(broken)
        #expect(rescued.objects["Source"]?[1].values.last == .list([.string(Self.repaired), .string("Z")]))
        let part = try #require(report.classes[0].properties.first)
        #expect(part.lostElements == 1 && part.suspectKeys.ranges == [.init(4, 4)])
    }

    @Test func `refuses keys of a dictionary that would become the same`() throws {
        let property = Property("p", .string, collection: .dictionary)
        let entries = ["MARKED", "MORKED"].map { DictionaryEntry($0, .string("x")) }
        let broken = try Self.breaking(try Self.file([property], [.dictionary(entries)]), both: true)
        let error = try #require(throws: InputError.self) { try Self.read(broken) }
        #expect(error.message.contains("keys of a dictionary that are no valid UTF-8"))
        let (rescued, report) = try RescuedRealm.read(broken)
        #expect(
            rescued.objects["Source"]?[1].values.last == .dictionary([DictionaryEntry(Self.repaired, .string("x"))]))
        #expect(report.classes[0].properties.map(\.lostElements) == [1])
    }

    @Test(arguments: [true, false])
    func `refuses names of classes and of properties, and a rescue doubts all of the class`(isClass: Bool) throws {
        let property = Property(isClass ? "p" : Self.marker, .int)
        let bytes = try Self.file([property], [.int(7)], className: isClass ? Self.marker : "Source")
        let broken = try Self.breaking(bytes)
        let error = try #require(throws: InputError.self) { try Self.read(broken) }
        #expect(error.message.contains("a name that is no valid UTF-8"))
        let (rescued, report) = try RescuedRealm.read(broken)
        #expect(report.classes.map(\.isDescriptionSuspect) == [true] && !report.isWhole)
        let schema = rescued.snapshot.classes[0].schema
        #expect((isClass ? schema.name : schema.properties[1].name) == Self.repaired)
    }

    // MARK: Files

    /// A class of the objects 1, 4 and 9, of which the second has some values.
    private static func file(
        _ properties: [Property], _ values: [Value], keys: [String] = ["a", "b", "c"], className: String = "Source"
    ) throws -> [UInt8] {
        let store = MemorySegmentStore()
        let schema = ObjectSchema(
            className, primaryKey: "id", properties: [Property("id", .string)] + properties)
        let writer = ClassWriter(schema: schema, store: store)
        for (key, id) in zip([1, 4, 9] as [Int64], keys) {
            try writer.columns[0].append(.string(id))
            for (index, property) in properties.enumerated() {
                try writer.columns[index + 1].append(key == 4 ? values[index] : nothing(property))
            }
            try writer.endRow(key: ObjectKey(key))
        }
        let stored = try writer.finish(nextSequence: 10)
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
        return try WrittenRealm(snapshot, from: store).bytes
    }

    private static func nothing(_ property: Property) -> Value {
        switch property.collection {
        case .none: property.isOptional ? .null : .int(0)
        case .list, .set: .list([])
        case .dictionary: .dictionary([])
        }
    }

    private static func read(_ bytes: [UInt8]) throws -> (ReadRealm, report: ReadingReport) {
        try bytes.withUnsafeBytes {
            let store = MemorySegmentStore()
            let reader = try RealmFileReader(bytes: $0)
            return (try ReadRealm(try reader.read(into: store), store), try reader.report())
        }
    }

    /// The file with two bytes of each marker, outside the search index, in the place of which no UTF-8 has any.
    ///
    /// - Parameter both: whether another text becomes the same.
    private static func breaking(_ bytes: [UInt8], both: Bool = false) throws -> [UInt8] {
        var broken = bytes
        let marker = Array(marker.utf8)
        for offset in 0..<bytes.count - marker.count where bytes[offset] == marker[0] {
            let run = bytes[offset..<offset + marker.count]
            guard run.elementsEqual(marker) || both && run.elementsEqual(other) else { continue }
            broken[offset + 1] = run.elementsEqual(marker) ? 0xc0 : 0xff
            broken[offset + 2] = 0xff
        }
        try #require(broken != bytes)
        return broken
    }

    private static func replacing(_ value: Value) -> Value {
        switch value {
        case .string(let text): .string(text.replacing(marker, with: repaired))
        case .list(let elements): .list(elements.map(replacing))
        case .dictionary(let entries):
            .dictionary(entries.map { DictionaryEntry($0.key.replacing(marker, with: repaired), replacing($0.value)) })
        default: value
        }
    }
}
