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

    /// All tables; names are identifiers of the language with the keywords.
    static func all(of schema: Schema, keywords: String, flattens: Bool) -> [TableModel] {
        let relations = RelationalSchema(schema, rules: .sqlite, flattens: flattens) { _ in false }
        var names = ModelNames(keywords: keywords)
        return relations.classes.flatMap { relation in
            [TableModel(relation, name: names.take(relation.table), keywords)]
                + relation.collections.map { TableModel($0, of: relation, name: names.take($0.table), keywords) }
        }
    }

    private init(_ relation: ClassRelation, name: String, _ keywords: String) {
        self.name = name
        table = relation.table
        var members = ModelNames(keywords: keywords)
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
                Column(
                    name: column.name, member: members.take(column.name), type: column.type,
                    isOptional: !column.isPrimaryKey && !column.isRequired, isKey: column.isPrimaryKey,
                    index: column.index,
                    reference: column.reference.map { ($0.table, $0.key.name, "SET_NULL") })
            }
    }

    private init(_ collection: CollectionRelation, of relation: ClassRelation, name: String, _ keywords: String) {
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
            type: collection.reference.map { $0.key.type } ?? property.type,
            isOptional: property.isOptional || property.type == .mixed, isKey: false, index: index(collection.value),
            reference: collection.reference.map { ($0.table, $0.key.name, isDictionary ? "SET_NULL" : "CASCADE") })
        columns = [owner] + (place.map { [$0] } ?? []) + [value]
    }
}

/// Records of GRDB.
struct GRDBModels {
    private let tables: [TableModel]

    init(_ schema: Schema, flattens: Bool) {
        tables = TableModel.all(of: schema, keywords: ModelNames.swift, flattens: flattens)
    }

    var text: String { "import Foundation\nimport GRDB\n" + tables.map(source).joined() }

    private func source(_ table: TableModel) -> String {
        var lines = ["", "struct \(table.name): Codable, FetchableRecord, PersistableRecord {"]
        lines += ["    static let databaseTableName = \(table.table.literal)", ""]
        lines += table.columns.map { "    var \($0.member): \(type(of: $0))" }
        if table.columns.contains(where: { !$0.member.hasSameBytes(as: $0.name) }) {
            lines += ["", "    enum CodingKeys: String, CodingKey {"]
            lines += table.columns.map { "        case \($0.member) = \($0.name.literal)" }
            lines.append("    }")
        }
        for column in table.columns {
            guard let reference = column.reference,
                let target = tables.first(where: { $0.table.hasSameBytes(as: reference.table) })
            else { continue }
            lines += [
                "",
                "    static let \(column.member)Association = belongsTo(\n        \(target.name).self, "
                    + "using: ForeignKey([\(column.name.literal)], to: [\(reference.column.literal)]))",
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
    private let tables: [TableModel]

    init(_ schema: Schema, flattens: Bool) {
        tables = TableModel.all(of: schema, keywords: ModelNames.kotlin, flattens: flattens)
    }

    var text: String {
        let imports = ["ColumnInfo", "Entity", "ForeignKey", "Index", "PrimaryKey"]
        return imports.map { "import androidx.room.\($0)\n" }.joined() + tables.map(source).joined()
    }

    private func source(_ table: TableModel) -> String {
        let keys = table.columns.filter(\.isKey)
        var arguments = ["tableName = \(table.table.dollarLiteral)"]
        if keys.count > 1 {
            arguments.append("primaryKeys = [\(keys.map(\.name.dollarLiteral).joined(separator: ", "))]")
        }
        let references = table.columns.compactMap { column in
            column.reference.flatMap { reference in
                tables.first { $0.table.hasSameBytes(as: reference.table) }.map { target in
                    "ForeignKey(entity = \(target.name)::class, parentColumns = [\(reference.column.dollarLiteral)], "
                        + "childColumns = [\(column.name.dollarLiteral)], onDelete = ForeignKey.\(reference.action), "
                        + "deferred = true)"
                }
            }
        }
        if !references.isEmpty {
            arguments.append("foreignKeys = [\n        \(references.joined(separator: ",\n        "))\n    ]")
        }
        let indexes = table.columns.compactMap { column in
            column.index.map { "Index(name = \($0.dollarLiteral), value = [\(column.name.dollarLiteral)])" }
        }
        if !indexes.isEmpty { arguments.append("indices = [\(indexes.joined(separator: ", "))]") }
        var lines = ["", "@Entity(", "    " + arguments.joined(separator: ",\n    "), ")", "data class \(table.name)("]
        lines += table.columns.map { column in
            let key = keys.count == 1 && column.isKey ? "@PrimaryKey " : ""
            return
                "    \(key)@ColumnInfo(name = \(column.name.dollarLiteral)) val \(column.member): \(type(of: column)),"
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
