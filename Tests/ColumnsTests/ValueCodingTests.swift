import Columns
import RealmModel
import TestRandomness
import Testing

@Suite struct ValueCodingTests {
    private static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(.int(1)) { value, level in
            level.isMultiple(of: 2) ? .list([value]) : .dictionary([DictionaryEntry("", value)])
        }
    }

    @Test func `decoding undoes encoding`() throws {
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<3000 {
            let value = generator.mixed(depth: 0)
            #expect(try ValueCoding.decode(ValueCoding.encode(value)) == value)
        }
    }

    @Test func `damaged values are an error or a value`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<100 {
            let bytes = ValueCoding.encode(generator.mixed(depth: 2))
            for damaged in Damage.all(of: bytes) { #expect(Damage.isHandled { try ValueCoding.decode(damaged) }) }
            for cut in Damage.cuts(of: bytes) { #expect(throws: ColumnError.self) { try ValueCoding.decode(cut) } }
            #expect(throws: ColumnError.self) { try ValueCoding.decode(bytes + [0]) }
        }
    }

    @Test func `values nest as deep as Realm permits and no deeper`() throws {
        let deepest = Self.nested(ValueCoding.depthLimit)
        #expect(try ValueCoding.decode(ValueCoding.encode(deepest)) == deepest)
        let tooDeep = Self.nested(ValueCoding.depthLimit + 1)
        #expect(throws: ColumnError.self) { try ValueCoding.decode(ValueCoding.encode(tooDeep)) }
        #expect(ValueCoding.canDecode(deepest) && !ValueCoding.canDecode(tooDeep))
        let mixed = ColumnType(.mixed)
        #expect(throws: ColumnError.typeMismatch(expected: mixed)) { try ColumnBuilder(mixed).append(tooDeep) }
    }
}
