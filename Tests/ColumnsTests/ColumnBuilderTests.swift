import Columns
import RealmModel
import TestRandomness
import Testing

@Suite struct ColumnBuilderTests {
    @Test(arguments: ColumnType.all)
    func `a builder is empty after it was finished`(type: ColumnType) throws {
        var generator = SeededGenerator(seed: 12)
        let values = (0..<40).map { _ in generator.value(of: type) }
        let builder = ColumnBuilder(type)
        for round in 0..<3 {
            for value in values[round...] { try builder.append(value) }
            #expect(builder.count == 40 - round)
            let array = builder.finish()
            #expect(try (0..<array.count).map { try array.value(at: $0, as: type) } == Array(values[round...]))
            #expect(builder.count == 0 && builder.byteCount == 0)
        }
    }

    @Test(arguments: ColumnType.single)
    func `nulls alone make a column`(type: ColumnType) throws {
        let array = try ColumnArray(repeating: .null, count: 9, as: type)
        #expect(array.nullCount == 9)
        #expect(try (0..<9).allSatisfy { try array.value(at: $0, as: type) == .null })
    }

    @Test(arguments: ColumnType.single.filter { $0.element != .mixed })
    func `a value of another type is refused`(type: ColumnType) throws {
        let foreign: Value = type.element == .bool ? .int(1) : .bool(true)
        let builder = ColumnBuilder(type)
        #expect(throws: ColumnError.typeMismatch(expected: type)) { try builder.append(foreign) }
        #expect(throws: ColumnError.typeMismatch(expected: type)) { try builder.append(.list([])) }
        #expect(throws: ColumnError.typeMismatch(expected: type)) { try builder.append(.dictionary([])) }
        #expect(builder.count == 0)
        try builder.append(.null)
        #expect(builder.finish().count == 1)
    }

    @Test func `a list is no dictionary and no single value`() {
        for (type, foreign) in [
            (ColumnType(.int, .list), .null),
            (ColumnType(.int, .list), Value.dictionary([])), (ColumnType(.int, .dictionary), .list([])),
            (ColumnType(.int, .set), .int(1)),
        ] {
            #expect(throws: ColumnError.typeMismatch(expected: type)) { try ColumnBuilder(type).append(foreign) }
        }
    }
}
