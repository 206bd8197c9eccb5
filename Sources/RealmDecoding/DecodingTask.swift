import Columns
import RealmFile
import Sandbox

/// A task for a host that reads input files.
struct DecodingTask: Hashable {
    /// The use of the file.
    enum Purpose: UInt8 {
        /// Its objects go into the parent's store.
        case read = 0
        /// It is described without its objects.
        case summarize
        /// It is described, and where its bytes are.
        case measure
        /// As much of it as can be read goes into the parent's store.
        case rescue
        /// Another file is made of its parts, as the parent's store says: see `FileCopyStore`.
        case copy
        /// The same, for a file that will be encrypted.
        case copyForEncryption
    }

    var purpose: Purpose
    /// The name of the format.
    var format: String
    /// The size of the row groups that are written.
    var rowGroups: RowGroupLimits
    var key: EncryptionKey?

    init(_ purpose: Purpose, format: String, rowGroups: RowGroupLimits = .standard, key: EncryptionKey? = nil) {
        self.purpose = purpose
        self.format = format
        self.rowGroups = rowGroups
        self.key = key
    }

    /// The task as it goes to a host.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: purpose.rawValue)
        writer.write(string: format)
        writer.write(count: rowGroups.rows)
        writer.write(count: rowGroups.bytes)
        writer.write(bytes: key?.bytes ?? [])
        return writer.bytes
    }

    /// Reads a task.
    init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        guard let purpose = Purpose(rawValue: try reader.readByte()) else { throw reader.damage("the kind of a task") }
        self.purpose = purpose
        format = try reader.readString()
        rowGroups = RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount())
        let key = try reader.readBytes()
        self.key = EncryptionKey(bytes: key)
        guard key.isEmpty || self.key != nil else { throw reader.damage("an encryption key") }
    }
}
