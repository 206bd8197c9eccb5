import Columns
import RealmModel

/// A task for a host that reads Swift.
public struct SwiftTask: Hashable, Sendable {
    /// The use of the program.
    public enum Purpose: UInt8, Sendable {
        /// Its classes are a schema.
        case schema = 0
        /// Its migration block is lowered to JavaScript.
        case lower = 1
    }

    /// The name of the role of such hosts.
    public static let roleName = "swift"

    /// The use of the program.
    public var purpose: Purpose
    /// The files and what goes with them.
    public var program: SwiftProgram

    /// Describes a task.
    public init(_ purpose: Purpose, _ program: SwiftProgram) {
        self.purpose = purpose
        self.program = program
    }

    /// The task as it goes to a host.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: purpose.rawValue)
        writer.write(count: program.sources.count)
        for source in program.sources {
            writer.write(string: source.name)
            writer.write(string: source.text)
        }
        writer.write(count: program.stubs.count)
        for stub in program.stubs { writer.write(string: stub) }
        let parameters = program.parameters.sorted { $0.key < $1.key }
        writer.write(count: parameters.count)
        for (name, value) in parameters {
            writer.write(string: name)
            switch value {
            case .int(let number):
                writer.write(byte: 0)
                writer.write(UInt64(bitPattern: number))
            case .double(let number):
                writer.write(byte: 1)
                writer.write(number.bitPattern)
            case .bool(let flag):
                writer.write(byte: 2)
                writer.write(byte: flag ? 1 : 0)
            case .string(let text):
                writer.write(byte: 3)
                writer.write(string: text)
            }
        }
        writer.write(byte: program.block == nil ? 0 : 1)
        writer.write(string: program.block ?? "")
        return writer.bytes
    }

    /// Reads a task.
    ///
    /// - Throws: `ColumnError` where no parent sends such bytes.
    public init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        guard let purpose = Purpose(rawValue: try reader.readByte()) else { throw reader.damage("the kind of a task") }
        self.purpose = purpose
        program = SwiftProgram(sources: [])
        for _ in 0..<(try reader.readCount()) {
            program.sources.append(SwiftSource(name: try reader.readString(), text: try reader.readString()))
        }
        for _ in 0..<(try reader.readCount()) { program.stubs.append(try reader.readString()) }
        for _ in 0..<(try reader.readCount()) {
            let name = try reader.readString()
            switch try reader.readByte() {
            case 0:
                let number: UInt64 = try reader.readInteger()
                program.parameters[name] = .int(Int64(bitPattern: number))
            case 1:
                let pattern: UInt64 = try reader.readInteger()
                program.parameters[name] = .double(Double(bitPattern: pattern))
            case 2: program.parameters[name] = .bool(try reader.readByte() != 0)
            case 3: program.parameters[name] = .string(try reader.readString())
            default: throw reader.damage("the kind of a parameter")
            }
        }
        let hasBlock = try reader.readByte() != 0
        let block = try reader.readString()
        program.block = hasBlock ? block : nil
    }
}

/// The bytes of what a host that reads Swift answers.
public enum SwiftAnswerCoding {
    /// A schema and its version.
    public static func encode(_ schema: Schema, version: UInt64?) -> [UInt8] {
        var writer = ByteWriter()
        SchemaCoding.encode(schema, into: &writer)
        encode(version, into: &writer)
        return writer.bytes
    }

    /// Reads a schema.
    public static func decodeSchema(_ bytes: [UInt8]) throws(ColumnError) -> (schema: Schema, version: UInt64?) {
        var reader = ByteReader(bytes)
        return (try SchemaCoding.decodeSchema(from: &reader), try decodeVersion(from: &reader))
    }

    /// A script.
    public static func encode(_ script: LoweredScript) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(string: script.javaScript)
        writer.write(count: script.places.count)
        for place in script.places {
            writer.write(count: place?.file ?? 0)
            writer.write(count: place?.line ?? 0)
            writer.write(count: place?.column ?? 0)
        }
        writer.write(count: script.files.count)
        for file in script.files { writer.write(string: file) }
        encode(script.schemaVersion, into: &writer)
        return writer.bytes
    }

    /// Reads a script.
    public static func decodeScript(_ bytes: [UInt8]) throws(ColumnError) -> LoweredScript {
        var reader = ByteReader(bytes)
        let javaScript = try reader.readString()
        var places: [LoweredScript.Place?] = []
        for _ in 0..<(try reader.readCount()) {
            let (file, line, column) = (try reader.readCount(), try reader.readCount(), try reader.readCount())
            places.append(line == 0 ? nil : LoweredScript.Place(file: file, line: line, column: column))
        }
        var files: [String] = []
        for _ in 0..<(try reader.readCount()) { files.append(try reader.readString()) }
        return LoweredScript(
            javaScript: javaScript, places: places, files: files, schemaVersion: try decodeVersion(from: &reader))
    }

    /// Encodes the errors in a program.
    public static func encode(_ refusal: SwiftRefusal) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(count: refusal.diagnostics.count)
        for diagnostic in refusal.diagnostics {
            writer.write(string: diagnostic.file)
            writer.write(count: diagnostic.line)
            writer.write(count: diagnostic.column)
            writer.write(string: diagnostic.message)
        }
        return writer.bytes
    }

    /// Reads what is wrong with a program.
    public static func decodeRefusal(_ bytes: [UInt8]) throws(ColumnError) -> SwiftRefusal {
        var reader = ByteReader(bytes)
        var diagnostics: [SwiftDiagnostic] = []
        for _ in 0..<(try reader.readCount()) {
            diagnostics.append(
                SwiftDiagnostic(
                    file: try reader.readString(), line: try reader.readCount(), column: try reader.readCount(),
                    message: try reader.readString()))
        }
        return SwiftRefusal(diagnostics)
    }

    private static func encode(_ version: UInt64?, into writer: inout ByteWriter) {
        writer.write(byte: version == nil ? 0 : 1)
        writer.write(version ?? 0)
    }

    private static func decodeVersion(from reader: inout ByteReader) throws(ColumnError) -> UInt64? {
        let isThere = try reader.readByte() != 0
        let version: UInt64 = try reader.readInteger()
        return isThere ? version : nil
    }
}
