import Columns
import RealmMigration
import RealmModel

/// Assertions about a realm before and after a migration, as a parent asks for them.
package struct CheckTask {
    package var programs: [ScriptSource]
    package var old: Snapshot
    package var new: Snapshot
    /// The size of the realm's row groups.
    package var rowGroups: RowGroupLimits

    package init(programs: [ScriptSource], old: Snapshot, new: Snapshot, rowGroups: RowGroupLimits) {
        self.programs = programs
        self.old = old
        self.new = new
        self.rowGroups = rowGroups
    }

    package func encode(into writer: inout ByteWriter) {
        writer.write(count: programs.count)
        for program in programs { program.encode(into: &writer) }
        writer.write(bytes: SnapshotCoding.encode(old))
        writer.write(bytes: SnapshotCoding.encode(new))
        writer.write(count: rowGroups.rows)
        writer.write(count: rowGroups.bytes)
    }
}

extension CheckTask {
    package init(from reader: inout ByteReader) throws(ColumnError) {
        var programs: [ScriptSource] = []
        for _ in 0..<(try reader.readCount()) {
            programs.append(try ScriptSource(from: &reader))
        }
        self.init(
            programs: programs, old: try SnapshotCoding.decodeSnapshot(try reader.readBytes()),
            new: try SnapshotCoding.decodeSnapshot(try reader.readBytes()),
            rowGroups: RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount()))
    }
}

/// The bytes of what checks came to on the socket between a host and its parent.
package enum CheckResultCoding {
    package static func encode(_ results: [RealmCheckResult]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: results.count)
        for result in results {
            writer.write(string: result.name)
            writer.write(byte: result.passed ? 1 : 0)
            writer.write(optional: result.message)
            writer.write(optional: result.line.map(Int64.init))
        }
        return writer.bytes
    }

    package static func decode(_ bytes: [UInt8]) throws(ColumnError) -> [RealmCheckResult] {
        var reader = ByteReader(bytes)
        var results: [RealmCheckResult] = []
        for _ in 0..<(try reader.readCount()) {
            results.append(
                RealmCheckResult(
                    name: try reader.readString().bounded(), passed: try reader.readByte() != 0,
                    message: try reader.readOptionalString()?.bounded(),
                    line: try reader.readOptionalInteger().map { Int($0) }))
        }
        return results
    }
}
