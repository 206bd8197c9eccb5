/// A JSON pointer (RFC 6901): where in a document a value stands.
struct JSONPointer: Hashable, CustomStringConvertible {
    /// The pointer's text; empty for the whole document.
    let description: String

    /// Takes a pointer's text as it is.
    init(_ text: String = "") {
        description = text
    }

    /// The pointer of a member.
    func member(_ name: String) -> JSONPointer {
        var text = description + "/"
        for character in name.unicodeScalars {
            switch character {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(character)
            }
        }
        return JSONPointer(text)
    }

    /// The pointer of an element, counted from 0.
    func element(_ index: Int) -> JSONPointer { JSONPointer("\(description)/\(index)") }
}
