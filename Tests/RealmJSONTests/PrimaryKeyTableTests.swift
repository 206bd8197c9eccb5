import RealmModel
import TestRandomness
import Testing

@testable import RealmJSON

@Suite struct `The table of primary keys` {
    /// Keys come in their order, links to some come first, one key may be null, and values may be any.
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
            case 2 where model[key] != nil:
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
}
