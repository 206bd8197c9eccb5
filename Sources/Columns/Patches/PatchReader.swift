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

    private let bytes: [UInt8]
    private let directory: PatchCoding.Directory

    /// Reads the directory and the keys of a patch.
    ///
    /// - Throws: `ColumnError.damaged`.
    public init(_ bytes: [UInt8]) throws(ColumnError) {
        self.bytes = bytes
        directory = try PatchCoding.directory(of: bytes)
        inserted = try Self.keys(at: directory.inserted, in: bytes)
        changed = try Self.keys(at: directory.changed, in: bytes)
        deleted = try Self.keys(at: directory.deleted, in: bytes)
        primaryKeys = PrimaryKeyIndex(
            entries: try Self.numbers(at: directory.primaryKeys, in: bytes).map { UInt64(bitPattern: $0) })
    }

    /// Bytes of memory that the patch takes, near enough for a budget.
    public var byteCount: Int {
        bytes.count + (inserted.count + changed.count + deleted.count + primaryKeys.count) * 8
    }

    /// The properties that it has values of.
    var properties: [String] { directory.columns.map(\.property) }

    /// The values of a property of the objects that were added; nil where the patch is from before the property.
    func inserted(of property: String, as type: ColumnType) throws(ColumnError) -> ColumnArray? {
        guard let column = column(property), column.inserted.rowCount > 0 else { return nil }
        return try array(at: column.inserted, as: type)
    }

    /// The values of a property of those objects that it was changed of, and their keys; nil where there are none.
    func changed(
        of property: String, as type: ColumnType
    ) throws(ColumnError) -> (keys: [Int64], cells: ColumnArray)? {
        guard let column = column(property), column.changed.rowCount > 0 else { return nil }
        let rows = try Self.numbers(at: column.changedRows, in: bytes)
        var keys: [Int64] = []
        keys.reserveCapacity(rows.count)
        for row in rows {
            guard changed.indices.contains(Int(row)), keys.last.map({ $0 < changed[Int(row)] }) != false else {
                throw .damaged(what: "the rows of a patch", offset: column.changedRows.bytes.lowerBound)
            }
            keys.append(changed[Int(row)])
        }
        return (keys, try array(at: column.changed, as: type))
    }

    private func column(_ property: String) -> PatchCoding.Directory.Column? {
        directory.columns.first { $0.property.hasSameBytes(as: property) }
    }

    private func array(at place: PatchCoding.Place, as type: ColumnType) throws(ColumnError) -> ColumnArray {
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

extension [Int64] {
    /// The place of the first number from one on, of an ascending array.
    func lowerBound(_ number: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The place of a number in an ascending array; nil where it is not there.
    func place(ofSorted number: Int64) -> Int? {
        let place = lowerBound(number)
        return place < count && self[place] == number ? place : nil
    }
}
