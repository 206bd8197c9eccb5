import Columns
import RealmMigration
import RealmModel

/// A host's report on a script while it runs.
package enum ScriptReport {
    case progress(MigrationProgress)
    case line(String, LogLevel)
    /// A function of one object takes too long for the object of a row.
    case exceeded(row: Int)
    /// A migration's script created more objects than it may.
    case created
    /// The next of several migrations begins.
    case began
    /// It has ended, with a result as `MigrationCoding` encodes it.
    case migrated([UInt8])
    /// It has ended, with an error.
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
            writer.write(byte: Self.exceededNumber)
            writer.write(count: row)
            return writer.bytes
        case .created: return [Self.createdNumber]
        case .began: return [Self.beganNumber]
        case .migrated(let result): return [Self.migratedNumber] + result
        case .refused(let error): return [Self.refusedNumber] + error
        case .checking(let results): return [Self.checkingNumber] + results
        }
    }

    private static let exceededNumber = UInt8(LogLevel.allCases.count + 1)
    private static let createdNumber = exceededNumber + 1
    private static let beganNumber = createdNumber + 1
    private static let migratedNumber = beganNumber + 1
    private static let refusedNumber = migratedNumber + 1
    private static let checkingNumber = refusedNumber + 1

    /// Reads a report.
    ///
    /// - Throws: `ColumnError` where no host sends such bytes, a line that is too long included.
    package init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        let number = Int(try reader.readByte())
        if number == 0 {
            self = .progress(try MigrationCoding.decodeProgress(Array(bytes.dropFirst())))
            return
        }
        if number == Self.exceededNumber {
            self = .exceeded(row: try reader.readCount())
            return
        }
        switch UInt8(number) {
        case Self.createdNumber:
            self = .created
            return
        case Self.beganNumber:
            self = .began
            return
        case Self.migratedNumber:
            self = .migrated(Array(bytes.dropFirst()))
            return
        case Self.refusedNumber:
            self = .refused(Array(bytes.dropFirst()))
            return
        case Self.checkingNumber:
            self = .checking(Array(bytes.dropFirst()))
            return
        default: break
        }
        guard LogLevel.allCases.indices.contains(number - 1), bytes.count <= Self.lineBytes + 1 else {
            throw reader.damage("a report of a script")
        }
        self = .line(String(decoding: bytes.dropFirst(), as: UTF8.self), LogLevel.allCases[number - 1])
    }
}
