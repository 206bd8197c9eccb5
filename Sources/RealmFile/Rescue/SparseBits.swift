/// A bit for each eight bytes of a file; takes memory only for the mebibytes of it that have one.
struct SparseBits {
    /// Bits of a chunk: those of one mebibyte of the file.
    private static let chunkBits = 1 << 17

    private var chunks: [Int: [UInt64]] = [:]

    /// The bit of an offset, a multiple of eight.
    subscript(offset: Int) -> Bool {
        get {
            let bit = offset >> 3
            guard let chunk = chunks[bit / Self.chunkBits] else { return false }
            return chunk[(bit % Self.chunkBits) >> 6] >> UInt64(bit & 63) & 1 != 0
        }
        set {
            let bit = offset >> 3
            let (word, mask) = ((bit % Self.chunkBits) >> 6, UInt64(1) << UInt64(bit & 63))
            if newValue {
                chunks[bit / Self.chunkBits, default: [UInt64](repeating: 0, count: Self.chunkBits / 64)][word] |= mask
            } else {
                chunks[bit / Self.chunkBits]?[word] &= ~mask
            }
        }
    }

    /// Calls with the offsets of set bits in a range, in order, until the body returns false.
    func forEach(in range: Range<Int>, _ body: (Int) -> Bool) {
        var bit = range.lowerBound >> 3
        let end = (range.upperBound + 7) >> 3
        while bit < end {
            guard let chunk = chunks[bit / Self.chunkBits] else {
                bit = (bit / Self.chunkBits + 1) * Self.chunkBits
                continue
            }
            let word = chunk[(bit % Self.chunkBits) >> 6] >> UInt64(bit & 63)
            guard word != 0 else {
                bit = (bit | 63) + 1
                continue
            }
            bit += word.trailingZeroBitCount
            guard bit < end, body(bit << 3) else { return }
            bit += 1
        }
    }

    /// The last set bit at or before an offset.
    func last(upTo offset: Int) -> Int? {
        var bit = offset >> 3
        while bit >= 0 {
            guard let chunk = chunks[bit / Self.chunkBits] else {
                bit = bit / Self.chunkBits * Self.chunkBits - 1
                continue
            }
            let word = chunk[(bit % Self.chunkBits) >> 6] << UInt64(63 - bit & 63)
            guard word != 0 else {
                bit = (bit & ~63) - 1
                continue
            }
            return (bit - word.leadingZeroBitCount) << 3
        }
        return nil
    }
}
