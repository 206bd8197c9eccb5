import Columns
import RealmModel

/// The bytes of the single things of an error on the socket between a host and its parent.
enum ProblemItemCoding {
    static func encode(_ items: [ProblemItem], into writer: inout ByteWriter) {
        writer.write(count: items.count)
        for item in items { encode(item, into: &writer) }
    }

    static func decode(from reader: inout ByteReader) throws(ColumnError) -> [ProblemItem] {
        var items: [ProblemItem] = []
        for _ in 0..<(try reader.readCount()) { items.append(try decodeItem(from: &reader)) }
        return items
    }

    private static func encode(_ item: ProblemItem, into writer: inout ByteWriter) {
        writer.write(string: item.message)
        for text in [item.pointer, item.className, item.property] { MigrationCoding.encode(text, into: &writer) }
        MigrationCoding.encode(item.key?.value, into: &writer)
        writer.write(byte: item.primaryKey == nil ? 0 : 1)
        if let primaryKey = item.primaryKey { ValueCoding.encode(primaryKey, into: &writer) }
        MigrationCoding.encode(item.step.map(Int64.init(bitPattern:)), into: &writer)
        for number in [item.line, item.column, item.offset] {
            MigrationCoding.encode(number.map(Int64.init), into: &writer)
        }
    }

    private static func decodeItem(from reader: inout ByteReader) throws(ColumnError) -> ProblemItem {
        ProblemItem(
            try reader.readString(), pointer: try MigrationCoding.decodeOptional(from: &reader),
            className: try MigrationCoding.decodeOptional(from: &reader),
            property: try MigrationCoding.decodeOptional(from: &reader),
            key: try MigrationCoding.decodeInteger(from: &reader).map { ObjectKey($0) },
            primaryKey: try reader.readByte() == 0 ? nil : try ValueCoding.decode(from: &reader),
            step: try MigrationCoding.decodeInteger(from: &reader).map { UInt64(bitPattern: $0) },
            line: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) },
            column: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) },
            offset: try MigrationCoding.decodeInteger(from: &reader).map { Int($0) })
    }
}
