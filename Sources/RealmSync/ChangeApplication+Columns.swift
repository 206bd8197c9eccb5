import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// Objects that are changed by columns rather than one by one.
extension ChangeApplication {
    /// A property of objects: what they are to have where it is given, and what they have, each with a row an object.
    struct ChangedColumn {
        let property: Int
        let type: ColumnType
        let cells: FunctionAnswers.Column
        let held: ColumnArray
    }

    /// Whether a property is stored, and neither a link nor mixed.
    func changesByColumns(_ property: Int, of classIndex: Int) -> Bool {
        classes[classIndex].columns[property] != nil && !classes[classIndex].isLinked[property]
    }

    /// Changes objects that are there; what they have already is not written again.
    ///
    /// - Parameters:
    ///   - objects: of a class, each once, and the row of each in the columns.
    ///   - columns: of properties that `changesByColumns`, and not the primary key.
    /// - Throws: `ChangeError`; the application is of no use then.
    func change(_ objects: [(object: ObjectReference, row: Int)], to columns: [ChangedColumn]) throws {
        guard let classIndex = objects.first?.object.classIndex else { return }
        let properties = editor.view.schema.classes[classIndex].properties
        // Row group by row group, so that none is read twice.
        for (object, row) in objects.sorted(by: { $0.object.key < $1.object.key }) {
            for column in columns where column.cells.isGiven(row) {
                // A required value that is absent is no null that it could be given.
                let isAnswered = !properties[column.property].requiresValue || !column.cells.values.isNull(row)
                if isAnswered, column.held.plainlyHolds(column.cells.values, row: row, at: row) { continue }
                let value = try column.cells.values.value(at: row, as: column.type)
                try at("") { try editor.set([(column.property, value)], of: object, readsBefore: true) }
            }
        }
        touched[classIndex, default: TouchedObjects()].noteChanged(objects.lazy.map(\.object.key.value))
    }
}
