import RealmModel

/// A patch as it is read: the keys that it speaks of are decoded, and its values when they are asked for.
public struct PatchReader: Sendable {
    /// The keys of objects that were added, ascending.
    public let inserted: [Int64]
    /// The keys of objects that were changed, ascending.
    public let changed: [Int64]
    /// The keys of objects that were deleted, ascending.
    public let deleted: [Int64]
    /// The rows of added objects by the hashes of their primary keys.
    let primaryKeys: PrimaryKeyIndex

    private let values: Values

    /// Where the values are.
    private enum Values: Sendable {
        /// In the bytes of the patch, from which each array is decoded when it is asked for.
        case coded([UInt8], PatchCoding.Directory)
        /// At hand, as the patch was made.
        case made([PatchContents.PatchColumn])
    }

    /// Reads a patch that was just made.
    public init(_ contents: PatchContents) {
        inserted = contents.inserted
        changed = contents.changed
        deleted = contents.deleted
        primaryKeys = contents.primaryKeys
        values = .made(contents.columns)
    }

    /// Reads the directory and the keys of a patch.
    ///
    /// - Throws: `ColumnError.damaged`.
    public init(_ bytes: [UInt8]) throws(ColumnError) {
        let directory = try PatchCoding.directory(of: bytes)
        values = .coded(bytes, directory)
        inserted = try Self.keys(at: directory.inserted, in: bytes)
        changed = try Self.keys(at: directory.changed, in: bytes)
        deleted = try Self.keys(at: directory.deleted, in: bytes)
        primaryKeys = PrimaryKeyIndex(
            entries: try Self.numbers(at: directory.primaryKeys, in: bytes).map { UInt64(bitPattern: $0) })
    }

    /// Bytes of memory that the patch takes, near enough for a budget.
    public var byteCount: Int {
        let keys = (inserted.count + changed.count + deleted.count + primaryKeys.count) * 8
        switch values {
        case .coded(let bytes, _): return keys + bytes.count
        case .made(let columns):
            return columns.reduce(keys) { count, column in
                count + (column.inserted?.byteCount ?? 0) + column.changedRows.count * 8
                    + (column.changed?.byteCount ?? 0)
            }
        }
    }

    /// The values of a property of the objects that were added; nil where the patch is from before the property.
    func inserted(of property: String, as type: ColumnType) throws(ColumnError) -> ColumnArray? {
        switch values {
        case .coded(let bytes, let directory):
            guard let column = directory.column(property), column.inserted.rowCount > 0 else { return nil }
            return try Self.array(at: column.inserted, in: bytes, as: type)
        case .made(let columns): return columns.column(property)?.inserted
        }
    }

    /// The values of a property of those objects that it was changed of, and their keys; nil where there are none.
    func changed(
        of property: String, as type: ColumnType
    ) throws(ColumnError) -> (keys: [Int64], cells: ColumnArray)? {
        switch values {
        case .coded(let bytes, let directory):
            guard let column = directory.column(property), column.changed.rowCount > 0 else { return nil }
            let place = column.changedRows
            let rows = try Self.numbers(at: place, in: bytes)
            var last: Int64 = -1
            for row in rows {
                guard row > last, row < changed.count else {
                    throw .damaged(what: "the rows of a patch", offset: place.bytes.lowerBound)
                }
                last = row
            }
            return (keys(ofChanged: rows), try Self.array(at: column.changed, in: bytes, as: type))
        case .made(let columns):
            guard let column = columns.column(property), let cells = column.changed else { return nil }
            return (keys(ofChanged: column.changedRows), cells)
        }
    }

    private func keys(ofChanged rows: [Int64]) -> [Int64] {
        // Mostly all objects were changed in the same properties.
        rows.count == changed.count ? changed : rows.map { changed[Int($0)] }
    }

    private static func array(
        at place: PatchCoding.Place, in bytes: [UInt8], as type: ColumnType
    ) throws(ColumnError) -> ColumnArray {
        let array = try PatchCoding.array(at: place, in: bytes)
        guard array.hasLayout(of: type) else {
            throw .damaged(
                what: "values of another type than \(type.element.rawValue)", offset: place.bytes.lowerBound)
        }
        return array
    }

    private static func keys(at place: PatchCoding.Place, in bytes: [UInt8]) throws(ColumnError) -> [Int64] {
        let keys = try numbers(at: place, in: bytes)
        for (first, second) in zip(keys, keys.dropFirst()) where first >= second {
            throw .damaged(what: "object keys", offset: place.bytes.lowerBound)
        }
        return keys
    }

    private static func numbers(at place: PatchCoding.Place, in bytes: [UInt8]) throws(ColumnError) -> [Int64] {
        guard place.rowCount > 0 else { return [] }
        guard case .int(let numbers) = try PatchCoding.array(at: place, in: bytes).values else {
            throw .damaged(what: "numbers of a patch", offset: place.bytes.lowerBound)
        }
        return numbers
    }
}

extension PatchCoding.Directory {
    fileprivate func column(_ property: String) -> Column? {
        columns.first { $0.property.hasSameBytes(as: property) }
    }
}

extension [PatchContents.PatchColumn] {
    fileprivate func column(_ property: String) -> PatchContents.PatchColumn? {
        first { $0.property.hasSameBytes(as: property) }
    }
}
