import Columns
import RealmModel

/// Goes through the row groups of one class, and holds what was read of the one that it is at.
final class RowGroupCursor {
    let reader: ClassReader
    /// The row group, and the next row of it that nobody has looked at.
    private(set) var group = 0
    var row = 0

    private var keysRead: [Int64]?
    private var columns: [Int: ColumnArray] = [:]

    init(_ stored: StoredClass, store: any SegmentStore) throws {
        reader = try ClassReader(stored, store: store)
        skipEmpty()
    }

    /// Nil behind the last one.
    var current: RowGroup? { group < reader.rowGroups.count ? reader.rowGroups[group] : nil }

    /// Whether the row group is stored as such: no patch adds its objects.
    var isStored: Bool { group < reader.storedGroupCount }

    /// The keys of the row group.
    func keys() throws -> [Int64] {
        if let keysRead { return keysRead }
        let keys = try reader.keys(inGroup: group)
        keysRead = keys
        return keys
    }

    /// The key of a row.
    func key(ofRow row: Int) throws -> Int64 {
        if let current, current.hasConsecutiveKeys { return current.firstKey.value + Int64(row) }
        return try keys()[row]
    }

    /// A property of the row group.
    func column(_ property: Int) throws -> ColumnArray {
        if let array = columns[property] { return array }
        let array = try reader.column(property, inGroup: group)
        columns[property] = array
        return array
    }

    /// Whether a row's object is not deleted.
    func isLive(_ row: Int) -> Bool { !(current?.deleted?[row] ?? false) }

    /// Goes on to the next row group.
    func advance() {
        group += 1
        skipEmpty()
    }

    private func skipEmpty() {
        while let current, current.rowCount == 0 { group += 1 }
        (row, keysRead, columns) = (0, nil, [:])
    }
}

extension RowGroup {
    /// Whether the keys are a run of numbers, deleted rows included.
    var hasConsecutiveKeys: Bool { lastKey.value - firstKey.value == Int64(rowCount) - 1 }
}
