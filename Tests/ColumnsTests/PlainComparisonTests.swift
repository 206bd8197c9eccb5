import RealmModel
import TestRandomness
import Testing

@testable import Columns

/// Cells that are compared without making values of them.
@Suite struct PlainComparisonTests {
    @Test(arguments: ColumnType.all)
    func `what is seen at once to be the same is the same`(_ type: ColumnType) throws {
        var generator = SeededGenerator(seed: 3)
        let values = (0..<40).map { _ in generator.value(of: type) }
        // Each value stands twice at least, at other places of another array.
        let others = Array((values + values.prefix(7)).shuffled(using: &generator))
        let (array, other) = (try ColumnArray(values, as: type), try ColumnArray(others, as: type))
        for row in values.indices {
            for otherRow in others.indices where array.plainlyHolds(other, row: otherRow, at: row) {
                let (value, otherValue) = (try array.value(at: row, as: type), try other.value(at: otherRow, as: type))
                #expect(ValueCoding.bytes(of: value) == ValueCoding.bytes(of: otherValue))
            }
        }
    }

    @Test(arguments: ColumnType.single)
    func `single values are seen to be the same where their bits are`(_ type: ColumnType) throws {
        var generator = SeededGenerator(seed: 4)
        let values = (0..<40).map { _ in generator.value(of: type) }
        let array = try ColumnArray(values, as: type)
        let reversed = try ColumnArray(values.reversed(), as: type)
        for row in values.indices {
            #expect(array.plainlyHolds(reversed, row: values.count - 1 - row, at: row), "\(values[row])")
        }
    }

    @Test(arguments: [PropertyType.int, .string, .objectId, .uuid])
    func `a primary key is held by the rows whose values are the same`(_ type: PropertyType) throws {
        var generator = SeededGenerator(seed: 5)
        let type = ColumnType(type)
        let values = (0..<60).map { _ in generator.value(of: type) }
        let array = try ColumnArray(values + values.prefix(9) + [.null], as: type)
        for key in values + [.null, .string("\u{e9}"), .string("e\u{301}"), .int(7), .bool(true)] {
            let rows = try (0..<array.count).filter { try array.value(at: $0, as: type) == key }
            #expect(array.rows(holdingPrimaryKey: key) == rows, "\(key)")
        }
    }

    @Test func `neither zeros of another sign nor other layouts are seen to be the same`() throws {
        let zero = try ColumnArray([.double(0)], as: ColumnType(.double))
        #expect(!zero.plainlyHolds(try ColumnArray([.double(-0.0)], as: ColumnType(.double)), row: 0, at: 0))
        #expect(!zero.plainlyHolds(try ColumnArray([.int(0)], as: ColumnType(.int)), row: 0, at: 0))
        #expect(!zero.plainlyHolds(try ColumnArray([.null], as: ColumnType(.double)), row: 0, at: 0))
    }
}

extension ValueCoding {
    fileprivate static func bytes(of value: Value) -> [UInt8] {
        var writer = ByteWriter()
        encode(value, into: &writer)
        return writer.bytes
    }
}
