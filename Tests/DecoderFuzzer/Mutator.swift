import TestRandomness

/// Changes an input as files get damaged, and as someone changes them who knows the format.
struct Mutator {
    private static let interesting: [UInt8] = [0, 1, 2, 4, 7, 8, 0x10, 0x20, 0x40, 0x7f, 0x80, 0x81, 0xc0, 0xfe, 0xff]

    var bytes: [UInt8]
    var generator: SeededGenerator
    /// Another input, for splices.
    let other: [UInt8]

    /// Makes from one to eight changes, more often few.
    mutating func mutate(as kind: InputKind) {
        for _ in 0...generator.below(1 << generator.below(4)) {
            switch kind {
            case .realm where generator.below(3) != 0, .rescue where generator.below(3) != 0: changeNode()
            case .encryptedRealm where generator.below(2) == 0: changeRecord()
            case _ where kind.isText && generator.below(3) != 0: changeToken()
            default: changeBytes()
            }
        }
    }

    private mutating func changeBytes() {
        guard !bytes.isEmpty else { return bytes.append(0) }
        let offset = generator.below(bytes.count)
        switch generator.below(12) {
        case 0, 1: bytes[offset] ^= 1 << UInt8(generator.below(8))
        case 2, 3: bytes[offset] = generator.pick(Self.interesting) ?? 0
        case 4: bytes[offset] &+= UInt8(truncatingIfNeeded: generator.below(71) - 35)
        case 5, 6: setInteger(at: offset)
        case 7: copyChunk()
        case 8: bytes.removeSubrange(chunk())
        case 9: bytes.insert(contentsOf: generator.below(2) == 0 ? Array(bytes[chunk()]) : noise(), at: offset)
        case 10: splice()
        default: bytes.removeLast(min(bytes.count, generator.below(4) == 0 ? generator.below(bytes.count) : 1))
        }
    }

    /// Writes an integer of a type's or a size's boundary.
    mutating func setInteger(at offset: Int) {
        let width = 1 << generator.below(4)
        let value = boundary()
        var cell = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        if generator.below(3) == 0 { cell.reverse() }
        for (index, byte) in cell.enumerated() where offset + index < bytes.count { bytes[offset + index] = byte }
    }

    private mutating func boundary() -> Int64 {
        let power = Int64(1) << Int64(generator.below(64))
        let near = Int64(generator.below(5) - 2)
        switch generator.below(4) {
        case 0: return power &+ near
        case 1: return (0 &- power) &+ near
        case 2: return Int64(bytes.count) &+ near &* 8
        default: return Int64(generator.below(max(bytes.count, 1)))
        }
    }

    /// A place and a length, short more often than long.
    private mutating func chunk() -> Range<Int> {
        let start = generator.below(bytes.count)
        let longest = min(bytes.count - start, 1 << generator.below(13))
        return start..<start + generator.below(longest + 1)
    }

    private mutating func copyChunk() {
        let source = Array(bytes[chunk()])
        let start = generator.below(bytes.count)
        let end = min(start + source.count, bytes.count)
        bytes.replaceSubrange(start..<end, with: source[..<(end - start)])
    }

    private mutating func noise() -> [UInt8] {
        let byte = generator.pick(Self.interesting) ?? 0
        return [UInt8](repeating: byte, count: generator.below(1 << generator.below(12)) + 1)
    }

    private mutating func splice() {
        guard !other.isEmpty else { return }
        let from = generator.below(other.count)
        let length = min(other.count - from, 1 << generator.below(14))
        let start = generator.below(bytes.count)
        let end = min(start + (generator.below(2) == 0 ? length : 0), bytes.count)
        bytes.replaceSubrange(start..<end, with: other[from..<from + length])
    }
}
