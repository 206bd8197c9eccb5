import Columns
import RealmModel

/// One class as the declared schema shows it, over the columns it is stored in.
final class ClassView {
    /// The class as it is declared.
    let schema: ObjectSchema
    /// The properties that are written of each object, in declared order.
    let properties: [PropertyView]
    /// The primary key.
    let primaryKey: PropertyView?
    /// Whether some objects lack a value that is required: its member is left out.
    let hasUnsynced: Bool
    let reader: ClassReader

    /// Shows a stored class under a declaration.
    init(_ declared: ObjectSchema, _ stored: StoredClass, store: any SegmentStore) throws {
        schema = declared.besideObjectKey
        reader = try ClassReader(stored, store: store)
        let columns = Dictionary(
            stored.schema.properties.enumerated().map { (NameKey($1.name), $0) },
            uniquingKeysWith: { first, _ in first })
        var awaiting: [NameKey: [Int]] = [:]
        for (index, kept) in stored.schema.properties.enumerated() where kept.isAwaiting {
            awaiting[NameKey(kept.publicName), default: []].append(index)
        }
        func view(_ property: Property) -> PropertyView {
            let name = NameKey(property.name)
            return PropertyView(property, column: columns[name], awaiting: awaiting[name] ?? [], of: stored)
        }
        properties = schema.persistedProperties.map(view)
        hasUnsynced = stored.unsyncedCount > 0
        primaryKey = declared.primaryKeyProperty.map(view)
    }

    /// Announces to the store that all objects of a row group are to be written, and those of the next.
    func willRead(group: Int) throws {
        let showsKeys = schema.primaryKey == nil && !schema.isEmbedded
        try reader.willRead(keys: showsKeys, properties.compactMap(\.column), inGroup: group)
    }

    /// The row group, and the row in it, of a row that is counted from the class's first.
    func place(of row: Int) -> (group: Int, row: Int)? {
        var rest = row
        for (number, group) in reader.rowGroups.enumerated() {
            if rest < group.rowCount { return (number, rest) }
            rest -= group.rowCount
        }
        return nil
    }

    /// The number of the row group that an object's key falls in.
    func group(of key: Int64) -> Int? {
        reader.rowGroups.index(of: key)
    }
}

/// One declared property and the column that it is stored in.
struct PropertyView {
    let property: Property
    /// The member's name with quotes and colon, as it is written.
    let label: [UInt8]
    let type: ColumnType
    /// The index of its column; nil where the stored class has none.
    let column: Int?
    /// The indexes of the columns with values that were kept of it, in whose place objects lack one.
    let awaiting: [Int]

    init(_ property: Property, column: Int?, awaiting: [Int], of stored: StoredClass) {
        self.property = property
        self.column = column
        self.awaiting = awaiting
        type = ColumnType(column.map { stored.schema.properties[$0] } ?? property)
        var label: [UInt8] = []
        JSONText.append(string: property.publicName, to: &label)
        label.append(UInt8(ascii: ":"))
        self.label = label
    }
}

/// One row group of a class; its keys and columns are decoded when they are first asked for, once.
final class RowGroupView {
    let view: ClassView
    let group: Int
    private(set) var byteCount = 0
    private var decodedKeys: [Int64]?
    private var columns: [ColumnArray?]
    private var unsynced: Bitmap??
    /// The values of properties without a column, the same in all rows.
    private var initialValues: [NameKey: ColumnArray] = [:]

    init(_ view: ClassView, group: Int) {
        self.view = view
        self.group = group
        columns = Array(repeating: nil, count: view.reader.stored.schema.properties.count)
    }

    /// The snapshot's entry of the group.
    var rowGroup: RowGroup { view.reader.rowGroups[group] }

    /// The object keys.
    func keys() throws -> [Int64] {
        if let decodedKeys { return decodedKeys }
        let keys = try view.reader.keys(inGroup: group)
        byteCount += keys.count * 8
        decodedKeys = keys
        return keys
    }

    /// The values of a property.
    func column(_ property: PropertyView) throws -> ColumnArray {
        guard let column = property.column else {
            if let array = initialValues[name: property.property.name] { return array }
            let array = try ColumnArray(
                repeating: property.property.initialValue, count: rowGroup.rowCount, as: property.type)
            byteCount += array.byteCount
            initialValues[name: property.property.name] = array
            return array
        }
        return try array(column)
    }

    /// The values of a stored column.
    private func array(_ column: Int) throws -> ColumnArray {
        if let array = columns[column] { return array }
        let array = try view.reader.column(column, inGroup: group)
        byteCount += array.byteCount
        columns[column] = array
        return array
    }

    /// Whether an object lacks a value that the property requires, or has one of another type in its place; what is not stored
    /// has the type's empty value.
    func isAbsent(_ property: PropertyView, _ row: Int) throws -> Bool {
        for index in property.awaiting {
            let kept = view.reader.stored.schema.properties[index]
            if try !kept.isNothing(array(index).value(at: row, as: ColumnType(kept))) { return true }
        }
        guard property.property.requiresValue, property.column != nil else { return false }
        return try column(property).isNull(row)
    }

    /// The rows of objects that lack a value which the stored class requires; nil where there are none.
    func unsyncedRows() throws -> Bitmap? {
        if let unsynced { return unsynced }
        let rows = try view.reader.unsyncedRows(inGroup: group)
        byteCount += (rows?.count ?? 0) / 8
        unsynced = .some(rows)
        return rows
    }

    /// The row of an object that is not deleted; nil where there is none of the key.
    func row(of key: Int64) throws -> Int? {
        guard let row = try keys().index(ofKey: key), rowGroup.deleted?[row] != true else { return nil }
        return row
    }
}
