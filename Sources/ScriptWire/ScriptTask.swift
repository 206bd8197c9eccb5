import Columns
import RealmMigration
import RealmModel
import Sandbox

/// A task for a host that runs scripts.
package enum ScriptTask {
    case migrate(MigrationTask)
    case check(ScriptSource)
    case call(FunctionTask)
    case runChecks(CheckTask)
}

/// Migrations by the same script, one after the other.
///
/// The host reports the result of each but the last, which is its answer, as the next one begins.
package struct MigrationTask {
    /// One of the migrations.
    package struct Part {
        package var request: MigrationRequest
        /// The segments of the source that come with the task.
        package var supplies: SegmentSupplies

        package init(request: MigrationRequest, supplies: SegmentSupplies = SegmentSupplies()) {
            self.request = request
            self.supplies = supplies
        }
    }

    /// The size of the row groups that it writes.
    package var rowGroups: RowGroupLimits
    package var script: ScriptSource
    /// Objects that the script may create in each.
    package var createdLimit: Int
    /// Whether scripts read and write columns; off, every value goes by itself, for comparison.
    package var usesColumns: Bool
    /// At least one; small where they are several.
    package var parts: [Part]

    package init(
        rowGroups: RowGroupLimits, script: ScriptSource, createdLimit: Int = .max, usesColumns: Bool = true,
        parts: [Part]
    ) {
        self.rowGroups = rowGroups
        self.script = script
        self.createdLimit = createdLimit
        self.usesColumns = usesColumns
        self.parts = parts
    }
}

extension ScriptTask {
    /// The task as it goes to a host.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .migrate(let task):
            writer.write(byte: 0)
            task.encode(into: &writer)
        case .check(let script):
            writer.write(byte: 1)
            script.encode(into: &writer)
        case .call(let task):
            writer.write(byte: 2)
            task.encode(into: &writer)
        case .runChecks(let task):
            writer.write(byte: 3)
            task.encode(into: &writer)
        }
        return writer.bytes
    }

    /// Reads a task.
    package init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        switch try reader.readByte() {
        case 0: self = .migrate(try MigrationTask(from: &reader))
        case 1: self = .check(try ScriptSource(from: &reader))
        case 2: self = .call(try FunctionTask(from: &reader))
        case 3: self = .runChecks(try CheckTask(from: &reader))
        default: throw reader.damage("the kind of a task")
        }
    }
}

extension MigrationTask {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(count: rowGroups.rows)
        writer.write(count: rowGroups.bytes)
        script.encode(into: &writer)
        writer.write(count: createdLimit)
        writer.write(byte: usesColumns ? 1 : 0)
        writer.write(count: parts.count)
        for part in parts {
            MigrationCoding.encode(part.request, into: &writer)
            part.supplies.encode(into: &writer)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(ColumnError) {
        rowGroups = RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount())
        script = try ScriptSource(from: &reader)
        createdLimit = try reader.readCount()
        usesColumns = try reader.readByte() != 0
        parts = []
        for _ in 0..<(try reader.readCount()) {
            parts.append(
                Part(
                    request: try MigrationCoding.decodeRequest(from: &reader),
                    supplies: try SegmentSupplies(from: &reader)))
        }
        guard !parts.isEmpty else { throw reader.damage("the migrations of a task") }
    }
}
