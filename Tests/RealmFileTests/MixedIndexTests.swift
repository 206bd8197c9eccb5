import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

struct MixedIndexTests {
    /// Values that an index of mixed values has the bytes of one integer for, by that integer.
    private static func values(around integer: Int64) -> [Value] {
        let sign = integer < 0 ? "-" : ""
        let fractions = [
            "", ".0", ".5", ".50", ".55", ".05", ".4999999999", ".9", ".009",
            "." + String(repeating: "0", count: 30) + "1",
        ]
        var numbers = fractions.map { "\(sign)\(integer.magnitude)\($0)" }
        if integer == 0 { numbers += fractions.dropFirst().map { "-0\($0)" } + ["1E-6000", "-1E-6000", "2E-300"] }
        return numbers.compactMap { Decimal128($0).map { .decimal128($0) } }
            + [.int(integer), .double(Double(integer)), .float(Float(integer))]
            + (integer == 0 ? [.bool(false), .double(-0.0)] : integer == 1 ? [.bool(true)] : [])
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `an index has mixed values of the same bytes in the order of values`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let integers: [Int64] = [-10, -2, -1, 0, 1, 2, 9]
        let values = (integers + integers).flatMap { integer in Self.values(around: integer).map { (integer, $0) } }
            .shuffled(using: &generator)
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("m", .mixed, isOptional: true, index: .general)])
        let writer = ClassWriter(schema: schema, store: store)
        for (key, (_, value)) in values.enumerated() {
            try writer.columns[0].append(value)
            try writer.endRow(key: ObjectKey(Int64(key)))
        }
        let classes = [try writer.finish(nextSequence: Int64(values.count))]
        let realm = try WrittenRealm(
            Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: classes), from: store)
        let structure = FileStructure(realm.bytes)
        for integer in integers {
            let expected = values.indices.filter { values[$0].0 == integer }.sorted { lhs, rhs in
                ValueOrder.compare(values[lhs].1, values[rhs].1).then(Ordering(lhs, rhs)) == .ascending
            }
            let bytes = withUnsafeBytes(of: integer.littleEndian) { Array($0) }
            let found = try structure.lookUp(bytes, column: 0, table: 1)
            #expect(found == expected.map { Int64($0) }, "\(integer)")
        }
    }
}
