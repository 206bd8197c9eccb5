import RealmModel
import TestRandomness
import Testing

@testable import Columns

@Suite struct SegmentCodingTests {
    static let counts = [0, 1, 2, 7, 8, 9, 65, 300]

    private static func values(_ type: ColumnType, _ count: Int) -> [Value] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in generator.value(of: type) }
    }

    private static func segment(of plain: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: plain.count)
        writer.write(raw: Zstandard.compress(plain))
        return writer.bytes
    }

    private static func plain(_ segment: [UInt8]) throws -> [UInt8] {
        var reader = ByteReader(segment)
        let count = try reader.readCount()
        return try Zstandard.decompress(segment[reader.offset...], count: count)
    }

    /// Decodes, and reads every value of what was decoded.
    private static func decodeFully(_ segment: [UInt8], as type: ColumnType) throws -> [Value] {
        let array = try SegmentCoding.decode(segment)
        return try (0..<min(array.count, 1000)).map { try array.value(at: $0, as: type) }
    }

    @Test(arguments: ColumnType.all)
    func `decoding undoes encoding`(type: ColumnType) throws {
        for count in Self.counts {
            let values = Self.values(type, count)
            let array = try ColumnArray(values, as: type)
            let segment = SegmentCoding.encode(array)
            let decoded = try SegmentCoding.decode(segment)
            #expect(decoded.count == count)
            #expect(decoded.nullCount == values.filter(\.isNull).count)
            #expect(try values.indices.map { try decoded.value(at: $0, as: type) } == values)
            #expect(SegmentCoding.encode(decoded) == segment)
            #expect(decoded.hasLayout(of: type))
        }
    }

    @Test(arguments: ColumnType.all)
    func `a cut segment is an error`(type: ColumnType) throws {
        let segment = SegmentCoding.encode(try ColumnArray(Self.values(type, 20), as: type))
        for cut in Damage.cuts(of: segment) {
            #expect(throws: ColumnError.self) { try SegmentCoding.decode(cut) }
        }
        for cut in Damage.cuts(of: try Self.plain(segment)) {
            #expect(throws: ColumnError.self) { try SegmentCoding.decode(Self.segment(of: cut)) }
        }
    }

    @Test(arguments: ColumnType.all)
    func `a damaged segment is an error or a segment`(type: ColumnType) throws {
        let segment = SegmentCoding.encode(try ColumnArray(Self.values(type, 9), as: type))
        for damaged in Damage.flips(of: segment) {
            #expect(Damage.isHandled { try Self.decodeFully(damaged, as: type) })
        }
        let plain = try Self.plain(segment)
        for damaged in Damage.flips(of: plain) + Damage.hugeCounts(in: plain) {
            #expect(Damage.isHandled { try Self.decodeFully(Self.segment(of: damaged), as: type) })
        }
    }

    @Test(arguments: ColumnType.all)
    func `a segment read as another type is an error or values`(type: ColumnType) throws {
        let segment = SegmentCoding.encode(try ColumnArray(Self.values(type, 30), as: type))
        for other in ColumnType.all {
            #expect(Damage.isHandled { try Self.decodeFully(segment, as: other) })
        }
    }

    @Test func `bytes behind a segment are an error`() throws {
        let segment = SegmentCoding.encode(ColumnArray(count: 1, values: .int([1])))
        #expect(throws: ColumnError.self) { try SegmentCoding.decode(segment + [0]) }
        #expect(throws: ColumnError.self) { try SegmentCoding.decode(Self.segment(of: Self.plain(segment) + [0])) }
    }

    @Test func `a few bytes do not claim rows without end`() {
        var plain = ByteWriter()
        plain.write(count: Int(Int32.max))
        plain.write(byte: 0)
        plain.write(byte: 0)
        plain.write(byte: 0)
        plain.write(Int64(7))
        #expect(throws: ColumnError.self) { try SegmentCoding.decode(Self.segment(of: plain.bytes)) }
        var claim = ByteWriter()
        claim.write(count: 1 << 32)
        claim.write(raw: Zstandard.compress([0]))
        #expect(throws: ColumnError.self) { try SegmentCoding.decode(claim.bytes) }
    }
}
