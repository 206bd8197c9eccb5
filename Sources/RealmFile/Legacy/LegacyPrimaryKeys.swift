import Columns
import RealmModel

/// The primary keys of formats before 10, which a table of its own names class by class.
enum LegacyPrimaryKeys {
    private static let tableName = "pk"
    private static let classColumn = "pk_table"
    private static let propertyColumn = "pk_property"

    /// Tells the tables of their primary keys.
    static func assign(to tables: inout [Table], in image: Image) throws(InputError) {
        guard let table = tables.first(where: { $0.name == tableName }),
            let classes = table.columns.firstIndex(where: { $0.name == classColumn && $0.type == .string }),
            let properties = table.columns.firstIndex(where: { $0.name == propertyColumn && $0.type == .string })
        else { return }
        let rows = try table.rows(in: image, classNames: [:])
        while let count = try rows.nextRun() {
            try rows.append(0..<count)
            let columns = rows.take()
            for row in 0..<count {
                assign(
                    text(columns[properties], row), ofClass: text(columns[classes], row), to: &tables)
            }
        }
    }

    private static func assign(_ property: String, ofClass className: String, to tables: inout [Table]) {
        guard let index = tables.firstIndex(where: { $0.className == className }),
            let column = tables[index].columns.first(where: { $0.name == property })
        else { return }
        tables[index].primaryKey = column.key
    }

    private static func text(_ column: ColumnArray, _ row: Int) -> String {
        guard case .string(let text)? = try? column.value(at: row, as: ColumnType(.string)) else { return "" }
        return text
    }
}
