/// Upper and lower case as `[c]` has them alike: of ASCII letters, and of those of Latin-1 but `ß` and `ÿ`.
enum CaseFolding {
    /// UTF-8 with small letters for large ones, in as many bytes.
    static func fold(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var folded = Array(bytes)
        var isLatin = false
        for (index, byte) in folded.enumerated() {
            if isLatin, (0x80...0x9e).contains(byte), byte != 0x97 {
                folded[index] = byte | 0x20
            } else if (0x41...0x5a).contains(byte) {
                folded[index] = byte | 0x20
            }
            isLatin = byte == 0xc3
        }
        return folded
    }
}
