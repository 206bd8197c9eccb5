/// SipHash-2-4, a short keyed hash (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), over whole words.
///
/// Who does not know the key can tell nothing of a value from its hash.
struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var count: UInt64 = 0

    /// Starts with nothing hashed.
    init(key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    /// Takes eight bytes.
    mutating func combine(_ word: UInt64) {
        count &+= 8
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    /// The hash of all that was taken.
    func finish() -> UInt64 {
        var copy = self
        // The paper's last block: what is left of the bytes, which is nothing, and their number.
        copy.combine(count << 56)
        copy.v2 ^= 0xff
        for _ in 0..<4 { copy.round() }
        return copy.v0 ^ copy.v1 ^ copy.v2 ^ copy.v3
    }

    private mutating func round() {
        v0 &+= v1
        v1 = Self.rotate(v1, 13) ^ v0
        v0 = Self.rotate(v0, 32)
        v2 &+= v3
        v3 = Self.rotate(v3, 16) ^ v2
        v0 &+= v3
        v3 = Self.rotate(v3, 21) ^ v0
        v2 &+= v1
        v1 = Self.rotate(v1, 17) ^ v2
        v2 = Self.rotate(v2, 32)
    }

    private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
