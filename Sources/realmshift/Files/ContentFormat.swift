import Glibc
import RealmFormats
import RealmJSON

/// The format that a file's first bytes look like, for who gave it as another.
enum ContentFormat {
    /// The bytes that are looked at.
    private static let length = 1 << 16

    /// The advice about a file that was not read as one format and looks like another; nil where it does not.
    static func hint(about file: Int32, given: RealmFormat) -> String? {
        guard let found = format(of: file), found.name != given.name else { return nil }
        return "The file looks like \(found.name): name its format by `--from \(found.name)`, or give it that ending."
    }

    private static func format(of file: Int32) -> RealmFormat? {
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { $1 = max(pread(file, $0.baseAddress, length, 0), 0) }
        // Behind the two places of the header's halves.
        if bytes.dropFirst(16).starts(with: "T-DB".utf8) { return .realm }
        let text = bytes.drop { $0 <= UInt8(ascii: " ") }
        // An encrypted file begins with any byte, by chance with this one as well.
        guard text.first == UInt8(ascii: "{"), !bytes.contains(where: isNoText) else { return nil }
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        let hasMore = text[line.endIndex...].contains { $0 > UInt8(ascii: " ") }
        // A document has its objects in itself, NDJSON each in a line behind the first.
        guard let first = try? JSONValue.parse(Array(line)) else { return hasMore ? .json : nil }
        return first["objects"] != nil ? .json : hasMore ? .ndjson : nil
    }

    /// Whether a byte stands nowhere in JSON: a control character that is no white space (RFC 8259, sections 2 and 7).
    private static func isNoText(_ byte: UInt8) -> Bool {
        byte < UInt8(ascii: " ") && ![UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte)
    }
}
