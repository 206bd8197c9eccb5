extension Collection<UInt8> {
    /// The JSON text with U+FFFD in the place of each U+0000, which JSON escapes; nil where it has none.
    func replacingEscapedNUL() -> [UInt8]? {
        var (out, index, found): ([UInt8], Index, Bool) = ([], startIndex, false)
        let escaped = Array("\\u0000".utf8)
        while index < endIndex {
            if self[index...].starts(with: escaped) {
                found = true
                index = self.index(index, offsetBy: escaped.count)
                out += Array("\u{fffd}".utf8)
            } else {
                let width = self[index] == UInt8(ascii: "\\") ? 2 : 1
                let next = self.index(index, offsetBy: width, limitedBy: endIndex) ?? endIndex
                out += self[index..<next]
                index = next
            }
        }
        return found ? out : nil
    }
}

extension String {
    /// The text with U+FFFD in the place of each U+0000.
    var withoutNUL: String {
        utf8.contains(0) ? String(unicodeScalars.map { $0 == "\0" ? "\u{fffd}" : Character($0) }) : self
    }
}
