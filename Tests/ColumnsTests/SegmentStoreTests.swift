import Columns
import RealmModel
import Testing

@Suite struct SegmentStoreTests {
    @Test(arguments: ColumnType.single)
    func `nulls throughout store nothing`(type: ColumnType) throws {
        let store = MemorySegmentStore()
        let segment = try store.write(try ColumnArray(repeating: .null, count: 5, as: type))
        #expect(segment == Segment(repeating: .null, rowCount: 5))
        #expect(store.storedBytes == 0)
        #expect(try store.read(segment, as: type).nullCount == 5)
    }

    @Test func `what a store has not is missing`() throws {
        let store = MemorySegmentStore()
        let segment = try store.write(segment: [1])
        let column = try store.write(column: [])
        for id in [
            SegmentID(batch: segment.batch, ordinal: 2), SegmentID(batch: segment.batch, ordinal: -1),
            SegmentID(batch: BatchID(high: 1, low: 0), ordinal: 0), column,
        ] {
            #expect(throws: ColumnError.missing(id)) { try store.read(segment: id) }
        }
        #expect(throws: ColumnError.missing(segment)) { try store.read(column: segment) }
    }

    @Test func `a segment of other rows or another layout is damaged`() throws {
        let store = MemorySegmentStore()
        var segment = try store.write(ColumnArray(count: 2, values: .int([1, 2])))
        #expect(throws: ColumnError.self) { try store.read(segment, as: ColumnType(.string)) }
        #expect(throws: ColumnError.self) { try store.read(segment, as: ColumnType(.int, .list)) }
        #expect(try store.read(segment, as: ColumnType(.object)).count == 2)
        segment.rowCount = 3
        #expect(throws: ColumnError.self) { try store.read(segment, as: ColumnType(.int)) }
    }

    @Test func `a constant of another type is refused`() {
        let segment = Segment(repeating: .int(1), rowCount: 2)
        #expect(throws: ColumnError.self) { try MemorySegmentStore().read(segment, as: ColumnType(.string)) }
    }
}
