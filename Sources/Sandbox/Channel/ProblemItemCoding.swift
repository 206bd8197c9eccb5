import Columns
import RealmModel

/// The bytes of the single things of an error on the socket between a host and its parent.
public enum ProblemItemCoding {
    /// Writes the items of an error.
    public static func encode(_ items: [ProblemItem], into writer: inout ByteWriter) {
        writer.write(count: items.count)
        for item in items { encode(item, into: &writer) }
    }

    /// Reads the items of an error.
    public static func decode(from reader: inout ByteReader) throws(ColumnError) -> [ProblemItem] {
        var items: [ProblemItem] = []
        for _ in 0..<(try reader.readCount()) { items.append(try decodeItem(from: &reader)) }
        return items
    }

    private static func encode(_ item: ProblemItem, into writer: inout ByteWriter) {
        writer.write(string: item.message)
        for text in [item.pointer, item.className, item.property] { writer.write(optional: text) }
        writer.write(optional: item.key?.value)
        writer.write(byte: item.primaryKey == nil ? 0 : 1)
        if let primaryKey = item.primaryKey { ValueCoding.encode(primaryKey, into: &writer) }
        writer.write(optional: item.step.map(Int64.init(bitPattern:)))
        for number in [item.line, item.column, item.offset] {
            writer.write(optional: number.map(Int64.init))
        }
        writer.write(optional: item.hint)
    }

    private static func decodeItem(from reader: inout ByteReader) throws(ColumnError) -> ProblemItem {
        ProblemItem(
            try reader.readString(), pointer: try reader.readOptionalString(),
            className: try reader.readOptionalString(),
            property: try reader.readOptionalString(),
            key: try reader.readOptionalInteger().map { ObjectKey($0) },
            primaryKey: try reader.readByte() == 0 ? nil : try ValueCoding.decode(from: &reader),
            step: try reader.readOptionalInteger().map { UInt64(bitPattern: $0) },
            line: try reader.readOptionalInteger().map { Int($0) },
            column: try reader.readOptionalInteger().map { Int($0) },
            offset: try reader.readOptionalInteger().map { Int($0) }, hint: try reader.readOptionalString())
    }
}
