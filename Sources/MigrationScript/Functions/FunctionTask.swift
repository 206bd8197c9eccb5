import Columns
import RealmMigration
import RealmModel

/// A call of a function of one object for many, as a parent asks it of a host.
///
/// The host learns of the objects what the function sees; which objects they are, the parent knows by their rows.
struct FunctionTask {
    var function: ObjectFunction
    var rowCount: Int
    /// A column a property of the function's inputs.
    var columns: [ColumnArray]
    var policy: FunctionFailurePolicy
    var secondsPerObject: Double
}

extension FunctionTask {
    func encode(into writer: inout ByteWriter) {
        writer.write(string: function.script.language)
        writer.write(string: function.script.source)
        let outputs = function.outputs
        SchemaCoding.encode(
            Schema([
                ObjectSchema(function.className, properties: function.inputs),
                ObjectSchema(outputs.className, properties: outputs.properties),
            ]), into: &writer)
        if case .value = function.answer { writer.write(byte: 1) } else { writer.write(byte: 0) }
        writer.write(byte: policy == .collects ? 1 : 0)
        writer.write(secondsPerObject.bitPattern)
        writer.write(count: rowCount)
        for column in columns { SegmentCoding.encodePlain(column, into: &writer) }
    }

    /// Reads a call.
    init(from reader: inout ByteReader) throws(ColumnError) {
        let script = ScriptSource(language: try reader.readString(), source: try reader.readString())
        let classes = try SchemaCoding.decodeSchema(from: &reader).classes
        guard classes.count == 2 else { throw reader.damage("the properties of a function") }
        let (inputs, outputs) = (classes[0], classes[1])
        if try reader.readByte() != 0 {
            guard let property = outputs.properties.first else { throw reader.damage("the answer of a function") }
            function = ObjectFunction(
                script, of: inputs.name, inputs: inputs.properties, answer: .value(of: outputs.name, property))
        } else {
            function = ObjectFunction(
                script, of: inputs.name, inputs: inputs.properties,
                answer: .members(of: outputs.name, outputs.properties))
        }
        policy = try reader.readByte() != 0 ? .collects : .stops
        secondsPerObject = Double(bitPattern: try reader.readInteger())
        rowCount = try reader.readCount()
        columns = []
        for _ in inputs.properties { columns.append(try SegmentCoding.decodePlain(from: &reader)) }
    }
}

/// The bytes of what a function answered on the socket between a host and its parent.
///
/// The errors of single objects have no key and no primary key there: the parent adds them.
enum FunctionAnswersCoding {
    static func encode(_ answers: FunctionAnswers) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: answers.failures.count)
        for failure in answers.failures {
            writer.write(count: failure.row)
            writer.write(bytes: MigrationCoding.encode(failure.error))
        }
        for column in answers.columns {
            writer.write(byte: column.given == nil ? 0 : 1)
            if let given = column.given { writer.write(raw: given.bytes) }
            SegmentCoding.encodePlain(column.values, into: &writer)
        }
        return writer.bytes
    }

    /// Reads answers, and checks that they are answers to the task.
    static func decode(_ bytes: [UInt8], to task: FunctionTask) throws(ColumnError) -> FunctionAnswers {
        var reader = ByteReader(bytes)
        var failures: [FunctionAnswers.Failure] = []
        for _ in 0..<(try reader.readCount()) {
            let row = try reader.readCount()
            guard row < task.rowCount, failures.last.map({ $0.row < row }) ?? true else {
                throw reader.damage("the row of a failure")
            }
            failures.append(.init(row: row, error: try MigrationCoding.decodeError(try reader.readBytes())))
        }
        var columns: [FunctionAnswers.Column] = []
        for property in task.function.outputs.properties {
            var given: Bitmap?
            if try reader.readByte() != 0 {
                given = Bitmap(
                    bytes: Array(try reader.readRaw((task.rowCount + 7) / 8)), count: task.rowCount)
            }
            let values = try SegmentCoding.decodePlain(from: &reader)
            guard values.count == task.rowCount, values.hasLayout(of: ColumnType(property)) else {
                throw reader.damage("the answers of a function")
            }
            columns.append(.init(given: given, values: values))
        }
        return FunctionAnswers(columns: columns, failures: failures)
    }
}
