import RealmModel

/// One table before anything of it is written, REALM_FORMAT sections 7 and 8.
struct TableLayout {
    /// A column that is a property; its leaf index is its place.
    struct Column {
        let property: Property
        let key: ColumnKey
        let code: Int64
        let attributes: ColumnAttributes
        let isPrimaryKey: Bool
        /// The table that links of the column lead to.
        let targetTable: Int64?
        /// The column of backlinks in that table.
        var oppositeColumn: ColumnKey?

        /// Whether the column has a search index; full-text indexes are left to Realm, which makes them when it opens.
        var isIndexed: Bool { isPrimaryKey || attributes.contains(.indexed) }

        /// Whether an index can have values longer than `IndexRun.longestWholeValue`.
        ///
        /// In format 23 a list of objects whose mixed values begin alike would be in an order that was never measured; Realm makes
        /// an index that is not there when it opens the file.
        func canIndexLongValues(in format: WrittenFormat) -> Bool {
            !property.isCollection && (property.type != .mixed || format.ordersBytesUnsigned)
        }
    }

    /// A column of backlinks; they come behind the properties.
    struct Backlink {
        let source: LinkSource
        let key: ColumnKey
        let originTable: Int64
        let originColumn: ColumnKey
    }

    /// The types that a search index can be of.
    private static let indexableTypes: [PropertyType] = [.int, .bool, .string, .date, .objectId, .uuid, .mixed]

    private static func isIndexable(_ property: Property, in format: WrittenFormat) -> Bool {
        switch property.collection {
        case .none: indexableTypes.contains(property.type)
        case .list: property.type == .string && format.indexesLists
        case .set, .dictionary: false
        }
    }

    /// The table's name in the file.
    let name: String
    let key: Int64
    let kind: ClassKind
    var columns: [Column]
    var backlinks: [Backlink] = []

    var primaryKey: ColumnKey? { columns.first(where: \.isPrimaryKey)?.key }

    /// The table of the schema version, which comes first.
    static let metadata = TableLayout(
        name: "metadata", key: 0, kind: .topLevel,
        columns: [
            Column(
                property: Property("version", .int), key: ColumnKey(value: 0), code: 0, attributes: [],
                isPrimaryKey: false, targetTable: nil)
        ])

    private init(name: String, key: Int64, kind: ClassKind, columns: [Column]) {
        self.name = name
        self.key = key
        self.kind = kind
        self.columns = columns
    }

    /// Lays out a class without its backlinks.
    init(
        _ schema: ObjectSchema, key: Int64, tableKeys: [NameKey: Int64], in format: WrittenFormat
    ) throws(InputError) {
        guard schema.name.utf8.count <= RealmLimits.classNameBytes else {
            throw .unwritable("A class name is longer than \(RealmLimits.classNameBytes) bytes", of: schema.name)
        }
        var columns: [Column] = []
        for property in schema.persistedProperties {
            columns.append(
                try Self.column(property, columns.count, of: schema, table: key, tableKeys: tableKeys, in: format))
        }
        self.init(name: Table.tableName(ofClass: schema.name), key: key, kind: schema.kind, columns: columns)
    }

    private static func column(
        _ property: Property, _ index: Int, of schema: ObjectSchema, table: Int64, tableKeys: [NameKey: Int64],
        in format: WrittenFormat
    ) throws(InputError) -> Column {
        guard property.name.utf8.count <= RealmLimits.propertyNameBytes else {
            throw .unwritable(
                "A property name is longer than \(RealmLimits.propertyNameBytes) bytes", of: schema.name, property.name)
        }
        let target = property.objectType.flatMap { tableKeys[name: $0] }
        guard property.type != .object || target != nil else {
            throw .unwritable("A link leads to a class that is not there", of: schema.name, property.name)
        }
        let isPrimaryKey = schema.primaryKey.map { property.name.hasSameBytes(as: $0) } ?? false
        var attributes = ColumnAttributes(of: property)
        if property.index == .general, !isPrimaryKey, isIndexable(property, in: format) { attributes.insert(.indexed) }
        let isLinkList = property.type == .object && property.collection == .list
        let code = isLinkList ? format.linkListCode : StoredColumn.TypeCode.code(of: property.type)
        return Column(
            property: property,
            key: ColumnKey(leafIndex: index, type: code, attributes: attributes, table: table),
            code: property.collection == .dictionary ? code | StoredColumn.TypeCode.stringKeys : code,
            attributes: attributes, isPrimaryKey: isPrimaryKey,
            targetTable: property.type == .object ? target : nil)
    }
}
