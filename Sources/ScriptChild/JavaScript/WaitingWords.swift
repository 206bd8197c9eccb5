/// The words by which a script would wait for what comes after its end.
///
/// In comments, texts and regular expressions they are welcome. The engine tells these from code: it refuses a program that has two numbers
/// behind a word of its code, and takes one that has them elsewhere.
enum WaitingWords {
    /// Those that a member of an object may have for its name.
    private static let keywords: [StaticString] = ["async", "await", "import"]
    private static let parts: [StaticString] = ["Promise", "fromAsync"]

    static let all = keywords + parts

    /// A program's text that is a program where none of the words is code, with the same lines.
    static func spoiled(_ source: String) -> String {
        let bytes = Array(source.utf8)
        var (spoiled, place): ([UInt8], Int) = ([], 0)
        while place < bytes.count {
            let word = bytes[place...].prefix(while: ScriptSyntax.isInName)
            guard !word.isEmpty else {
                spoiled.append(bytes[place])
                place += 1
                continue
            }
            spoiled += word
            place = word.endIndex
            let isKeyword = has(keywords, word) && !isMember(word, of: bytes)
            if isKeyword || has(parts, word) { spoiled += " 0 0".utf8 }
        }
        return String(decoding: spoiled, as: UTF8.self)
    }

    private static func has(_ words: [StaticString], _ word: ArraySlice<UInt8>) -> Bool {
        words.contains { UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount).elementsEqual(word) }
    }

    /// Whether a word names a member: behind a dot, or before a colon.
    private static func isMember(_ word: ArraySlice<UInt8>, of bytes: [UInt8]) -> Bool {
        bytes[..<word.startIndex].last { $0 > 0x20 } == UInt8(ascii: ".")
            || bytes[word.endIndex...].first { $0 > 0x20 } == UInt8(ascii: ":")
    }
}
