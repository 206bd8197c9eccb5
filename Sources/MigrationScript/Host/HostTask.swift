import Columns
import RealmMigration
import RealmModel

/// What a parent asks of a host.
enum HostTask {
    case migrate(MigrationTask)
    case decode(DecodeTask)
    case check(ScriptSource)
}

/// A migration by script.
struct MigrationTask {
    /// The size of the row groups that it writes.
    var rowGroups: RowGroupLimits
    var request: MigrationRequest
    var script: ScriptSource
    /// Whether scripts read and write columns; off, every value goes by itself, for comparison.
    var usesColumns = true
    /// What of the source comes with the task.
    var supplies = SegmentSupplies()
}

/// The decoding of an input file.
struct DecodeTask: Hashable {
    /// The size of the row groups that it writes.
    var rowGroups: RowGroupLimits
    var format: String
}

extension HostTask {
    /// The frame that brings the task to a host.
    var frame: Frame {
        var writer = ByteWriter()
        switch self {
        case .migrate(let task):
            encode(task.rowGroups, into: &writer)
            writer.write(string: task.script.language)
            writer.write(string: task.script.source)
            writer.write(byte: task.usesColumns ? 1 : 0)
            MigrationCoding.encode(task.request, into: &writer)
            task.supplies.encode(into: &writer)
            return Frame(.migrate, writer.bytes)
        case .decode(let task):
            encode(task.rowGroups, into: &writer)
            writer.write(string: task.format)
            return Frame(.decode, writer.bytes)
        case .check(let script):
            writer.write(string: script.language)
            writer.write(string: script.source)
            return Frame(.check, writer.bytes)
        }
    }

    /// The task that a frame brings; nil where it brings none.
    init?(_ frame: Frame) throws(ColumnError) {
        var reader = ByteReader(frame.payload)
        switch frame.kind {
        case .migrate:
            let rowGroups = try Self.decodeRowGroups(from: &reader)
            let script = ScriptSource(language: try reader.readString(), source: try reader.readString())
            let usesColumns = try reader.readByte() != 0
            let request = try MigrationCoding.decodeRequest(from: &reader)
            self = .migrate(
                MigrationTask(
                    rowGroups: rowGroups, request: request, script: script, usesColumns: usesColumns,
                    supplies: try SegmentSupplies(from: &reader)))
        case .decode:
            let rowGroups = try Self.decodeRowGroups(from: &reader)
            self = .decode(DecodeTask(rowGroups: rowGroups, format: try reader.readString()))
        case .check:
            self = .check(ScriptSource(language: try reader.readString(), source: try reader.readString()))
        default: return nil
        }
    }

    private func encode(_ rowGroups: RowGroupLimits, into writer: inout ByteWriter) {
        writer.write(count: rowGroups.rows)
        writer.write(count: rowGroups.bytes)
    }

    private static func decodeRowGroups(from reader: inout ByteReader) throws(ColumnError) -> RowGroupLimits {
        RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount())
    }
}
