import Columns
import TestRandomness
import Testing

@Suite struct BitmapTests {
    static let counts = [0, 1, 7, 8, 9, 15, 16, 17, 64, 100]

    private static func bits(_ count: Int) -> [Bool] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in Bool.random(using: &generator) }
    }

    @Test(arguments: counts)
    func `bits are what was appended`(count: Int) {
        let bits = Self.bits(count)
        var bitmap = Bitmap(count: 0)
        for bit in bits { bitmap.append(bit) }
        #expect(bitmap.count == count)
        #expect((0..<count).map { bitmap[$0] } == bits)
        #expect(bitmap.setCount == bits.filter { $0 }.count)
        #expect(bitmap.bytes.count == (count + 7) / 8)
        #expect(Bitmap(bytes: bitmap.bytes, count: count) == bitmap)
    }

    @Test(arguments: counts)
    func `setting every bit is appending it`(count: Int) {
        var appended = Bitmap(count: 0)
        var set = Bitmap(repeating: true, count: count)
        for (index, bit) in Self.bits(count).enumerated() {
            appended.append(bit)
            set[index] = bit
        }
        #expect(set == appended)
    }

    @Test(arguments: counts)
    func `a repeated bit is set throughout or nowhere`(count: Int) {
        #expect(Bitmap(repeating: true, count: count).setCount == count)
        #expect(Bitmap(repeating: false, count: count).setCount == 0)
        var grown = Bitmap(repeating: true, count: count)
        grown.append(false)
        #expect(grown.setCount == count)
    }

    @Test(arguments: counts)
    func `bits past the end are zero`(count: Int) {
        let bytes = [UInt8](repeating: 0xff, count: (count + 7) / 8)
        #expect(Bitmap(bytes: bytes, count: count) == Bitmap(repeating: true, count: count))
    }

    @Test(arguments: [(0, 1), (1, 0), (2, 8), (1, 9), (0, -1), (0, Int.max), (0, Int.min)])
    func `a wrong number of bytes is nothing`(bytes: Int, count: Int) {
        #expect(Bitmap(bytes: [UInt8](repeating: 0, count: bytes), count: count) == nil)
    }
}
