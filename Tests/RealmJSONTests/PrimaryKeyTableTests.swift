import RealmModel
import TestRandomness
import Testing

@testable import RealmJSON

@Suite struct `The table of primary keys` {
    /// Keys come in any order, links to some come first, one key may be null, and values may be any.
    @Test(arguments: UInt64(1)...40)
    func `agrees with a dictionary`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = PrimaryKeyTable()
        var model: [PrimaryKeyDigest?: Int64] = [:]
        let isOfIntegers = Bool.random(using: &random)
        let range = Int64.random(in: 4...40_000, using: &random)
        var row: Int64 = 0
        for step in 0..<Int.random(in: 1...30_000, using: &random) {
            let number = Int64.random(in: 0..<range, using: &random)
            let key: PrimaryKeyDigest? =
                number == 0
                ? nil
                : isOfIntegers ? PrimaryKeyDigest(number) : PrimaryKeyDigest(.string("key \(number)"))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                #expect(table.value(of: key) == model[key])
            case 1:
                let put = ~Int64(step)
                #expect(table.value(of: key, orPut: put) == model[key, default: put])
                model[key] = model[key] ?? put
            case 2 where model[key, default: 0] < 0:
                let value = Int64.random(in: -9...100_000, using: &random)
                table.replace(key, by: value)
                model[key] = value
            default:
                let known = table.value(of: key, orPut: row)
                #expect(known == model[key, default: row])
                model[key] = known
                if known < 0 {
                    table.replace(key, by: row)
                    model[key] = row
                }
                row += 1
            }
        }
        for (key, value) in model { #expect(table.value(of: key) == value) }
    }

    /// A counter leaves keys out where objects were deleted, may begin anywhere, and links to some keys come first.
    @Test(arguments: [Int64.min, -500, 0, Int64.max - 40_000] as [Int64], [100, 20_000] as [Int64])
    func `holds no key that a counter made`(first: Int64, gap: Int64) {
        var table = PrimaryKeyTable()
        let keys = (0..<20_000 as Range<Int64>).map { first + $0 + $0 / gap * 3 }
        var tickets = 0
        for (row, key) in keys.enumerated() {
            let digest = PrimaryKeyDigest(key)
            let ahead = keys[min(row + 7, keys.count - 1)]
            if row % 5000 == 0, ahead != key, table.value(of: PrimaryKeyDigest(ahead)) == nil {
                tickets += 1
                #expect(table.value(of: PrimaryKeyDigest(ahead), orPut: ~Int64(row)) == ~Int64(row))
            }
            let known = table.value(of: digest, orPut: Int64(row))
            if known < 0 { table.replace(digest, by: Int64(row)) } else { #expect(known == row) }
        }
        #expect(table.tableCount == tickets)
        for (row, key) in keys.enumerated() { #expect(table.value(of: PrimaryKeyDigest(key), orPut: -1) == row) }
        #expect(table.tableCount == tickets)
        #expect(table.value(of: PrimaryKeyDigest(first &- 1)) == nil)
    }
}
