import Columns
import Foundation
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

/// The results of rescuing files that are damaged in a known way, and those that are not.
struct RescueTests {
    private static let whole =
        SharedFiles.fixtures + SharedFiles.decoderCorpus
        + SharedFiles.synced.filter { !$0.description.contains("encrypted") }

    @Test(arguments: whole)
    func `gives of a whole file what the reader gives`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        try Self.expectSame(bytes)
    }

    @Test(arguments: SharedFiles.realms(in: "realms/upstream") + SharedFiles.realms(in: "realms/generated"))
    func `gives of a whole file of any age what the reader gives`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        // Those that are encrypted, and those of interrupted upgrades.
        guard (try? ReadRealm(bytes)) != nil else { return }
        try Self.expectSame(bytes)
    }

    private static func expectSame(_ bytes: [UInt8]) throws {
        let read = try ReadRealm(bytes)
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(report.isWhole, "\(report)")
        #expect(rescued.snapshot.schemaVersion == read.snapshot.schemaVersion)
        #expect(rescued.snapshot.declared == read.snapshot.declared)
        #expect(rescued.snapshot.classes.map(\.nextSequence) == read.snapshot.classes.map(\.nextSequence))
        #expect(rescued.differences(from: read) == [])
    }

    @Test(arguments: ["streaming_copy", "strings_mixed_leaves"])
    func `reads the other clusters where one is damaged`(_ name: String) throws {
        guard let folder = SharedFiles.root else { return }
        let bytes = try SharedFiles.bytes(folder.appending(path: "cases/files/\(name).realm"))
        let places = try ObjectBytes(of: bytes)
        // In the middle of the class that has most of them.
        let clusters = Dictionary(grouping: places.objects) { $0.className }.mapValues {
            Set($0.map(\.cluster)).sorted()
        }
        let most = try #require(clusters.values.max { ($0.count, $1[0]) < ($1.count, $0[0]) })
        try #require(most.count > 1)
        let victim = most[most.count / 2]
        var changed = bytes
        for offset in 4..<8 { changed[places.nodes[victim] + offset] = 0xff }
        #expect(throws: InputError.self) { try ReadRealm(changed) }
        let (rescued, report) = try RescuedRealm.read(changed)
        let lost = places.objects.filter { $0.cluster == victim }
        #expect(report.lostCount >= lost.count && report.source == .current)
        #expect(rescued.contradictions == [])
        let keys = rescued.objects.mapValues { Set($0.map(\.key)) }
        // Embedded objects go with those that they are in.
        let embedded = Set(rescued.snapshot.classes.filter(\.schema.isEmbedded).map(\.schema.name))
        for object in places.objects where !embedded.contains(object.className) {
            #expect(keys[object.className]?.contains(object.key) == (object.cluster != victim))
        }
    }

    @Test(arguments: ["streaming_copy", "strings_mixed_leaves"])
    func `says of no class that it had fewer objects than its inner nodes say`(_ name: String) throws {
        guard let folder = SharedFiles.root else { return }
        let bytes = try SharedFiles.bytes(folder.appending(path: "cases/files/\(name).realm"))
        let places = try ObjectBytes(of: bytes)
        let whole = try RescuedRealm.read(bytes).1.classes
        let clusters = Dictionary(grouping: places.objects) { $0.className }.mapValues {
            Set($0.map(\.cluster)).sorted()
        }
        let (className, most) = try #require(clusters.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) })
        try #require(most.count > 1)
        // A leaf stands where another one has to be.
        let (source, victim) = (places.nodes[most[0]], places.nodes[most[1]])
        var changed = bytes
        for place in 0..<72 { changed[victim + place] = bytes[source + place] }
        let report = try RescuedRealm.read(changed).1
        let count = try #require(whole.first { $0.name == className }?.expected)
        let found = try #require(report.classes.first { $0.name == className })
        #expect(found.expected == nil || found.expected == count)
        #expect(!found.isWhole && found.read < count)
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `believes no number of objects that is less than was found beside what can't be read`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/synced")
        var bytes = try SharedFiles.bytes(folder.appending(path: "sync24-nested.realm"))
        bytes.replaceSubrange(16_384..<20_480, with: bytes[0..<4_096])
        let report = try RescuedRealm.read(bytes).1
        let city = try #require(report.classes.first { $0.name == "City" })
        #expect(city.expected == nil && city.lost.contains { $0.reason == .unreadable } && !report.isWhole)
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `reads the newer commit that the header has beside the current one where both are complete`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/upstream")
        var bytes = try SharedFiles.bytes(folder.appending(path: "default-v2.realm"))
        let read = try ReadRealm(bytes)
        bytes[23] ^= 1
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(report.source == .other && report.isNewerThanCurrent && !report.isWhole && report.newerCommit == nil)
        #expect(rescued.differences(from: read) == [] && report.classes.allSatisfy(\.isWhole))
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"), arguments: 0..<64)
    func `believes no number of a commit that has free space of a later one`(bit: Int) throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/upstream")
        var bytes = try SharedFiles.bytes(folder.appending(path: "default-v2.realm"))
        let read = try ReadRealm(bytes)
        let top = try bytes.withUnsafeBytes { Int(try FileHeader($0).topRef) }
        let width = (1 << Int(bytes[top + 4] & 7)) >> 1
        try #require(width <= 64)
        guard bit < width else { return }
        bytes[top + 8 + (Group.versionSlot * width + bit) / 8] ^= 1 << (UInt8(bit) % 8)
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(report.source == .current || !report.isWhole)
        if report.source == .current { #expect(rescued.differences(from: read) == []) }
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"), arguments: 2...10)
    func `says so where zeros begin in the file's own state in the top array`(slot: Int) throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/synced")
        var bytes = try SharedFiles.bytes(folder.appending(path: "sync24-people.realm"))
        let whole = try RescuedRealm.read(bytes).0
        let top = try bytes.withUnsafeBytes { Int(try FileHeader($0).topRef) }
        let start = top + 8 + slot * ((1 << Int(bytes[top + 4] & 7)) >> 1) / 8
        for offset in start..<start + 600 { bytes[offset] = 0 }
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(rescued.differences(from: whole) == [])
        #expect(report.isOwnStateLost && !report.isWhole)
        #expect((report.snapshotVersion == 0) == (slot <= 6))
    }

    @Test(
        .enabled(if: SharedFiles.root != nil, "shared files are missing"),
        arguments: [("links_many_backlinks", 60), ("sets_all_types", 60), ("strings_medium", 60)])
    func `notices a header that says another size than its node has`(name: String, flips: Int) throws {
        let folder = try #require(SharedFiles.root).appending(path: "cases/files")
        let bytes = try SharedFiles.bytes(folder.appending(path: "\(name).realm"))
        let whole = try RescuedRealm.read(bytes).0
        let nodes = bytes.withUnsafeBytes { RealmFileRescue(bytes: $0).currentNodes() }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<flips {
            let node = nodes[Int.random(in: 0..<nodes.count, using: &generator)]
            let bit = Int.random(in: 0..<32, using: &generator)
            var changed = bytes
            changed[node.lowerBound + 4 + bit / 8] ^= 1 << UInt8(bit % 8)
            guard let (rescued, report) = try? RescuedRealm.read(changed) else { continue }
            // Bits that leave the node as long as it was are not noticed.
            let length = changed.withUnsafeBytes {
                (try? Image($0, formatVersion: 24).uncheckedHeader(at: Int64(node.lowerBound)))?.byteCount
            }
            guard length != (node.count + 7) & ~7 else { continue }
            let isSame = rescued.differences(from: whole) == []
            #expect(isSame || !report.isWhole, "\(name): bit \(bit) of the node at \(node.lowerBound)")
        }
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `names what is not found where tables are found one by one`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "cases/files")
        let bytes = try SharedFiles.bytes(folder.appending(path: "classes_120.realm"))
        // The first page and the last one have exchanged their places.
        let swapped = bytes.suffix(4096) + bytes[4096..<bytes.count - 4096] + bytes.prefix(4096)
        let report = try RescuedRealm.read(Array(swapped)).1
        #expect(report.source == .tables && report.isSchemaVersionLost && report.isOwnStateLost)
        #expect(report.classes.count + report.lostClasses.count == 120)
        #expect(report.lostClasses.sorted() == (0..<9).map { "Class00\($0)" })
    }

    @Test(
        .enabled(if: SharedFiles.root != nil, "shared files are missing"),
        arguments: [("default-v0", 739), ("fileformat-pre-null", 1_107), ("consistency_full_0", 2_535)])
    func `fails where a file ends before its newest commit, and the older one has no object`(
        name: String, length: Int
    ) throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/upstream")
        let bytes = try SharedFiles.bytes(folder.appending(path: "\(name).realm"))
        #expect(throws: InputError.self) { try RescuedRealm.read(Array(bytes.prefix(length))) }
    }

    @Test func `keeps the first of two objects of a primary key`() throws {
        var file = CraftedFile()
        let spec = file.array(
            [file.array([0, 0]), file.names(["id", "n"]), file.array([0, 16]), 0, 0, file.array([0, 1])], flags: 0x40)
        let leaves = [file.array([7, 8, 7, 9, 7]), file.array([-1, 1, 2, 3, 4, 5])]
        let cluster = file.array([5 << 1 | 1] + leaves, flags: 0x40)
        // The column of leaf 0 is the primary key.
        let table = file.array([spec, 0, cluster, 1, 0, 0, 0, 0, 0, 1, 0, 1], flags: 0x40)
        let (rescued, report) = try RescuedRealm.read(file.finish(table: table))
        #expect(rescued.objects["A"]?.map(\.key) == [0, 1, 3])
        #expect(rescued.objects["A"]?.map(\.values) == [[.int(7), .int(1)], [.int(8), .int(2)], [.int(9), .int(4)]])
        let lost = try #require(report.classes.first?.lost)
        #expect(lost.map(\.reason) == [.duplicatePrimaryKey] && lost.map(\.count) == [2])
        #expect(lost.first?.keys.ranges == [.init(2, 2), .init(4, 4)])
    }

    @Test func `leaves out objects without a value that they require, and makes the others null`() throws {
        var file = CraftedFile()
        let spec = file.array(
            [
                file.array([8, 8]), file.names(["must", "may"]), file.array([0, 16]), 0, 0,
                file.array([8 << 16, 8 << 16 | 16 << 22 | 1]),
            ], flags: 0x40)
        // Nanoseconds are less than a second.
        let must = file.array([file.array([-1, 1, 2, 3]), file.array([0, 1 << 40, 0])], flags: 0x40)
        let may = file.array([file.array([-1, 1, 2, 3]), file.array([0, 0, 1 << 40])], flags: 0x40)
        let cluster = file.array([3 << 1 | 1, must, may], flags: 0x40)
        let (rescued, report) = try RescuedRealm.read(
            file.finish(table: file.array([spec, 0, cluster, 1], flags: 0x40)))
        #expect(rescued.objects["A"]?.map(\.key) == [0, 2])
        #expect(rescued.objects["A"]?.last?.values.last == .null)
        let found = try #require(report.classes.first)
        #expect(found.expected == 3 && found.read == 2)
        #expect(found.lost.map(\.reason) == [.requiredValue] && found.lost.map(\.property) == ["must"])
        // Beside a date that can't be read the others of its leaf are doubtful.
        #expect(found.properties.map(\.name) == ["must", "may"] && found.properties.map(\.lostValues) == [0, 1])
        #expect(found.properties.last?.keys.ranges == [.init(2, 2)])
        #expect(found.properties.map(\.suspectKeys.ranges) == [[.init(0, 0), .init(2, 2)], [.init(0, 0)]])
    }

    @Test func `does not take numbers for places in a list of texts`() throws {
        var file = CraftedFile()
        let numbers = file.node(.cells, width: 3, count: 2, payload: [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40])
        let table = file.table(
            types: file.array([9]), names: file.names(["f"]), attributes: file.array([0]), keys: file.array([9 << 16]),
            enumerations: file.array([file.names(["a", "b"])], flags: 0x40), objects: 2, leaves: [numbers])
        let (rescued, _) = try RescuedRealm.read(file.finish(table: table))
        #expect(rescued.objects["A"]?.map(\.values) == [[.float(1)], [.float(2)]])
    }

    @Test func `gives up where no class is left of what was found by itself`() throws {
        let store = MemorySegmentStore()
        let writer = ClassWriter(schema: ObjectSchema("A", properties: [Property("i", .int)]), store: store)
        for key: Int64 in 0..<3 {
            writer.columns[0].append(int: key)
            try writer.endRow(key: ObjectKey(key))
        }
        let stored = try writer.finish(nextSequence: 3)
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema([stored.schema]), classes: [stored])
        let bytes = try WrittenRealm(snapshot, from: store).bytes
        for count in stride(from: bytes.count - 8, to: 24, by: -8) {
            let result = Result { try RescuedRealm.read(Array(bytes[..<count])) }
            guard case .success(let (rescued, report)) = result else { continue }
            #expect(report.readCount > 0 && rescued.snapshot.classes.count == 1, "\(count) of \(bytes.count) bytes")
        }
        let error = #expect(throws: InputError.self) { try RescuedRealm.read(Array(bytes[..<40])) }
        #expect(
            error?.message.contains("it ends before byte") == true
                || error?.message.contains("its end is missing") == true)
        #expect(error?.details.first?.offset == 40)
    }

    @Test func `gives up where the list of classes is empty and nodes that nothing leads to are not`() throws {
        let pair = try #require(SharedFiles.fixtures.first { $0.realm.lastPathComponent == "random-176.realm" })
        var bytes = try SharedFiles.bytes(pair.realm)
        // The names of the classes and their tables: how many there are stands in the header.
        for ref in try FileStructure(bytes).top().prefix(2) {
            for offset in 5...7 { bytes[Int(ref) + offset] = 0 }
        }
        guard case .success(let (_, report)) = Result(catching: { try RescuedRealm.read(bytes) }) else { return }
        #expect(report.readCount > 0 && !report.isWhole, "\(report)")
    }

    @Test func `does not believe in more rows than a leaf can have`() throws {
        var file = CraftedFile()
        let column = file.node(.bits, count: 0xff_ffff)
        let spec = file.array([file.array([0]), file.names(["i"]), file.array([16])], flags: 0x40)
        let table = file.array([spec, file.array([column], flags: 0x40)], flags: 0x40)
        var bytes = file.finish(table: table)
        for offset in 20...21 { bytes[offset] = 9 }
        let error = #expect(throws: InputError.self) { try RescuedRealm.read(bytes) }
        #expect(error?.message.contains("not one object of the class 'A' can be read") == true)
    }

    @Test(arguments: [[16, 20], [0, 23]])
    func `finds the realm of a file whose header is damaged`(_ range: [Int]) throws {
        let pair = try #require(SharedFiles.fixtures.first { $0.realm.lastPathComponent == "random-176.realm" })
        var bytes = try SharedFiles.bytes(pair.realm)
        let original = try ReadRealm(bytes)
        for offset in range[0]..<range[1] { bytes[offset] = 0x5a }
        let (rescued, report) = try RescuedRealm.read(bytes)
        #expect(report.source == .scan && !report.isWhole)
        #expect(rescued.differences(from: original) == [])
    }

    @Test(arguments: [0, 24, 100, 4096, 10_000])
    func `refuses what is no realm at all`(_ count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let error = #expect(throws: InputError.self) { try RescuedRealm.read(bytes) }
        #expect(error?.code == .notARealm || error?.code == .wrongEncryptionKey)
    }

    // MARK: Encrypted files

    private static let encrypted = SharedFiles.root?.appending(path: "cases/files")

    @Test(.enabled(if: encrypted != nil, "shared files are missing"), arguments: [1, 7, 40])
    func `reads the pages of an encrypted file that are whole, and nothing of the others`(_ page: Int) throws {
        let folder = try #require(Self.encrypted)
        let keys = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "KEYS.json")))
        let key = try #require(keys["encrypted_history.realm"]?.string.flatMap { EncryptionKey(hexadecimal: $0) })
        var bytes = try SharedFiles.bytes(folder.appending(path: "encrypted_history.realm"))
        let (original, whole) = try RescuedRealm.read(encrypted: bytes, key)
        #expect(whole.isWhole)
        bytes[EncryptedPage(index: page).offset + 1000] ^= 0x10
        #expect(throws: InputError.self) {
            try bytes.withUnsafeBytes {
                try PlainRealmFile.withBytes(of: $0, key: key, in: WholeMemory()) { _ in }
            }
        }
        let (rescued, report) = try RescuedRealm.read(encrypted: bytes, key)
        #expect(report.damagedPages == 1)
        #expect(rescued.contradictions == [])
        #expect(rescued.inventions(beside: original) == [])
        let other = try #require(EncryptionKey(bytes: [UInt8](repeating: 1, count: 64)))
        let error = #expect(throws: InputError.self) { try RescuedRealm.read(encrypted: bytes, other) }
        #expect(error?.code == .wrongEncryptionKey)
    }
}
