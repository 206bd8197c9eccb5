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
        let disposition = fields.first { $0.lowercased().hasPrefix("content-disposition:") }.map(String.init) ?? ""
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

    /// A parameter of a field, with or without quotation marks.
    private static func parameter(_ name: String, of field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { text in
                String(text.drop { $0 == " " || $0 == "\t" })
            }
            guard pair.count == 2, pair[0].lowercased() == name else { continue }
            return pair[1].hasPrefix("\"") && pair[1].hasSuffix("\"") && pair[1].count > 1
                ? String(pair[1].dropFirst().dropLast()) : pair[1]
        }
        return nil
    }
}
