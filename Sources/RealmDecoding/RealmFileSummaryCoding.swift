import Columns
import RealmFile
import RealmModel
import Sandbox

/// The bytes of what a file says about itself on the socket between a host and its parent.
enum RealmFileSummaryCoding {
    static func encode(_ summary: RealmFileSummary) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: summary.formatVersion)
        writer.write(count: summary.fileBytes)
        writer.write(count: summary.freeBytes)
        writer.write(byte: summary.isStreaming ? 1 : 0)
        writer.write(byte: summary.isEncrypted ? 1 : 0)
        writer.write(optional: summary.schemaVersion.map(Int64.init(bitPattern:)))
        writer.write(summary.snapshotVersion)
        writer.write(string: summary.history.rawValue)
        writer.write(optional: summary.unsentChangesets.map(Int64.init))
        SchemaCoding.encode(Schema(summary.classes.map(\.schema)), into: &writer)
        for stored in summary.classes { writer.write(count: stored.objectCount) }
        writer.write(byte: summary.space == nil ? 0 : 1)
        if let space = summary.space { FileSpaceCoding.encode(space, into: &writer) }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ColumnError) -> RealmFileSummary {
        var reader = ByteReader(bytes)
        var summary = RealmFileSummary(formatVersion: try reader.readCount(), fileBytes: try reader.readCount())
        summary.freeBytes = try reader.readCount()
        summary.isStreaming = try reader.readByte() != 0
        summary.isEncrypted = try reader.readByte() != 0
        summary.schemaVersion = try reader.readOptionalInteger().map { UInt64(bitPattern: $0) }
        summary.snapshotVersion = try reader.readInteger()
        guard let history = RealmFileSummary.History(rawValue: try reader.readString()) else {
            throw reader.damage("the kind of a history")
        }
        summary.history = history
        summary.unsentChangesets = try reader.readOptionalInteger().map(Int.init)
        for schema in try SchemaCoding.decodeSchema(from: &reader).classes {
            summary.classes.append(.init(schema: schema, objectCount: try reader.readCount()))
        }
        if try reader.readByte() != 0 { summary.space = try FileSpaceCoding.decode(from: &reader) }
        return summary
    }
}
