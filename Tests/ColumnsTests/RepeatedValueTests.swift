import Columns
import RealmModel
import Testing

@Suite struct `An array of one value` {
    private static let values: [(Value, ColumnType)] = [
        (.int(-7), ColumnType(.int)), (.null, ColumnType(.int)), (.bool(true), ColumnType(.bool)),
        (.float(1.5), ColumnType(.float)), (.double(-0.0), ColumnType(.double)), (.string("añ"), ColumnType(.string)),
        (.string(""), ColumnType(.string)), (.null, ColumnType(.string)), (.data([1, 2]), ColumnType(.data)),
        (.date(Timestamp(seconds: -1, nanoseconds: -5)), ColumnType(.date)), (.uuid(.zero), ColumnType(.uuid)),
        (.objectId(.zero), ColumnType(.objectId)), (.decimal128(.zero), ColumnType(.decimal128)),
        (.list([.int(1)]), ColumnType(.mixed)), (.link(ObjectKey(3)), ColumnType(.object)),
        (.list([]), ColumnType(.int, .list)), (.list([.int(1), .null]), ColumnType(.int, .list)),
        (.dictionary([]), ColumnType(.string, .dictionary)),
        (.dictionary([DictionaryEntry("k", .string("v"))]), ColumnType(.string, .dictionary)),
    ]

    @Test(arguments: values.indices, [0, 1, 2, 9])
    func `is the array of as many equal values`(index: Int, count: Int) throws {
        let (value, type) = Self.values[index]
        let array = try ColumnArray(repeating: value, count: count, as: type)
        #expect(array.count == count)
        #expect(array.nullCount == (value.isNull ? count : 0))
        for row in 0..<count { #expect(try array.value(at: row, as: type) == value) }
        #expect(try SegmentCoding.decode(SegmentCoding.encode(array)) == array)
    }

    @Test func `refuses a value of another type`() {
        #expect(throws: ColumnError.typeMismatch(expected: ColumnType(.int))) {
            try ColumnArray(repeating: .bool(true), count: 3, as: ColumnType(.int))
        }
    }
}
