/// A secret one-to-one mapping of sequences of digits to sequences of the same length.
///
/// Each digit has a radix of its own, and keeps it. An unbalanced Feistel network (the idea of format-preserving encryption,
/// NIST SP 800-38G, with a short hash in place of a block cipher): in turns, the digits at even and at odd places are
/// shifted by what the other ones hash to, which can be turned back whatever the hash is. So two sequences never become one.
struct KeyedPermutation {
    /// The kind of a sequence; the same digits of two kinds become different ones.
    enum Kind: UInt64 {
        case text = 1
        case bytes
        case integer
        case fraction
        case nanoseconds
        case mantissa
        case identifier
    }

    /// Half of them change the even places.
    ///
    /// Six are more than the four after which a Feistel network of a random function
    /// can't be told from a random permutation (Luby and Rackoff, 1988).
    private static let rounds: UInt64 = 6

    private let key: (UInt64, UInt64)

    init(key: (UInt64, UInt64)) {
        self.key = key
    }

    /// Maps a sequence.
    ///
    /// - Parameters:
    ///   - digits: each below the radix at its place.
    ///   - radices: at least 1, as many as digits.
    ///   - tweak: sequences with another one are mapped in another way.
    func permute(_ digits: inout [UInt32], radices: [UInt32], as kind: Kind, tweak: UInt64 = 0) {
        var shape = SipHash(key: key)
        shape.combine(kind.rawValue)
        shape.combine(tweak)
        for radix in radices { shape.combine(UInt64(radix)) }
        let alone = digits.count == 1 ? digits[0] : nil
        for round in 0..<Self.rounds {
            let changed = Int(round & 1)
            var hash = shape
            hash.combine(round)
            for index in stride(from: 1 - changed, to: digits.count, by: 2) { hash.combine(UInt64(digits[index])) }
            var shifts = SplitMix(state: hash.finish())
            for index in stride(from: changed, to: digits.count, by: 2) {
                digits[index] = UInt32(
                    (UInt64(digits[index]) + shifts.next() % UInt64(radices[index])) % UInt64(radices[index]))
            }
        }
        // A digit alone is shifted by the same number whatever it is, which must not be none.
        if let alone, digits[0] == alone { digits[0] = (digits[0] + 1) % radices[0] }
    }

    /// Maps a sequence into a part of all of its shape: again and again, until it is there.
    ///
    /// No two sequences in the part become one then either, and each gets there, at the latest as itself.
    func permute(
        _ digits: inout [UInt32], radices: [UInt32], as kind: Kind, tweak: UInt64 = 0, into isIn: ([UInt32]) -> Bool
    ) {
        repeat { permute(&digits, radices: radices, as: kind, tweak: tweak) } while !isIn(digits)
    }

    /// Numbers from one (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }
    }
}
