import Columns
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
