import RealmModel

/// A place in a text: line and column, as editors show them, and the offset.
struct TextPlace: Hashable, CustomStringConvertible {
    /// The line, from 1.
    var line = 1
    /// The column in bytes, from 1.
    var column = 1
    /// Bytes from the start.
    var offset = 0

    /// The start of a text.
    init() {}

    /// A place in bytes that are at hand; past their end is their end.
    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        advance(over: UnsafeRawBufferPointer(rebasing: bytes.prefix(max(offset, 0))))
    }

    /// Moves behind bytes that follow.
    mutating func advance(over bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        offset += bytes.count
    }

    /// The problem at the place, as errors carry it.
    func item(
        _ message: String, pointer: String? = nil, className: String? = nil, property: String? = nil,
        key: ObjectKey? = nil
    ) -> ProblemItem {
        ProblemItem(
            message, pointer: pointer, className: className, property: property, key: key, line: line, column: column,
            offset: offset)
    }

    /// The place in words, for the end of a sentence.
    var description: String { "line \(line), column \(column) (byte \(offset))" }
}
