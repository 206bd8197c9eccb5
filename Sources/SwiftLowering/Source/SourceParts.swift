/// The parts in which a large file is parsed, side by side.
///
/// A file is cut where a declaration seems to begin at its top level. That is a guess, but never a wrong result: what is cut
/// inside of something, a text, a comment, braces, leaves that open, which is an error of the part before.
enum SourceParts {
    /// Smaller files are parsed before another thread has started.
    private static let leastBytes = 4_096
    private static let beginnings = [
        "//", "@", "class ", "enum ", "extension ", "fileprivate ", "final ", "func ", "internal ", "let ", "open ",
        "private ", "protocol ", "public ", "struct ", "typealias ", "var ",
    ].map { Array($0.utf8) }

    /// The text, or the two parts of it that are nearest in size.
    static func of(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        guard bytes.count >= leastBytes else { return [text] }
        let middle = bytes.count / 2
        let after = (middle..<bytes.count).first { isBeginning($0, of: bytes) } ?? bytes.count
        let before = (1...middle).last { isBeginning($0, of: bytes) } ?? 0
        let cut = after - middle < middle - before ? after : before
        guard cut > 0, cut < bytes.count else { return [text] }
        return [bytes[..<cut], bytes[cut...]].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a line begins there, behind an empty one, as declarations at the top level do.
    private static func isBeginning(_ place: Int, of bytes: [UInt8]) -> Bool {
        let (before, lineEnd) = (bytes[..<place], UInt8(ascii: "\n"))
        guard before.last == lineEnd else { return false }
        let line = before.dropLast()
        guard (line.last == UInt8(ascii: "\r") ? line.dropLast() : line).last == lineEnd else { return false }
        return beginnings.contains { bytes[place...].starts(with: $0) }
    }
}
