import HTTPServer

/// A body of several files (RFC 2046, section 5.1; RFC 7578).
struct MultipartBody {
    /// One file.
    struct Part: Hashable {
        /// Its `filename`, else its `name`; empty where it has neither.
        var name: String
        var bytes: ArraySlice<UInt8>
    }

    /// The files, in their order.
    let parts: [Part]

    /// Parts a body; nil where its form is another one.
    ///
    /// - Parameter contentType: the field that names the boundary.
    init?(_ bytes: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty else { return nil }
        // A boundary stands at the beginning of a line, the first one at that of the body.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let body = [UInt8]("\r\n".utf8) + bytes
        var parts: [Part] = []
        guard var end = Self.end(of: delimiter, in: body[...]) else { return nil }
        while !body[end...].starts(with: "--".utf8) {
            guard let start = Self.end(of: Array("\r\n".utf8), in: body[end...]),
                let next = Self.end(of: delimiter, in: body[(start - 2)...]),
                let part = Self.part(body[(start - 2)..<(next - delimiter.count)])
            else { return nil }
            parts.append(part)
            end = next
        }
        self.parts = parts
    }

    /// A part from the end of its boundary's line on: fields, an empty line, content.
    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        guard let content = end(of: Array("\r\n\r\n".utf8), in: bytes) else { return nil }
        let fields = String(decoding: bytes[..<content], as: UTF8.self).split(separator: "\r\n")
        let disposition = fields.first { $0.prefix { $0 != ":" }.isToken("content-disposition") }.map(String.init) ?? ""
        let name = parameter("filename", of: disposition) ?? parameter("name", of: disposition) ?? ""
        return Part(name: name, bytes: bytes[content...])
    }

    private static func end(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = pattern.first else { return nil }
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first) {
            if bytes[found...].starts(with: pattern) { return found + pattern.count }
            start = found + 1
        }
        return nil
    }

    /// A parameter of a field, with or without quotation marks, between which semicolons are like all other characters.
    private static func parameter(_ name: String, of field: String) -> String? {
        var rest = Substring(field)
        // The text before the first semicolon is no parameter.
        _ = value(&rest)
        while !rest.isEmpty {
            rest = rest.dropFirst().drop(while: isBlank)
            let found = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(found.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: isBlank)
            let text = value(&rest)
            if trimmed(found).isToken(name) { return text }
        }
        return nil
    }

    /// The value that a text begins with; takes it and all up to the next semicolon off the text.
    private static func value(_ text: inout Substring) -> String {
        var value = ""
        var isQuoted = false
        let hasMarks = text.first == "\""
        if hasMarks {
            text = text.dropFirst()
            isQuoted = true
        }
        while let character = text.first, isQuoted || character != ";" {
            text = text.dropFirst()
            switch character {
            case "\"" where isQuoted: isQuoted = false
            // Other backslashes are those of names of files.
            case "\\" where isQuoted && (text.first == "\"" || text.first == "\\"): value.append(text.removeFirst())
            default: if isQuoted || !hasMarks { value.append(character) }
            }
        }
        return hasMarks ? value : trimmed(value)
    }

    /// A text without the blanks at its end.
    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text[..<(text.lastIndex { !isBlank($0) }.map { text.index(after: $0) } ?? text.startIndex)])
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
