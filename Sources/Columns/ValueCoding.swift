import RealmModel

/// The coding of single values: mixed cells, constants and defaults.
///
/// A byte that names the type, then the value; collections nest, at most `depthLimit` deep.
public enum ValueCoding {
    /// How deep collections of mixed values may nest, as Realm Core allows.
    public static let depthLimit = 100

    /// The bytes of a value.
    public static func encode(_ value: Value) -> [UInt8] {
        var writer = ByteWriter()
        encode(value, into: &writer)
        return writer.bytes
    }

    /// The value of bytes that `encode` wrote, all of them.
    public static func decode(_ bytes: [UInt8]) throws(ColumnError) -> Value {
        var reader = ByteReader(bytes)
        let value = try decode(from: &reader)
        guard reader.isAtEnd else { throw reader.damage("bytes follow a value") }
        return value
    }

    /// Whether the value nests no deeper than `decode` accepts; `encode` writes any.
    public static func canDecode(_ value: Value) -> Bool {
        nests(value, within: depthLimit)
    }

    private static func nests(_ value: Value, within depth: Int) -> Bool {
        switch value {
        case .list(let elements): elements.isEmpty || depth > 0 && elements.allSatisfy { nests($0, within: depth - 1) }
        case .dictionary(let entries):
            entries.isEmpty || depth > 0 && entries.allSatisfy { nests($0.value, within: depth - 1) }
        default: true
        }
    }

    enum Tag: UInt8 {
        case null, int, bool, float, double, string, data, date, decimal128, objectId, uuid, link, typedLink, list,
            dictionary
    }

    /// Bytes of memory that a byte of a collection takes as a value, at the most: an element of two bytes may be an array of its own.
    static let bytesPerNestedByte = 64

    /// Whether a value is a list or a dictionary, by its first byte.
    static func isCollection(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == Tag.list.rawValue || bytes.first == Tag.dictionary.rawValue
    }

    /// Whether a value may be or hold a link, by its first byte alone.
    package static func mayHaveLinks(_ first: UInt8) -> Bool {
        switch Tag(rawValue: first) {
        case .link, .typedLink, .list, .dictionary, nil: true
        default: false
        }
    }

    /// Appends a value.
    public static func encode(_ value: Value, into writer: inout ByteWriter) {
        func tag(_ tag: Tag) { writer.write(byte: tag.rawValue) }
        switch value {
        case .null: tag(.null)
        case .int(let number): tag(.int); writer.write(number)
        case .bool(let flag): tag(.bool); writer.write(byte: flag ? 1 : 0)
        case .float(let number): tag(.float); writer.write(number.bitPattern)
        case .double(let number): tag(.double); writer.write(number.bitPattern)
        case .string(let text): tag(.string); writer.write(string: text)
        case .data(let bytes): tag(.data); writer.write(bytes: bytes)
        case .date(let date): tag(.date); writer.write(date.seconds); writer.write(date.nanoseconds)
        case .decimal128(let number): tag(.decimal128); writer.write(number.low); writer.write(number.high)
        case .objectId(let id): tag(.objectId); writer.write(raw: id.bytes)
        case .uuid(let id): tag(.uuid); writer.write(raw: id.bytes)
        case .link(let key): tag(.link); writer.write(key.value)
        case .typedLink(let name, let key): tag(.typedLink); writer.write(string: name); writer.write(key.value)
        case .list(let elements):
            tag(.list)
            writer.write(count: elements.count)
            for element in elements { encode(element, into: &writer) }
        case .dictionary(let entries):
            tag(.dictionary)
            writer.write(count: entries.count)
            for entry in entries {
                writer.write(string: entry.key)
                encode(entry.value, into: &writer)
            }
        }
    }

    /// Reads a value from where the reader stands.
    public static func decode(from reader: inout ByteReader, depth: Int = 0) throws(ColumnError) -> Value {
        guard depth <= depthLimit else { throw reader.damage("a value nests too deep") }
        guard let tag = Tag(rawValue: try reader.readByte()) else { throw reader.damage("the type of a value") }
        switch tag {
        case .null: return .null
        case .int: return .int(try reader.readInteger())
        case .bool: return .bool(try reader.readByte() != 0)
        case .float: return .float(Float(bitPattern: try reader.readInteger()))
        case .double: return .double(Double(bitPattern: try reader.readInteger()))
        case .string: return .string(try reader.readString())
        case .data: return .data(try reader.readBytes())
        case .date:
            return .date(Timestamp(seconds: try reader.readInteger(), nanoseconds: try reader.readInteger()))
        case .decimal128: return .decimal128(Decimal128(low: try reader.readInteger(), high: try reader.readInteger()))
        case .objectId:
            guard let id = ObjectId(bytes: try reader.readRaw(ObjectId.byteCount)) else {
                throw reader.damage("ObjectId")
            }
            return .objectId(id)
        case .uuid:
            guard let id = UUID(bytes: try reader.readRaw(UUID.byteCount)) else { throw reader.damage("UUID") }
            return .uuid(id)
        case .link: return .link(ObjectKey(try reader.readInteger()))
        case .typedLink: return .typedLink(className: try reader.readString(), ObjectKey(try reader.readInteger()))
        case .list:
            var elements: [Value] = []
            for _ in 0..<(try reader.readCount()) { elements.append(try decode(from: &reader, depth: depth + 1)) }
            return .list(elements)
        case .dictionary:
            var entries: [DictionaryEntry] = []
            for _ in 0..<(try reader.readCount()) {
                entries.append(DictionaryEntry(try reader.readString(), try decode(from: &reader, depth: depth + 1)))
            }
            return .dictionary(entries)
        }
    }
}
