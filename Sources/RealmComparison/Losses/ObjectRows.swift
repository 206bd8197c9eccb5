import Columns
import RealmModel

/// The live objects of a small class, in the order of their keys; holds what was read of them.
final class ObjectRows {
    /// The most that it holds.
    static let limits = (objects: 1 << 17, bytes: 64 << 20)

    /// The class has more bytes than are held.
    struct TooLarge: Error {}

    let stored: StoredClass
    let types: [ColumnType]
    let primaryKey: Int?
    private(set) var keys: [Int64] = []
    private let reader: ClassReader
    /// The row group and the row of each.
    private var places: [(group: Int, row: Int)] = []
    private var arrays: [Int: [Int: ColumnArray]] = [:]
    private var byteCount = 0

    init(_ stored: StoredClass, _ store: any SegmentStore) throws {
        self.stored = stored
        reader = try ClassReader(stored, store: store)
        types = stored.schema.properties.map { ColumnType($0) }
        primaryKey = stored.schema.primaryKey.flatMap { stored.index(of: $0) }
        for (number, group) in reader.rowGroups.enumerated() where group.rowCount > 0 {
            let all = try reader.keys(inGroup: number)
            for row in group.liveRows {
                keys.append(all[row])
                places.append((number, row))
            }
        }
    }

    func value(_ column: Int, at place: Int) throws -> Value {
        let (group, row) = places[place]
        if let array = arrays[column]?[group] { return try array.value(at: row, as: types[column]) }
        let array = try reader.column(column, inGroup: group)
        byteCount += array.byteCount
        guard byteCount <= Self.limits.bytes else { throw TooLarge() }
        arrays[column, default: [:]][group] = array
        return try array.value(at: row, as: types[column])
    }

    /// The columns of properties besides the primary key that have the same names and types.
    func sharedColumns(with other: ObjectRows) -> [(own: Int, other: Int)] {
        types.indices.compactMap { column in
            guard column != primaryKey, let index = other.stored.index(of: stored.schema.properties[column].name),
                types[column] == other.types[index]
            else { return nil }
            return (column, index)
        }
    }
}
