import SwiftSyntax

extension SyntaxProtocol {
    /// The text of a node without blanks and comments around it; unlike `trimmedDescription` without a copy of the tree.
    var spelling: String {
        let bytes = syntaxTextBytes
        let start = leadingTriviaLength.utf8Length
        return String(decoding: bytes[start..<max(bytes.count - trailingTriviaLength.utf8Length, start)], as: UTF8.self)
    }

    /// The text of a path or a type without the marks of optionals, parentheses and blanks.
    var bareSpelling: String {
        String(decoding: spelling.utf8.filter { !"!?() \n".utf8.contains($0) }, as: UTF8.self)
    }

    /// The names of a path, which dots part.
    var pathNames: [String] { spelling.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) } }
}
