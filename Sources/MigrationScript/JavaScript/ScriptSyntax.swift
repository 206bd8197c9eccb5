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

    /// Whether a program may call `RegExp.prototype.exec` itself: by its name, or by way of what is behind symbols.
    static func mayCallExec(_ source: String) -> Bool {
        ["exec", "Symbol", "getOwnProperty"].contains { source.contains($0) }
    }
}
