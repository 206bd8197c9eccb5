import Columns
import RealmModel

/// One class as the declared schema shows it, read column by column.
final class ClassSource {
    /// The class as it is declared.
    let schema: ObjectSchema
    private let reader: ClassReader
    private let columns: [NameKey: Int]
    /// The columns of the row group that was read last.
    private var decoded: (group: Int, columns: [Int: ColumnArray]) = (0, [:])

    /// Opens a class.
    ///
    /// - Throws: `ColumnError.damaged` where the snapshot has no such class, and what the store throws.
    init(_ name: String, of snapshot: Snapshot, store: any SegmentStore) throws {
        guard let stored = snapshot[name] else {
            throw ColumnError.damaged(what: "a class that is declared and not stored", offset: 0)
        }
        schema = snapshot.declared[name] ?? stored.schema
        reader = try ClassReader(stored, store: store)
        columns = Dictionary(
            stored.schema.properties.enumerated().map { (NameKey($1.name), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number of row groups.
    var groupCount: Int { reader.rowGroups.count }

    /// The objects that are not deleted.
    var objectCount: Int { reader.stored.objectCount }

    /// The rows of a group whose objects are not deleted, ascending.
    func liveRows(inGroup group: Int) -> [Int] { reader.rowGroups[group].liveRows }

    /// Announces to the store that a row group is going to be read, and those after it.
    func willRead(group: Int) throws {
        try reader.willRead(
            keys: true, schema.persistedProperties.compactMap { columns[name: $0.name] }, inGroup: group)
    }

    /// The object keys of a row group.
    func keys(inGroup group: Int) throws -> [Int64] { try reader.keys(inGroup: group) }

    /// The values of a property in a row group.
    func column(_ property: Property, inGroup group: Int) throws -> ColumnArray {
        guard let column = columns[name: property.name] else {
            return try ColumnArray(
                repeating: property.initialValue, count: reader.rowGroups[group].rowCount, as: ColumnType(property))
        }
        if decoded.group != group { decoded = (group, [:]) }
        if let array = decoded.columns[column] { return array }
        let array = try reader.column(column, inGroup: group)
        decoded.columns[column] = array
        return array
    }

    /// Lets go of the columns of the row group that was read last.
    func forgetRowGroup() { decoded.columns = [:] }

    /// The number of the row group that an object's key falls in.
    func group(of key: Int64) -> Int? {
        reader.rowGroups.index(of: key)
    }

    /// Looks whether as many objects were written as there are.
    ///
    /// - Throws: `ExportError.wrongCount`.
    func check(written count: Int) throws(ExportError) {
        guard count == objectCount else {
            throw .wrongCount(className: schema.name, expected: objectCount, written: count)
        }
    }
}
