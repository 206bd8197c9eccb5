import Columns

/// The decoding of an input file, as a parent asks a host for it.
struct DecodingTask: Hashable {
    /// The size of the row groups that are written.
    var rowGroups: RowGroupLimits
    var format: String

    init(format: String, rowGroups: RowGroupLimits) {
        self.format = format
        self.rowGroups = rowGroups
    }

    /// The task as it goes to a host.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(count: rowGroups.rows)
        writer.write(count: rowGroups.bytes)
        writer.write(string: format)
        return writer.bytes
    }

    /// Reads a task.
    init(_ bytes: [UInt8]) throws(ColumnError) {
        var reader = ByteReader(bytes)
        rowGroups = RowGroupLimits(rows: try reader.readCount(), bytes: try reader.readCount())
        format = try reader.readString()
    }
}
