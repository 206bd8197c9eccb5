import TestRandomness
import Testing

@testable import Columns

/// A table tells who links to an object, however many runs its links are in.
struct LinkTableTests {
    @Test(arguments: 0..<40 as Range<UInt64>, [1, 3, 16, 1 << 20])
    func `tells the origins of each key, ascending, each as often as it links`(seed: UInt64, runLength: Int) {
        var generator = SeededGenerator(seed: seed)
        let links = (0..<generator.below(60)).map { _ in
            (target: Int64(generator.below(8)), origin: Int64(generator.below(20)))
        }
        var table = LinkTable(runLength: runLength)
        for link in links { table.append(target: link.target, origin: link.origin) }
        table.sort()
        #expect(table.count == links.count)
        for key in Int64(-1)...8 {
            let expected = links.filter { $0.target == key }.map(\.origin).sorted()
            #expect(table.origins(of: key) == expected)
            #expect(table.originCount(of: key) == expected.count)
        }
    }
}
