import Columns
import Foundation
import RealmModel
import Testing

@testable import RealmFile

/// Zeros in files that the project writes: what a disk left of values is lost or suspect, and what was zero is neither.
struct RescuedZerosTests {
    private static let objectCount = 20_000

    /// A realm of one class with a property, and the file that it is.
    private static func file(
        _ type: PropertyType, isOptional: Bool = true, _ value: (Int) -> Value
    ) throws -> [UInt8] {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("p", type, isOptional: isOptional)])
        let writer = ClassWriter(schema: schema, store: store, limits: .standard)
        for key in 0..<objectCount {
            try writer.columns[0].append(value(key))
            try writer.endRow(key: ObjectKey(Int64(key)))
        }
        let stored = try writer.finish(nextSequence: Int64(objectCount))
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
        return try WrittenRealm(snapshot, from: store).bytes
    }

    /// The keys at which something else came back than was there, those that are missing included.
    private static func different(_ rescued: ReadRealm, from original: ReadRealm) -> Set<Int64> {
        let found = Dictionary(uniqueKeysWithValues: (rescued.objects["A"] ?? []).map { ($0.key, $0.values) })
        return Set((original.objects["A"] ?? []).filter { found[$0.key] != $0.values }.map(\.key))
    }

    @Test(arguments: [0, 1, 3, 500, 1777])
    func `loses the texts that were zeroed, and names them`(_ offset: Int) throws {
        var bytes = try Self.file(.string) { .string("text \($0)") }
        let original = try ReadRealm(bytes)
        let start = bytes.count / 2 + offset
        for place in start..<start + 2000 { bytes[place] = 0 }
        let (rescued, report) = try RescuedRealm.read(bytes)
        let different = Self.different(rescued, from: original)
        #expect(!different.isEmpty && !report.isWhole)
        let told = try #require(report.classes.first)
        for key in different {
            #expect(
                told.lost.contains { $0.keys.contains(key) } || told.properties.contains { $0.keys.contains(key) }
                    || told.suspectKeys.contains(key), "\(key)")
        }
        for object in rescued.objects["A"] ?? [] {
            if case .string(let text) = object.values[0] { #expect(!text.utf8.contains(0)) }
        }
    }

    @Test(arguments: [PropertyType.int, .double])
    func `keeps the numbers that stand in a long run of zeros, and calls them suspect`(_ type: PropertyType) throws {
        func value(_ key: Int) -> Value { type == .int ? .int(Int64(key) << 40 + 1) : .double(Double(key) + 0.1) }
        for place in [0, 8, 333, 1000] {
            var bytes = try Self.file(type, isOptional: false, value)
            let original = try ReadRealm(bytes)
            let start = bytes.count / 2 + place
            for place in start..<start + 1000 { bytes[place] = 0 }
            let (rescued, report) = try RescuedRealm.read(bytes)
            let told = try #require(report.classes.first)
            let different = Self.different(rescued, from: original)
            #expect(!different.isEmpty && !report.isWhole)
            for key in different {
                let suspect = told.properties.first?.suspectKeys.contains(key) ?? false
                #expect(
                    suspect || told.lost.contains { $0.keys.contains(key) } || told.suspectKeys.contains(key), "\(key)")
            }
        }
    }

    @Test func `loses nothing of genuine zeros, and suspects none`() throws {
        let zeros: [(PropertyType, Value)] = [
            (.int, .int(0)), (.double, .double(0)), (.bool, .bool(false)), (.string, .string("")),
            (.string, .string("\0\0\0")), (.data, .data([UInt8](repeating: 0, count: 20))),
            (.date, .date(Timestamp(seconds: 0, nanoseconds: 0))),
        ]
        for (type, value) in zeros {
            let bytes = try Self.file(type, isOptional: false) { _ in value }
            let (rescued, report) = try RescuedRealm.read(bytes)
            #expect(Self.different(rescued, from: try ReadRealm(bytes)).isEmpty, "\(type)")
            let suspects = report.classes.first?.properties.reduce(0) { $0 + $1.suspectValues } ?? 0
            #expect(report.lostCount == 0 && suspects * 20 <= Self.objectCount, "\(type): \(suspects)")
        }
    }

    @Test func `takes U+0000 in the name of a class for a character`() throws {
        let names = ["a\0b", "\0b"]
        let store = MemorySegmentStore()
        let classes = try names.map { name in
            let writer = ClassWriter(schema: ObjectSchema(name, properties: [Property("p", .int)]), store: store)
            try writer.columns[0].append(.int(5))
            try writer.endRow(key: ObjectKey(0))
            return try writer.finish(nextSequence: 1)
        }
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema(classes.map(\.schema)), classes: classes)
        let bytes = try WrittenRealm(snapshot, from: store).bytes
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(try report.isWhole && rescued.differences(from: ReadRealm(bytes)) == [])
        #expect(rescued.snapshot.declared.classes.map(\.name) == names)
    }

    @Test(
        .enabled(if: SharedFiles.root != nil, "shared files are missing"),
        arguments: [
            "damaged/first-page-zeroed", "upstream/core13_test_upgrade_progress_3",
        ])
    func `fails where no object of a file with data is left`(_ name: String) throws {
        let bytes = try SharedFiles.bytes(try #require(SharedFiles.root).appending(path: "realms/\(name).realm"))
        #expect(throws: InputError.self) { try RescuedRealm.read(bytes) }
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `reads the newest commit that is complete where the header names none`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/damaged")
        let intact = try ReadRealm(try SharedFiles.bytes(folder.appending(path: "header-zeroed.intact.realm")))
        let (rescued, report) = try RescuedRealm.read(
            try SharedFiles.bytes(folder.appending(path: "header-zeroed.realm")))
        #expect(report.topRef == 6840 && report.source == .scan && rescued.snapshot.schemaVersion == 2)
        #expect(rescued.differences(from: intact) == [])
    }

    @Test func `believes in an empty realm only where the file is empty`() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8))
        #expect(try RescuedRealm.read(bytes).1.isWhole)
        #expect(try ReadRealm(bytes).snapshot.classes.isEmpty)
        bytes[4000] = 1
        #expect(throws: InputError.self) { try RescuedRealm.read(bytes) }
        let error = try #require(throws: InputError.self) { try ReadRealm(bytes) }
        #expect(error.code == .damaged && error.details.first?.offset == 4000)
    }
}
