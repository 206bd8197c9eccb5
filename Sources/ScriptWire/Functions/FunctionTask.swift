import Columns
import RealmMigration
import RealmModel

/// A call of a function of one object for many, as a parent asks it of a host.
///
/// The host learns of the objects what the function sees; which objects they are, the parent knows by their rows.
package struct FunctionTask {
    package var function: ObjectFunction
    package var rowCount: Int
    /// A column a property of the function's inputs.
    package var columns: [ColumnArray]
    package var policy: FunctionFailurePolicy
    package var secondsPerObject: Double
    /// The function that is called with the answers.
    package var back: ReturnFunction?

    package init(
        function: ObjectFunction, rowCount: Int, columns: [ColumnArray], policy: FunctionFailurePolicy,
        secondsPerObject: Double, back: ReturnFunction? = nil
    ) {
        self.function = function
        self.rowCount = rowCount
        self.columns = columns
        self.policy = policy
        self.secondsPerObject = secondsPerObject
        self.back = back
    }
}

extension FunctionTask {
    /// The call of the way back; nil where there is none, where the function failed for an object, and where something is not
    /// known of one.
    package func wayBack(from answers: FunctionAnswers) throws -> FunctionTask? {
        guard let back, answers.failures.isEmpty else { return nil }
        var task = FunctionTask(
            function: back.function, rowCount: rowCount, columns: [], policy: .collects,
            secondsPerObject: secondsPerObject)
        for (input, property) in zip(back.inputs, back.function.inputs) {
            let answer = input.answer.map { answers.columns[$0] }
            if let answer, answer.given == nil {
                task.columns.append(answer.values)
                continue
            }
            let other: ColumnArray
            switch input.otherwise {
            case .unknown: return nil
            case .input(let index): other = columns[index]
            case .value(let value):
                other = try ColumnArray(repeating: value, count: rowCount, as: ColumnType(property))
            }
            task.columns.append(try answer.map { try $0.filled(by: other, as: ColumnType(property)) } ?? other)
        }
        return task
    }

    package func encode(into writer: inout ByteWriter) {
        Self.encode(function, into: &writer)
        writer.write(byte: policy == .collects ? 1 : 0)
        writer.write(secondsPerObject.bitPattern)
        writer.write(count: rowCount)
        for column in columns { SegmentCoding.encodePlain(column, into: &writer) }
        writer.write(byte: back == nil ? 0 : 1)
        if let back { Self.encode(back, into: &writer) }
    }

    private static func encode(_ function: ObjectFunction, into writer: inout ByteWriter) {
        function.script.encode(into: &writer)
        let outputs = function.outputs
        SchemaCoding.encode(
            Schema([
                ObjectSchema(function.className, properties: function.inputs),
                ObjectSchema(outputs.className, properties: outputs.properties),
            ]), into: &writer)
        if case .value = function.answer { writer.write(byte: 1) } else { writer.write(byte: 0) }
    }

    private static func encode(_ back: ReturnFunction, into writer: inout ByteWriter) {
        encode(back.function, into: &writer)
        for input in back.inputs {
            writer.write(count: input.answer.map { $0 + 1 } ?? 0)
            switch input.otherwise {
            case .unknown: writer.write(byte: 0)
            case .input(let index):
                writer.write(byte: 1)
                writer.write(count: index)
            case .value(let value):
                writer.write(byte: 2)
                ValueCoding.encode(value, into: &writer)
            }
        }
    }

    /// Reads a call.
    package init(from reader: inout ByteReader) throws(ColumnError) {
        function = try Self.decodeFunction(from: &reader)
        policy = try reader.readByte() != 0 ? .collects : .stops
        secondsPerObject = Double(bitPattern: try reader.readInteger())
        rowCount = try reader.readCount()
        columns = []
        for _ in function.inputs { columns.append(try SegmentCoding.decodePlain(from: &reader)) }
        back = try reader.readByte() == 0 ? nil : try Self.decodeBack(of: function, from: &reader)
    }

    private static func decodeFunction(from reader: inout ByteReader) throws(ColumnError) -> ObjectFunction {
        let script = try ScriptSource(from: &reader)
        let classes = try SchemaCoding.decodeSchema(from: &reader).classes
        guard classes.count == 2 else { throw reader.damage("the properties of a function") }
        let (inputs, outputs) = (classes[0], classes[1])
        guard try reader.readByte() != 0 else {
            return ObjectFunction(
                script, of: inputs.name, inputs: inputs.properties,
                answer: .members(of: outputs.name, outputs.properties))
        }
        guard let property = outputs.properties.first else { throw reader.damage("the answer of a function") }
        return ObjectFunction(
            script, of: inputs.name, inputs: inputs.properties, answer: .value(of: outputs.name, property))
    }

    private static func decodeBack(
        of function: ObjectFunction, from reader: inout ByteReader
    ) throws(ColumnError) -> ReturnFunction {
        var back = ReturnFunction(try decodeFunction(from: &reader), inputs: [])
        for _ in back.function.inputs {
            let place = try reader.readCount()
            var input = ReturnFunction.Input(answer: place == 0 ? nil : place - 1, otherwise: .unknown)
            switch try reader.readByte() {
            case 0: break
            case 1: input.otherwise = .input(try reader.readCount())
            case 2: input.otherwise = .value(try ValueCoding.decode(from: &reader))
            default: throw reader.damage("an input of the way back")
            }
            guard place <= function.outputs.properties.count, input.otherwise.isAmong(function.inputs) else {
                throw reader.damage("an input of the way back")
            }
            back.inputs.append(input)
        }
        return back
    }
}

extension ReturnFunction.Otherwise {
    fileprivate func isAmong(_ inputs: [Property]) -> Bool {
        if case .input(let index) = self { inputs.indices.contains(index) } else { true }
    }
}

extension FunctionAnswers.Column {
    /// The values, with those of another column where none were given.
    fileprivate func filled(by other: ColumnArray, as type: ColumnType) throws(ColumnError) -> ColumnArray {
        guard let given else { return values }
        let rows = (0..<values.count).filter { given[$0] }
        return try other.overlaid(at: rows, as: type) { (values, rows[$0]) }
    }
}
