import Columns
import RealmMigration
import RealmModel

/// A host's report on a script while it runs.
package enum ScriptReport {
    case progress(MigrationProgress)
    case line(String, LogLevel)
    /// The line that a migration's script is in, from 1.
    case place(line: Int)
    /// A function of one object takes too long for the object of a row.
    case exceeded(row: Int)
    /// A migration's script created more objects than it may.
    case created
    /// The script of a share comes to an enumeration of an independent class; nil where it comes from one.
    case enumerating(String?)
    /// A migration has ended, with a result as `MigrationCoding` encodes it, and the next one begins.
    case migrated([UInt8])
    /// A migration has ended, with an error, and the next one begins.
    case refused([UInt8])
    /// The results of the checks so far, as `CheckResultCoding` encodes them; the last one begins.
    case checking([UInt8])

    /// Bytes of one line of a job's log.
    ///
    /// Their number has no bound here: who keeps the log decides which lines of many stay, and the last are not known before
    /// the end.
    package static let lineBytes = String.messageBytes

    /// The report as it goes to the parent.
    package var bytes: [UInt8] {
        switch self {
        case .progress(let progress): return [0] + MigrationCoding.encode(progress)
        case .line(let line, let level):
            let number = LogLevel.allCases.firstIndex(of: level) ?? 0
            return [UInt8(number + 1)] + Array(line.utf8)
        case .exceeded(let row):
            var writer = ByteWriter()
            writer.write(byte: Self.levels + 1)
            writer.write(count: row)
            return writer.bytes
        case .created: return [Self.levels + 2]
        case .migrated(let result): return [Self.levels + 3] + result
        case .refused(let error): return [Self.levels + 4] + error
        case .checking(let results): return [Self.levels + 5] + results
        case .enumerating(let className):
            var writer = ByteWriter()
            writer.write(byte: Self.levels + 7)
            writer.write(optional: className)
            return writer.bytes
        case .place(let line):
            var writer = ByteWriter()
            writer.write(byte: Self.levels + 6)
            writer.write(count: line)
            return writer.bytes
        }
    }

    /// The numbers up to this are of lines.
    private static let levels = UInt8(LogLevel.allCases.count)

    /// Reads a report.
    ///
    /// - Throws: `ColumnError` where no host sends such bytes, a line that is too long included.
    package init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        let number = try reader.readByte()
        let rest = Array(bytes.dropFirst())
        switch number {
        case 0: self = .progress(try MigrationCoding.decodeProgress(rest))
        case 1...Self.levels where rest.count <= Self.lineBytes:
            self = .line(String(decoding: rest, as: UTF8.self), LogLevel.allCases[Int(number) - 1])
        case Self.levels + 1: self = .exceeded(row: try reader.readCount())
        case Self.levels + 2: self = .created
        case Self.levels + 3: self = .migrated(rest)
        case Self.levels + 4: self = .refused(rest)
        case Self.levels + 5: self = .checking(rest)
        case Self.levels + 6: self = .place(line: try reader.readCount())
        case Self.levels + 7: self = .enumerating(try reader.readOptionalString())
        default: throw reader.damage("a report of a script")
        }
    }
}
