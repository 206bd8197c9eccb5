import Columns
import Glibc
import RealmFile
import RealmModel
import Testing

/// Small files that would take much more memory or time than their size; no Realm writes such.
struct AmplifiedFileTests {
    private static let most = 0xff_ffff

    @Test func `refuses a table of millions of columns that take no bytes`() {
        var file = CraftedFile()
        let zeros = file.node(.bits, count: Self.most)
        let names = file.node(.cells, count: Self.most)
        let table = file.table(types: zeros, names: names, attributes: zeros, keys: zeros, objects: 0, leaves: [])
        #expect(error(of: file.finish(table: table))?.message.contains("a table of 16777215 columns") == true)
    }

    @Test func `refuses a list of millions of distinct strings that take no bytes`() {
        var file = CraftedFile()
        let enumeration = file.node(.cells, count: Self.most)
        let table = Self.stringTable(in: &file, leaf: 0, objects: 0, enumeration: enumeration)
        #expect(error(of: file.finish(table: table))?.message.contains("a leaf of 16777215 elements") == true)
    }

    @Test func `closes row groups of enumerated strings at their size in bytes`() throws {
        var file = CraftedFile()
        let text = [UInt8](repeating: 0x78, count: 4000) + [0]
        let blob = file.node(.blob, count: text.count, payload: text)
        let enumeration = file.array([blob], flags: 0x60)
        let leaf = file.node(.bits, count: 256)
        let table = Self.stringTable(in: &file, leaf: leaf, objects: 256, enumeration: enumeration)
        let (snapshot, store) = try read(file.finish(table: table), limits: RowGroupLimits(rows: 256, bytes: 10_000))
        let reader = try ClassReader(try #require(snapshot["A"]), store: store)
        #expect(reader.stored.objectCount == 256)
        #expect(reader.rowGroups.allSatisfy { $0.rowCount <= 4 })
    }

    /// A leaf of strings, or of data, that many mixed values share.
    @Test(arguments: [3, 5] as [Int64]) func `refuses mixed values that share their bytes`(type: Int64) {
        var file = CraftedFile()
        let text = [UInt8](repeating: 0x78, count: 1 << 18)
        let blob = file.node(.blob, count: text.count, payload: text)
        let ends = file.array([Int64(text.count)])
        let strings = file.array([ends, blob], flags: 0x40)
        let composites = file.array([Int64](repeating: type, count: 256))
        let leaf = file.array([composites, 0, 0, strings], flags: 0x40)
        let types = file.array([6])
        let attributes = file.array([16])
        let keys = file.array([0])
        let names = file.names(["m"])
        let table = file.table(
            types: types, names: names, attributes: attributes, keys: keys, objects: 256, leaves: [leaf])
        #expect(error(of: file.finish(table: table))?.message.contains("mixed values share their bytes") == true)
    }

    @Test func `reads a table of the most columns in a moment`() throws {
        var file = CraftedFile()
        let count = 60_000
        let zeros = file.node(.bits, count: count)
        let names = file.names((0..<count).map { "p\($0)" })
        let leaf = file.node(.bits, count: 0)
        let table = file.table(
            types: zeros, names: names, attributes: zeros, keys: file.array((0..<count).map { Int64($0) }), objects: 0,
            leaves: [Int64](repeating: leaf, count: count))
        let start = Self.threadSeconds()
        let (snapshot, _) = try read(file.finish(table: table))
        #expect(Self.threadSeconds() - start < 20)
        #expect(snapshot["A"]?.schema.properties.count == count)
    }

    /// Time of the processor, whatever other tests take.
    private static func threadSeconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec
    }

    private static func stringTable(
        in file: inout CraftedFile, leaf: Int64, objects: Int, enumeration: Int64
    ) -> Int64 {
        let types = file.array([2])
        let attributes = file.array([0])
        let keys = file.array([0])
        let names = file.names(["s"])
        let enumerations = file.array([enumeration], flags: 0x40)
        return file.table(
            types: types, names: names, attributes: attributes, keys: keys, enumerations: enumerations,
            objects: objects, leaves: [leaf])
    }
}

extension AmplifiedFileTests {
    private func read(_ bytes: [UInt8], limits: RowGroupLimits = .standard) throws -> (Snapshot, MemorySegmentStore) {
        let store = MemorySegmentStore()
        return (try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store, limits: limits) }, store)
    }

    private func error(of bytes: [UInt8]) -> InputError? {
        #expect(throws: InputError.self) { try read(bytes) }
    }
}
