import RealmModel

/// The bytes of patches: arrays behind a directory, each found and decoded on its own.
///
/// `docs/maintainers/columns.md` describes every byte.
enum PatchCoding {
    private static let version: UInt8 = 1
    /// Bytes up to which an array is kept as it is: a frame of its own would hardly be smaller.
    private static let plainLimit = 1 << 10

    static func encode(_ contents: PatchContents) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: version)
        for keys in [contents.inserted, contents.changed, contents.deleted] {
            write(keys: keys, into: &writer)
        }
        write(keys: contents.primaryKeys.entries.map { Int64(bitPattern: $0) }, into: &writer)
        writer.write(count: contents.columns.count)
        for column in contents.columns {
            writer.write(string: column.property)
            write(column.inserted, into: &writer)
            write(keys: column.changedRows, into: &writer)
            write(column.changed, into: &writer)
        }
        return writer.bytes
    }

    private static func write(keys: [Int64], into writer: inout ByteWriter) {
        write(keys.isEmpty ? nil : ColumnArray(count: keys.count, values: .int(keys)), into: &writer)
    }

    /// Writes an array behind the number of its rows and its bytes; nothing but a zero for none.
    private static func write(_ array: ColumnArray?, into writer: inout ByteWriter) {
        guard let array else { return writer.write(count: 0) }
        writer.write(count: array.count)
        let plain = SegmentCoding.encodePlain(array)
        let isPlain = plain.count <= plainLimit
        writer.write(byte: isPlain ? 0 : 1)
        writer.write(bytes: isPlain ? plain : SegmentCoding.pack(plain))
    }

    /// Where an array stands in a patch.
    struct Place: Hashable, Sendable {
        var rowCount = 0
        var isPacked = false
        var bytes: Range<Int> = 0..<0
    }

    /// The directory of a patch.
    struct Directory: Hashable, Sendable {
        var inserted = Place()
        var changed = Place()
        var deleted = Place()
        var primaryKeys = Place()
        var columns: [Column] = []

        struct Column: Hashable, Sendable {
            var property: String
            var inserted: Place
            var changedRows: Place
            var changed: Place
        }
    }

    static func directory(of bytes: [UInt8]) throws(ColumnError) -> Directory {
        var reader = ByteReader(bytes)
        guard try reader.readByte() == version else { throw reader.damage("the version of a patch") }
        var directory = Directory()
        directory.inserted = try place(in: &reader)
        directory.changed = try place(in: &reader)
        directory.deleted = try place(in: &reader)
        directory.primaryKeys = try place(in: &reader)
        for _ in 0..<(try reader.readCount()) {
            let column = Directory.Column(
                property: try reader.readString(), inserted: try place(in: &reader),
                changedRows: try place(in: &reader),
                changed: try place(in: &reader))
            guard [0, directory.inserted.rowCount].contains(column.inserted.rowCount),
                column.changedRows.rowCount == column.changed.rowCount,
                column.changed.rowCount <= directory.changed.rowCount
            else { throw reader.damage("the rows of a patch") }
            directory.columns.append(column)
        }
        guard reader.isAtEnd else { throw reader.damage("bytes follow a patch") }
        return directory
    }

    private static func place(in reader: inout ByteReader) throws(ColumnError) -> Place {
        let rowCount = try reader.readCount()
        guard rowCount > 0 else { return Place() }
        let isPacked = try reader.readByte() != 0
        let count = try reader.readCount()
        let start = reader.offset
        _ = try reader.readRaw(count)
        return Place(rowCount: rowCount, isPacked: isPacked, bytes: start..<start + count)
    }

    static func array(at place: Place, in bytes: [UInt8]) throws(ColumnError) -> ColumnArray {
        let run = Array(bytes[place.bytes])
        let array = try place.isPacked ? SegmentCoding.decode(run) : SegmentCoding.decodePlain(run)
        guard array.count == place.rowCount else {
            throw ColumnError.damaged(what: "the rows of a patch", offset: place.bytes.lowerBound)
        }
        return array
    }
}
