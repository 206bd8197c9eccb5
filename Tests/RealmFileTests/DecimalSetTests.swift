import Columns
import RealmFile
import RealmModel
import Testing

/// Realm's sets of decimals have NaN first, then null; it finds neither of them in another order.
@Suite struct DecimalSetTests {
    @Test(
        arguments: [
            [nil, .notANumber], [nil, .notANumber, .zero], [nil, .zero], [.notANumber, .zero], [nil],
            [.notANumber],
        ] as [[Decimal128?]])
    func `have NaN before null in a file, and the order of values in columns`(elements: [Decimal128?]) throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("s", .decimal128, collection: .set, isOptional: true)])
        let writer = ClassWriter(schema: schema, store: store)
        let values = elements.map { $0.map { Value.decimal128($0) } ?? .null }
        try writer.columns[0].append(.list(values))
        try writer.endRow(key: ObjectKey(0))
        let stored = try writer.finish(nextSequence: 1)
        let source = Snapshot(schemaVersion: 0, declared: Schema([schema]), classes: [stored])
        let written = try WrittenRealm(source, from: store)
        #expect(try written.differences() == [])
        let notANumber = [UInt8](repeating: 0, count: 15) + [0x7c]
        let null = [0xaa] + [UInt8](repeating: 0, count: 14) + [0x7c]
        let hasBoth = elements.contains(nil) && elements.contains(.notANumber)
        #expect(written.bytes.contains(notANumber + null) == hasBoth)
        #expect(!written.bytes.contains(null + notANumber))
    }
}
