import Columns
import RealmMigration
import RealmModel

/// What a parent asks of a host, with the limits that the host sets itself before it begins.
enum HostTask {
    case migrate(MigrationTask)
    case decode(DecodeTask)

    /// The limits of either.
    var limits: HostLimits {
        switch self {
        case .migrate(let task): task.limits
        case .decode(let task): task.limits
        }
    }
}

/// What a host may use, and how it divides what it writes.
struct HostLimits: Hashable {
    /// Seconds of processor time, the backstop behind the parent's clock.
    var processorSeconds: Int
    /// Bytes of memory beyond what an idle host takes.
    var memoryBytes: Int
    /// The size of row groups that it writes.
    var rowGroups: RowGroupLimits
}

/// A migration by script.
struct MigrationTask {
    var limits: HostLimits
    var request: MigrationRequest
    var script: ScriptSource
    /// Whether scripts read and write columns; off, every value goes by itself, for comparison.
    var usesColumns = true
}

/// The decoding of an input file.
struct DecodeTask: Hashable {
    var limits: HostLimits
    var format: String
}

extension HostTask {
    /// The frame that brings the task to a host.
    var frame: Frame {
        var writer = ByteWriter()
        encode(limits, into: &writer)
        switch self {
        case .migrate(let task):
            writer.write(string: task.script.language)
            writer.write(string: task.script.source)
            writer.write(byte: task.usesColumns ? 1 : 0)
            MigrationCoding.encode(task.request, into: &writer)
            return Frame(.migrate, writer.bytes)
        case .decode(let task):
            writer.write(string: task.format)
            return Frame(.decode, writer.bytes)
        }
    }

    /// The task that a frame brings; nil where it brings none.
    init?(_ frame: Frame) throws(ColumnError) {
        var reader = ByteReader(frame.payload)
        switch frame.kind {
        case .migrate:
            let limits = try Self.decodeLimits(from: &reader)
            let script = ScriptSource(language: try reader.readString(), source: try reader.readString())
            let usesColumns = try reader.readByte() != 0
            let request = try MigrationCoding.decodeRequest(from: &reader)
            self = .migrate(
                MigrationTask(limits: limits, request: request, script: script, usesColumns: usesColumns))
        case .decode:
            let limits = try Self.decodeLimits(from: &reader)
            self = .decode(DecodeTask(limits: limits, format: try reader.readString()))
        default: return nil
        }
    }

    private func encode(_ limits: HostLimits, into writer: inout ByteWriter) {
        writer.write(count: limits.processorSeconds)
        writer.write(count: limits.memoryBytes)
        writer.write(count: limits.rowGroups.rows)
        writer.write(count: limits.rowGroups.bytes)
    }

    private static func decodeLimits(from reader: inout ByteReader) throws(ColumnError) -> HostLimits {
        HostLimits(
            processorSeconds: try reader.readCount(), memoryBytes: try reader.readCount(),
            rowGroups: RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount()))
    }
}
