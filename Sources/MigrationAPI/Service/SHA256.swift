/// SHA-256 of FIPS 180-4, for keys of some dozen bytes.
enum SHA256 {
    /// The 32 bytes of a digest.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        let padded = pad(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            compress(schedule(padded[start..<start + 64]), into: &state)
        }
        return state.flatMap { bytes(of: $0) }
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        return padded + bytes(of: UInt32(bits >> 32)) + bytes(of: UInt32(truncatingIfNeeded: bits))
    }

    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        return words
    }

    private static func compress(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let choice = e & f ^ ~e & g
            let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let second = sum0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func bytes(of word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes.map { prime in
        UInt32(truncatingIfNeeded: cubeRoot(of: UInt128(prime) << 96))
    }

    private static let primes: [Int] = Array(
        (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } })

    /// The greatest integer whose cube is not greater; of a prime times 2^96 it has 32 bits behind the point.
    private static func cubeRoot(of number: UInt128) -> UInt128 {
        var root: UInt128 = 0
        for bit in (0..<36).reversed() {
            let candidate = root | 1 << UInt128(bit)
            if candidate * candidate * candidate <= number { root = candidate }
        }
        return root
    }
}
