import Columns
import RealmMigration
import RealmModel
import Sandbox

/// A task for a host that runs scripts.
package enum ScriptTask {
    /// The role of such hosts.
    package static let roleName = "scripts"

    case migrate(MigrationTask)
    /// Several migrations by the same script, each to be told of when it begins and when it has ended.
    case migrateAll([MigrationTask])
    case check(ScriptSource)
    case call(FunctionTask)
    case runChecks(CheckTask)
}

/// A migration by script.
package struct MigrationTask {
    /// The size of the row groups that it writes.
    package var rowGroups: RowGroupLimits
    package var request: MigrationRequest
    package var script: ScriptSource
    /// Objects that the script may create.
    package var createdLimit = Int.max
    /// Whether scripts read and write columns; off, every value goes by itself, for comparison.
    package var usesColumns = true
    /// The segments of the source that come with the task.
    package var supplies = SegmentSupplies()
}

extension ScriptTask {
    /// The task as it goes to a host.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .migrate(let task):
            writer.write(byte: 0)
            encode(task, into: &writer)
        case .check(let script):
            writer.write(byte: 1)
            script.encode(into: &writer)
        case .call(let task):
            writer.write(byte: 2)
            task.encode(into: &writer)
        case .runChecks(let task):
            writer.write(byte: 3)
            task.encode(into: &writer)
        case .migrateAll(let tasks):
            writer.write(byte: 4)
            writer.write(count: tasks.count)
            for task in tasks { encode(task, into: &writer) }
        }
        return writer.bytes
    }

    /// Reads a task.
    package init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        switch try reader.readByte() {
        case 0: self = .migrate(try Self.decodeMigration(from: &reader))
        case 1: self = .check(try ScriptSource(from: &reader))
        case 2: self = .call(try FunctionTask(from: &reader))
        case 3: self = .runChecks(try CheckTask(from: &reader))
        case 4:
            var tasks: [MigrationTask] = []
            for _ in 0..<(try reader.readCount()) { tasks.append(try Self.decodeMigration(from: &reader)) }
            self = .migrateAll(tasks)
        default: throw reader.damage("the kind of a task")
        }
    }

    private func encode(_ task: MigrationTask, into writer: inout ByteWriter) {
        writer.write(count: task.rowGroups.rows)
        writer.write(count: task.rowGroups.bytes)
        task.script.encode(into: &writer)
        writer.write(count: task.createdLimit)
        writer.write(byte: task.usesColumns ? 1 : 0)
        MigrationCoding.encode(task.request, into: &writer)
        task.supplies.encode(into: &writer)
    }

    private static func decodeMigration(from reader: inout ByteReader) throws(ColumnError) -> MigrationTask {
        let rowGroups = RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount())
        let script = try ScriptSource(from: &reader)
        let createdLimit = try reader.readCount()
        let usesColumns = try reader.readByte() != 0
        let request = try MigrationCoding.decodeRequest(from: &reader)
        return MigrationTask(
            rowGroups: rowGroups, request: request, script: script, createdLimit: createdLimit,
            usesColumns: usesColumns, supplies: try SegmentSupplies(from: &reader))
    }
}
