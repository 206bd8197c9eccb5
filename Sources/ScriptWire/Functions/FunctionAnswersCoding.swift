import Columns
import RealmMigration
import RealmModel

/// The bytes of what a function answered, and the one that leads back, on the socket between a host and its parent.
///
/// The errors of single objects have no key and no primary key there: the parent adds them. A column that is one of the task's
/// is only named: mostly what comes back is what was there.
package enum FunctionAnswersCoding {
    package static func encode(_ answers: FunctionAnswers, _ back: FunctionAnswers?, to task: FunctionTask) -> [UInt8] {
        var writer = ByteWriter()
        encode(answers, to: task, into: &writer)
        writer.write(byte: back == nil ? 0 : 1)
        if let back { encode(back, to: task, into: &writer) }
        return writer.bytes
    }

    private static func encode(_ answers: FunctionAnswers, to task: FunctionTask, into writer: inout ByteWriter) {
        writer.write(count: answers.failures.count)
        for failure in answers.failures {
            writer.write(count: failure.row)
            writer.write(bytes: MigrationCoding.encode(failure.error))
        }
        for column in answers.columns {
            writer.write(byte: column.given == nil ? 0 : 1)
            if let given = column.given { writer.write(raw: given.bytes) }
            if let same = task.columns.firstIndex(of: column.values) {
                writer.write(count: same + 1)
            } else {
                writer.write(count: 0)
                SegmentCoding.encodePlain(column.values, into: &writer)
            }
        }
    }

    /// Reads answers, and checks that they are answers to the task.
    package static func decode(
        _ bytes: [UInt8], to task: FunctionTask
    ) throws(ColumnError) -> (FunctionAnswers, back: FunctionAnswers?) {
        var reader = ByteReader(bytes)
        let answers = try decode(task.function, task, from: &reader)
        guard try reader.readByte() != 0 else { return (answers, nil) }
        guard let back = task.back else { throw reader.damage("answers that nobody asked for") }
        return (answers, try decode(back.function, task, from: &reader))
    }

    private static func decode(
        _ function: ObjectFunction, _ task: FunctionTask, from reader: inout ByteReader
    ) throws(ColumnError) -> FunctionAnswers {
        var failures: [FunctionAnswers.Failure] = []
        for _ in 0..<(try reader.readCount()) {
            let row = try reader.readCount()
            guard row < task.rowCount, failures.last.map({ $0.row < row }) ?? true else {
                throw reader.damage("the row of a failure")
            }
            failures.append(.init(row: row, error: try MigrationCoding.decodeError(try reader.readBytes())))
        }
        var columns: [FunctionAnswers.Column] = []
        for property in function.outputs.properties {
            var given: Bitmap?
            if try reader.readByte() != 0 {
                given = Bitmap(
                    bytes: Array(try reader.readRaw((task.rowCount + 7) / 8)), count: task.rowCount)
            }
            let same = try reader.readCount()
            guard same <= task.columns.count else { throw reader.damage("the number of a column") }
            let values = same > 0 ? task.columns[same - 1] : try SegmentCoding.decodePlain(from: &reader)
            guard values.count == task.rowCount, values.hasLayout(of: ColumnType(property)) else {
                throw reader.damage("the answers of a function")
            }
            columns.append(.init(given: given, values: values))
        }
        return FunctionAnswers(columns: columns, failures: failures)
    }
}
