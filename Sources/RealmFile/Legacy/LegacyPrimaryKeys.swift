import Columns
import RealmModel

/// The primary keys of formats before 10, which a table of its own names class by class.
enum LegacyPrimaryKeys {
    private static let tableName = "pk"
    private static let classColumn = "pk_table"
    private static let propertyColumn = "pk_property"

    /// Tells the tables of their primary keys.
    static func assign(to tables: inout [Table], in image: Image) throws(InputError) {
        guard let table = tables.first(where: { $0.name.hasSameBytes(as: tableName) }),
            let classes = table.columns.firstIndex(where: {
                $0.name.hasSameBytes(as: classColumn) && $0.type == .string
            }),
            let properties = table.columns.firstIndex(where: {
                $0.name.hasSameBytes(as: propertyColumn) && $0.type == .string
            })
        else { return }
        let indexes = Dictionary(
            tables.enumerated().compactMap { index, table in table.className.map { (NameKey($0), index) } }
        ) { first, _ in first }
        let rows = try table.rows(in: image, targets: LinkTargets())
        while let count = try rows.nextRun() {
            try rows.append(0..<count)
            let columns = rows.take()
            for row in 0..<count {
                guard let index = indexes[name: text(columns[classes], row)] else { continue }
                assign(text(columns[properties], row), to: &tables[index])
            }
        }
    }

    private static func assign(_ property: String, to table: inout Table) {
        guard let column = table.columns.first(where: { $0.name.hasSameBytes(as: property) }) else { return }
        table.primaryKey = column.key
    }

    private static func text(_ column: ColumnArray, _ row: Int) -> String {
        guard case .string(let text)? = try? column.value(at: row, as: ColumnType(.string)) else { return "" }
        return text
    }
}
