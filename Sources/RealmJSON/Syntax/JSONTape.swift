/// One parsed JSON value as a run of 64-bit words in document order, in the layout of simdjson (its `doc/tape.md`).
///
/// The upper byte of a word is its tag, the rest its payload: of `{` and `[` the index behind the closing word, of `"`
/// the place of the text. A number takes a second word. Borrowed from the parser that made it, until its next value.
struct JSONTape {
    /// The kind of a word.
    enum Tag {
        static let object = UInt8(ascii: "{")
        static let objectEnd = UInt8(ascii: "}")
        static let array = UInt8(ascii: "[")
        static let string = UInt8(ascii: "\"")
        static let int = UInt8(ascii: "l")
        /// An integer past `Int64.max` that `UInt64` holds.
        static let unsigned = UInt8(ascii: "u")
        static let double = UInt8(ascii: "d")
        /// An integer that no 64 bits hold, as the nearest double; simdjson refuses it, `JSONScanner` gives it.
        static let bigInteger = UInt8(ascii: "b")
        static let `true` = UInt8(ascii: "t")
        static let `false` = UInt8(ascii: "f")
        static let null = UInt8(ascii: "n")
    }

    let words: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>

    /// The index of the value itself; word 0 is the root's.
    static let root = 1

    /// The tag of a word.
    @inline(__always)
    func tag(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[index] >> 56) }

    /// The index behind the closing word of an object or array.
    @inline(__always)
    func end(ofContainer index: Int) -> Int { Int(words[index] & 0xffff_ffff) }

    /// The index of what follows a value.
    @inline(__always)
    func next(after index: Int) -> Int {
        switch tag(index) {
        case Tag.object, Tag.array: end(ofContainer: index)
        case Tag.int, Tag.unsigned, Tag.double, Tag.bigInteger: index + 2
        default: index + 1
        }
    }

    /// The integer of a word with the tag `int`.
    @inline(__always)
    func int(_ index: Int) -> Int64 { Int64(bitPattern: words[index + 1]) }

    /// The number of a word with the tag `double` or `bigInteger`.
    @inline(__always)
    func double(_ index: Int) -> Double { Double(bitPattern: words[index + 1]) }

    /// The integer of a word with the tag `unsigned`.
    @inline(__always)
    func unsigned(_ index: Int) -> UInt64 { words[index + 1] }

    /// The UTF-8 of a string.
    @inline(__always)
    func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        let place = UnsafeRawPointer(strings) + Int(words[index] & 0xff_ffff_ffff_ffff)
        return UnsafeRawBufferPointer(start: place + 4, count: Int(place.loadUnaligned(as: UInt32.self)))
    }

    /// The text of a string.
    func string(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// Whether a string is exactly a text.
    func string(_ index: Int, is text: StaticString) -> Bool {
        let bytes = bytes(index)
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return zip(bytes, UnsafeBufferPointer(start: text.utf8Start, count: bytes.count)).allSatisfy { $0 == $1 }
    }
}
