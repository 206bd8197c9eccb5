import Foundation
import RealmModel
import Testing

@testable import RealmFile

/// The data that a rescue reads and does not believe.
struct RescuedDoubtsTests {
    @Test func `doubts the page in which a node would be longer than the file`() throws {
        var file = CraftedFile()
        let blobs = (0..<3).map { index in
            file.node(.blob, count: 100, payload: [UInt8](repeating: UInt8(index + 1), count: 100))
        }
        let table = file.table(
            types: file.array([4]), names: file.names(["d"]), attributes: file.array([16]),
            keys: file.array([4 << 16 | 16 << 22]), objects: 3, leaves: [file.array(blobs, flags: 0x60)])
        var bytes = file.finish(table: table)
        for offset in 0..<8 { bytes[Int(blobs[1]) + offset] = 0xee }
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(rescued.objects["A"]?.map { $0.values == [.null] } == [false, true, false])
        // All of the small file is one page.
        #expect(report.classes[0].isDescriptionSuspect && report.classes[0].suspectObjects == 3)
        #expect(report.classes[0].properties.map(\.lostValues) == [1])
        // A lost value is not suspect, too.
        #expect(report.classes[0].properties.map(\.suspectValues) == [2])
    }

    @Test func `doubts the texts of a leaf of which others can't be read`() throws {
        var file = CraftedFile()
        // The last byte of a text says how many before it are none of it.
        let texts = file.node(.cells, width: 3, count: 3, payload: Array("abc\0xyz\u{7f}d\0\0\u{2}".utf8))
        let table = file.table(
            types: file.array([2]), names: file.names(["s"]), attributes: file.array([16]),
            keys: file.array([2 << 16 | 16 << 22]), objects: 3, leaves: [texts])
        let (rescued, report) = try RescuedRealm.read(file.finish(table: table))
        #expect(rescued.objects["A"]?.map(\.values) == [[.string("abc")], [.null], [.string("d")]])
        let property = try #require(report.classes[0].properties.first)
        #expect(property.keys.ranges == [.init(1, 1)])
        #expect(property.suspectValues == 2 && property.suspectKeys.ranges == [.init(0, 0), .init(2, 2)])
    }

    @Test func `doubts a class two of whose columns have one place, which the reader refuses`() throws {
        var file = CraftedFile()
        let leaves = [file.array([5, 6]), file.array([7, 8])]
        let table = file.table(
            types: file.array([0, 0]), names: file.names(["a", "b"]), attributes: file.array([0, 0]),
            keys: file.array([0, 1 << 30]), objects: 2, leaves: leaves)
        let bytes = file.finish(table: table)
        let error = try #require(throws: InputError.self) { try ReadRealm(bytes) }
        #expect(error.message.contains("two columns at one place"))
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(rescued.objects["A"]?.map(\.values) == [[.int(5), .int(5)], [.int(6), .int(6)]])
        #expect(report.classes.map(\.isDescriptionSuspect) == [true] && !report.isWhole)
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `doubts a class whose primary key is none of its columns`() throws {
        let folder = try #require(SharedFiles.root)
        var bytes = try SharedFiles.bytes(folder.appending(path: "realms/upstream/js_simple.realm"))
        bytes[1183] = 0x2c
        let (_, report) = try RescuedRealm.read(bytes)
        #expect(!report.isWhole)
        #expect(report.classes.filter(\.isDescriptionSuspect).map(\.name) == ["Person"])
    }

    /// What stands for no primary key is zero.
    @Test(arguments: ["random-079", "random-095", "random-119"])
    func `doubts a class whose primary key may have been zeroed`(name: String) throws {
        let fixtures = try #require(Bundle.module.resourceURL?.appending(path: "Fixtures"))
        let bytes = try SharedFiles.bytes(fixtures.appending(path: "\(name).realm"))
        let classes = try ReadRealm(bytes).snapshot.classes.map(\.schema).filter { $0.primaryKey != nil }
        var count = 0
        for node in bytes.withUnsafeBytes({ RealmFileRescue(bytes: $0).currentNodes() }) {
            let header = bytes[node.lowerBound + 4..<node.lowerBound + 8].map { Int($0) }
            guard (12...14).contains(header[1] << 16 | header[2] << 8 | header[3]), header[0] & 0x40 != 0 else {
                continue
            }
            for slot in 2...11 {
                var changed = bytes
                let start = node.lowerBound + 8 + slot * ((1 << (header[0] & 7)) >> 1) / 8
                for offset in start..<min(start + 900, bytes.count) { changed[offset] = 0 }
                guard let (rescued, report) = try? RescuedRealm.read(changed) else { continue }
                for known in classes {
                    let found = rescued.snapshot.classes.first { $0.schema.name == known.name }
                    guard let found, found.schema.primaryKey == nil else { continue }
                    let told = report.classes.first { $0.name == known.name }
                    #expect(told?.isDescriptionSuspect == true, "\(known.name), \(slot)")
                    count += 1
                }
            }
        }
        #expect(count > 0)
    }
}
