import Columns
import RealmFile
import Sandbox

/// The bytes of what a rescue found and lost on the socket between a host and its parent.
enum RescueReportCoding {
    static func encode(_ report: RescueReport, into writer: inout ByteWriter) {
        writer.write(string: report.source.rawValue)
        writer.write(report.topRef)
        writer.write(report.snapshotVersion)
        writer.write(count: report.formatVersion)
        encode([report.newerCommit].compactMap(\.self), into: &writer) { writer, commit in
            writer.write(commit.topRef)
            writer.write(optional: commit.snapshotVersion)
            writer.write(optional: commit.expected.map(Int64.init))
            writer.write(count: commit.readable)
        }
        writer.write(count: report.damagedPages)
        writer.write(count: report.damagedNodes)
        writer.write(byte: report.isOwnStateLost ? 1 : 0)
        writer.write(byte: report.isSchemaVersionLost ? 1 : 0)
        writer.write(byte: report.isSchemaVersionSuspect ? 1 : 0)
        encode(report.lostClasses, into: &writer) { writer, name in writer.write(string: name) }
        writer.write(count: report.lostTables)
        encode(report.classes, into: &writer) { encode($1, into: &$0) }
    }

    static func decode(from reader: inout ByteReader) throws(ColumnError) -> RescueReport {
        guard let source = RescueReport.Source(rawValue: try reader.readString()) else {
            throw reader.damage("the source of a rescue")
        }
        var report = RescueReport(
            source: source, topRef: try reader.readInteger(), snapshotVersion: try reader.readInteger(),
            formatVersion: try reader.readCount())
        report.newerCommit = try decode(from: &reader) { reader throws(ColumnError) in
            RescueReport.NewerCommit(
                topRef: try reader.readInteger(), snapshotVersion: try reader.readOptionalInteger(),
                expected: try reader.readOptionalInteger().flatMap { Int(exactly: $0) },
                readable: try reader.readCount())
        }.first
        report.damagedPages = try reader.readCount()
        report.damagedNodes = try reader.readCount()
        report.isOwnStateLost = try reader.readByte() != 0
        report.isSchemaVersionLost = try reader.readByte() != 0
        report.isSchemaVersionSuspect = try reader.readByte() != 0
        report.lostClasses = try decode(from: &reader) { reader throws(ColumnError) in try reader.readString() }
        report.lostTables = try reader.readCount()
        report.classes = try decode(from: &reader) { reader throws(ColumnError) in try decodeClass(from: &reader) }
        return report
    }

    private static func encode(_ stored: RescueReport.Class, into writer: inout ByteWriter) {
        writer.write(string: stored.name)
        writer.write(optional: stored.expected.map(Int64.init))
        writer.write(count: stored.read)
        encode(stored.lost, into: &writer) { writer, lost in
            writer.write(string: lost.reason.rawValue)
            encode([lost.property].compactMap(\.self), into: &writer) { writer, name in writer.write(string: name) }
            writer.write(count: lost.count)
            encode(lost.keys, into: &writer)
        }
        encode(stored.properties, into: &writer) { writer, property in
            writer.write(string: property.name)
            writer.write(count: property.lostValues)
            writer.write(count: property.lostElements)
            writer.write(count: property.brokenLinks)
            encode(property.keys, into: &writer)
            writer.write(count: property.suspectValues)
            encode(property.suspectKeys, into: &writer)
        }
        encode(stored.lostProperties, into: &writer) { writer, name in writer.write(string: name) }
        writer.write(count: stored.suspectObjects)
        encode(stored.suspectKeys, into: &writer)
        writer.write(byte: stored.isDescriptionSuspect ? 1 : 0)
    }

    private static func decodeClass(from reader: inout ByteReader) throws(ColumnError) -> RescueReport.Class {
        var stored = RescueReport.Class(
            name: try reader.readString(), expected: try reader.readOptionalInteger().flatMap { Int(exactly: $0) })
        stored.read = try reader.readCount()
        stored.lost = try decode(from: &reader) { reader throws(ColumnError) in
            guard let reason = RescueReport.Reason(rawValue: try reader.readString()) else {
                throw reader.damage("the reason of a loss")
            }
            let names = try decode(from: &reader) { reader throws(ColumnError) in try reader.readString() }
            return RescueReport.LostObjects(
                reason: reason, property: names.first, count: try reader.readCount(),
                keys: try decodeKeys(from: &reader))
        }
        stored.properties = try decode(from: &reader) { reader throws(ColumnError) in
            var property = RescueReport.Property(
                name: try reader.readString(), lostValues: try reader.readCount(),
                lostElements: try reader.readCount(), brokenLinks: try reader.readCount(),
                keys: try decodeKeys(from: &reader))
            property.suspectValues = try reader.readCount()
            property.suspectKeys = try decodeKeys(from: &reader)
            return property
        }
        stored.lostProperties = try decode(from: &reader) { reader throws(ColumnError) in try reader.readString() }
        stored.suspectObjects = try reader.readCount()
        stored.suspectKeys = try decodeKeys(from: &reader)
        stored.isDescriptionSuspect = try reader.readByte() != 0
        return stored
    }

    private static func encode(_ keys: KeyRanges, into writer: inout ByteWriter) {
        encode(keys.ranges, into: &writer) { writer, range in
            writer.write(range.first)
            writer.write(range.last)
        }
    }

    private static func decodeKeys(from reader: inout ByteReader) throws(ColumnError) -> KeyRanges {
        let ranges = try decode(from: &reader) { reader throws(ColumnError) in
            KeyRanges.KeyRange(try reader.readInteger(), try reader.readInteger())
        }
        return ranges.reduce(into: KeyRanges()) { $0.insert($1) }
    }

    private static func encode<Element>(
        _ elements: [Element], into writer: inout ByteWriter, _ encode: (inout ByteWriter, Element) -> Void
    ) {
        writer.write(count: elements.count)
        for element in elements { encode(&writer, element) }
    }

    private static func decode<Element>(
        from reader: inout ByteReader, _ decode: (inout ByteReader) throws(ColumnError) -> Element
    ) throws(ColumnError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try reader.readCount()) { elements.append(try decode(&reader)) }
        return elements
    }
}
