import RealmModel

/// The tables of the SQLite export as what a library that opens it has of them.
struct TableModel {
    /// A column, as a member of a record.
    struct Column {
        let name: String
        let member: String
        let type: PropertyType
        let isOptional: Bool
        let isKey: Bool
        let index: String?
        /// The table and column that it refers to, and what becomes of the row when that is gone.
        let reference: (table: String, column: String, action: String)?
    }

    let name: String
    let table: String
    let columns: [Column]

    /// All tables; names are identifiers of the language.
    ///
    /// - Parameter members: names that records have by themselves, where a record's name may be none of a member.
    static func all(of shape: SQLiteShape, _ language: ModelLanguage, members: [String]? = nil) -> [TableModel] {
        let relations = shape.schema
        let columns = relations.classes.flatMap { relation in
            relation.columns.map(\.name) + relation.collections.flatMap { [$0.owner, $0.place ?? "", $0.value] }
        }
        var names = ModelNames(
            language, besides: members.map { $0 + columns + columns.map(GRDBModels.associationName) } ?? [])
        return relations.classes.flatMap { relation in
            [TableModel(relation, in: shape, name: names.take(relation.table), language)]
                + relation.collections.map { TableModel($0, of: relation, in: shape, name: names.take($0.table)) }
        }
    }

    /// The identifiers of tables by their names.
    static func names(_ tables: [TableModel]) -> [NameKey: String] {
        Dictionary(tables.map { (NameKey($0.table), $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ relation: ClassRelation, in shape: SQLiteShape, name: String, _ language: ModelLanguage) {
        self.name = name
        table = relation.table
        var members = ModelNames(membersOf: name, language)
        let own =
            relation.key.property == nil
            ? [
                Column(
                    name: relation.key.name, member: members.take(relation.key.name), type: .int, isOptional: false,
                    isKey: true, index: nil, reference: nil)
            ] : []
        columns =
            own
            + relation.columns.map { column in
                let isKey = column.isPrimaryKey && own.isEmpty
                let isRequired = column.isRequired && !shape.losesValues(relation.schema.name, column.property)
                return Column(
                    name: column.name, member: members.take(column.name), type: shape.type(of: column.type),
                    isOptional: !isKey && !isRequired, isKey: isKey, index: column.index,
                    reference: column.reference.map { ($0.table, $0.key.name, "SET_NULL") })
            }
    }

    private init(_ collection: CollectionRelation, of relation: ClassRelation, in shape: SQLiteShape, name: String) {
        self.name = name
        table = collection.table
        func index(_ column: String) -> String? {
            collection.indexes.first { $0.column.hasSameBytes(as: column) }?.name
        }
        let property = collection.property
        let isDictionary = property.collection == .dictionary
        let place = collection.place.map { place in
            Column(
                name: place, member: place, type: isDictionary ? .string : .int, isOptional: false, isKey: true,
                index: nil, reference: nil)
        }
        let owner = Column(
            name: collection.owner, member: collection.owner, type: relation.key.type, isOptional: false,
            isKey: place != nil, index: index(collection.owner),
            reference: (relation.table, relation.key.name, "CASCADE"))
        let value = Column(
            name: collection.value, member: collection.value,
            type: collection.reference.map { $0.key.type } ?? shape.type(of: property.type),
            isOptional: property.isOptional || property.type == .mixed
                || shape.losesValues(collection.className(in: relation), property),
            isKey: false, index: index(collection.value),
            reference: collection.reference.map { ($0.table, $0.key.name, isDictionary ? "SET_NULL" : "CASCADE") })
        columns = [owner] + (place.map { [$0] } ?? []) + [value]
    }
}

extension SQLiteShape {
    /// The type of a column's values, where dates may be whole numbers.
    fileprivate func type(of type: PropertyType) -> PropertyType {
        type == .date && options.dates != .iso ? .int : type
    }
}

/// Records of GRDB.
struct GRDBModels {
    private let language = ModelLanguage.swift
    private let tables: [TableModel]
    private let byTable: [NameKey: String]

    init(_ shape: SQLiteShape) {
        tables = TableModel.all(of: shape, language, members: Self.members)
        byTable = TableModel.names(tables)
    }

    /// The name of a column's association.
    static func associationName(_ member: String) -> String { member + "Association" }

    /// Members of GRDB's records that would be found before a record of the name.
    private static let members = """
        CodingKeys databaseTableName databaseSelection encode init belongsTo hasMany hasOne all none select filter order limit \
        fetchOne fetchAll fetchSet fetchCursor fetchCount insert update upsert delete save exists count including joining annotated \
        description hash value
        """.split(separator: " ").map(String.init)

    var text: String { "import Foundation\nimport GRDB\n" + tables.map(source).joined() }

    private func source(_ table: TableModel) -> String {
        var lines = ["", "struct \(table.name): Codable, FetchableRecord, PersistableRecord {"]
        lines += ["    static let databaseTableName = \(language.literal(table.table))", ""]
        lines += table.columns.map { "    var \($0.member): \(type(of: $0))" }
        if table.columns.contains(where: { !$0.member.hasSameBytes(as: $0.name) }) {
            lines += ["", "    enum CodingKeys: String, CodingKey {"]
            lines += table.columns.map { "        case \($0.member) = \(language.literal($0.name))" }
            lines.append("    }")
        }
        for column in table.columns {
            guard let reference = column.reference,
                let target = byTable[name: reference.table]
            else { continue }
            lines += [
                "",
                "    static let \(Self.associationName(column.member)) = belongsTo(\n        \(target).self, "
                    + "using: ForeignKey([\(language.literal(column.name))], to: [\(language.literal(reference.column))]))",
            ]
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func type(of column: TableModel.Column) -> String {
        let type =
            switch column.type {
            case .int: "Int64"
            case .bool: "Bool"
            case .float, .double: "Double"
            case .data: "Data"
            default: "String"
            }
        return type + (column.isOptional ? "?" : "")
    }
}

/// Entities of Room.
struct RoomModels {
    private let language = ModelLanguage.kotlin
    private let tables: [TableModel]
    private let byTable: [NameKey: String]

    init(_ shape: SQLiteShape) {
        tables = TableModel.all(of: shape, language)
        byTable = TableModel.names(tables)
    }

    var text: String {
        let imports = ["ColumnInfo", "Entity", "ForeignKey", "Index", "PrimaryKey"]
        return imports.map { "import androidx.room.\($0)\n" }.joined() + tables.map(source).joined()
    }

    private func source(_ table: TableModel) -> String {
        let keys = table.columns.filter(\.isKey)
        var arguments = ["tableName = \(language.literal(table.table))"]
        if keys.count > 1 {
            arguments.append("primaryKeys = [\(keys.map { language.literal($0.name) }.joined(separator: ", "))]")
        }
        let references = table.columns.compactMap { column in
            column.reference.flatMap { reference in
                byTable[name: reference.table].map { target in
                    "ForeignKey(entity = \(target)::class, parentColumns = [\(language.literal(reference.column))], "
                        + "childColumns = [\(language.literal(column.name))], onDelete = ForeignKey.\(reference.action), "
                        + "deferred = true)"
                }
            }
        }
        if !references.isEmpty {
            arguments.append("foreignKeys = [\n        \(references.joined(separator: ",\n        "))\n    ]")
        }
        let indexes = table.columns.compactMap { column in
            column.index.map { "Index(name = \(language.literal($0)), value = [\(language.literal(column.name))])" }
        }
        if !indexes.isEmpty { arguments.append("indices = [\(indexes.joined(separator: ", "))]") }
        var lines = ["", "@Entity(", "    " + arguments.joined(separator: ",\n    "), ")", "data class \(table.name)("]
        lines += table.columns.map { column in
            let key = keys.count == 1 && column.isKey ? "@PrimaryKey " : ""
            return
                "    \(key)@ColumnInfo(name = \(language.literal(column.name))) val \(column.member): \(type(of: column)),"
        }
        return (lines + [")"]).joined(separator: "\n") + "\n"
    }

    private func type(of column: TableModel.Column) -> String {
        let type =
            switch column.type {
            case .int: "Long"
            case .bool: "Boolean"
            case .float, .double: "Double"
            case .data: "ByteArray"
            default: "String"
            }
        return type + (column.isOptional ? "?" : "")
    }
}
