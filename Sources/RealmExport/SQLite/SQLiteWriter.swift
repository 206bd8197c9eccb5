import Columns
import RealmJSON
import RealmModel

/// Writes a snapshot as a SQLite database, row group by row group, and then gives the bytes of its file.
///
/// Each object is read once. Memory is bounded by a row group, SQLite's cache, and a cache of the keys that links lead to.
/// Foreign keys lead to rows that may follow; that none leads nowhere is checked when all are there.
public struct SQLiteWriter {
    private enum Position {
        case start
        /// Before the row group of a number, of the class of a number.
        case group(Int, class: Int, SQLiteRealm)
        /// Before a byte of the file.
        case bytes(Int64, SQLiteDatabase)
        case end
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let options: ExportOptions
    private let makeFile: (() throws -> String)?
    private var position = Position.start
    private static let chunkBytes = 1 << 20

    /// Prepares to write.
    ///
    /// - Parameter makeFile: makes an empty file and names it, for the database while it comes about; it is gone in the end.
    ///   Nil keeps the whole database in memory.
    public init(
        _ snapshot: Snapshot, from store: any SegmentStore, options: ExportOptions = ExportOptions(),
        makeFile: (() throws -> String)? = nil
    ) {
        self.snapshot = snapshot
        self.store = store
        self.options = options
        self.makeFile = makeFile
    }

    /// The next bytes of the file, none while objects are still written; nil after the last.
    ///
    /// - Throws: `ExportError`; what the store throws; `ColumnError`; `InputError` where embedded objects nest too deep.
    public mutating func next() throws -> [UInt8]? {
        switch position {
        case .start:
            let realm = try SQLiteRealm(snapshot, store: store, options, try SQLiteDatabase(path: try makeFile?()))
            try realm.begin()
            position = .group(0, class: 0, realm)
            return []
        case .group(let group, let number, let realm):
            if number < realm.classCount {
                let hasMore = try realm.write(group, ofClass: number)
                position = hasMore ? .group(group + 1, class: number, realm) : .group(0, class: number + 1, realm)
            } else {
                position = .bytes(0, try realm.finish())
            }
            return []
        case .bytes(let offset, let database):
            let bytes = try database.bytes(from: offset, count: Self.chunkBytes)
            position = bytes.isEmpty ? .end : .bytes(offset + Int64(bytes.count), database)
            return bytes.isEmpty ? nil : bytes
        case .end: return nil
        }
    }
}
