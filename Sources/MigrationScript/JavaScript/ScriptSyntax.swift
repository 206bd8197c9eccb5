/// What can be told of a script's text without parsing it.
enum ScriptSyntax {
    /// Whether a program may have object spread (`{...o}`) or rest (`const {a, ...rest} = o`); false is certain.
    ///
    /// Three dots right behind a parenthesis or a bracket spread an array or gather arguments. What stands behind a
    /// comma, or begins a line, may be of any kind, and is taken for an object's; so is text that is no code.
    static func maySpreadObjects(_ source: String) -> Bool {
        var previous: UInt8 = 0
        var dots = 0
        var source = source
        return source.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "."):
                    dots += 1
                    if dots == 3, previous != UInt8(ascii: "("), previous != UInt8(ascii: "[") { return true }
                case UInt8(ascii: " "), UInt8(ascii: "\t"): dots = 0
                default: (previous, dots) = (byte, 0)
                }
            }
            return false
        }
    }

    /// Whether a program may have a regular expression: a slash that begins no comment, or a name that leads to one;
    /// false is certain, but for names that are put together while the program runs.
    static func mayMatchExpressions(_ source: String) -> Bool {
        hasSlash(source) || waysToExpressions.contains { source.contains($0) }
    }

    /// How a program comes by an expression without a slash: escapes in names, functions of texts that make one of a
    /// text, and what leads to the constructor.
    private static let waysToExpressions = [
        "RegExp", "\\u", "match", "search", "this", "Reflect", "prototype", "constructor", "__proto__", "Symbol",
        "getOwn", "getPrototypeOf",
    ]

    /// Whether there is a slash, other than in a line that is a comment as a whole.
    ///
    /// Slashes behind code may be in a text. Templates may have lines that only look like comments, and JavaScript has
    /// ends of lines beyond ASCII; they are not told apart.
    private static func hasSlash(_ source: String) -> Bool {
        let isPlain = !source.unicodeScalars.contains { $0 == "`" || $0 == "\u{2028}" || $0 == "\u{2029}" }
        let lines = source.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.contains { line in
            let code = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return code.contains(UInt8(ascii: "/")) && !(isPlain && code.starts(with: "//".utf8))
        }
    }

    /// Whether a program may call `RegExp.prototype.exec` itself: by its name, or by way of what is behind symbols.
    static func mayCallExec(_ source: String) -> Bool {
        ["exec", "Symbol", "getOwnProperty"].contains { source.contains($0) }
    }
}
