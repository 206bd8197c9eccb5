import Columns
import RealmModel

extension ObjectLedger {
    /// Takes rows of the same objects, and the properties in which some differ.
    mutating func take(
        _ both: RowPairs, _ changes: [LossSurvey.Change], dropped: [Int], added: [Int],
        _ cursors: (old: RowGroupCursor, new: RowGroupCursor), _ linked: LinkedObjects
    ) throws {
        let rows = LedgerRows(changes, dropped: dropped, added: added, cursors, linked)
        var plain = try PlainRows(changes, dropped: dropped, added: added, cursors)
        let places = dropped.isEmpty ? Set(changes.flatMap(\.places)).sorted() : Array(0..<both.count)
        for place in places {
            let (row, other) = (both.rows[place], both.others[place])
            func key() throws -> Int64 { try cursors.old.key(ofRow: row) }
            if try plain?.areSettled(row, other, &self, of: key) == true { continue }
            let values = try rows.values(row, other)
            if !values.before.isEmpty { take(values, of: try key()) }
        }
    }
}

/// Reads the values of rows in the columns that were changed, dropped or added.
private struct LedgerRows {
    private let changes: [LossSurvey.Change]
    private let dropped: [Int]
    private let added: [Int]
    private let cursors: (old: RowGroupCursor, new: RowGroupCursor)
    private let linked: LinkedObjects
    private let properties: (old: [Property], new: [Property])

    init(
        _ changes: [LossSurvey.Change], dropped: [Int], added: [Int],
        _ cursors: (old: RowGroupCursor, new: RowGroupCursor), _ linked: LinkedObjects
    ) {
        (self.changes, self.dropped, self.added, self.cursors, self.linked) = (changes, dropped, added, cursors, linked)
        properties = (cursors.old.reader.stored.schema.properties, cursors.new.reader.stored.schema.properties)
    }

    func values(_ row: Int, _ other: Int) throws -> LedgerObject {
        var object = LedgerObject()
        var (before, after) = (PlacedValues(linked.old), PlacedValues(linked.new))
        for change in changes {
            let (column, root) = (change.pair.property, change.pair.other)
            var (old, new) = (try self.old(column, row), try self.new(root, other))
            object.all.append(new.linking(to: properties.new[root].linkTarget))
            // A flag that stayed says of the others that they are another one.
            if old == new, !properties.old[column].mayHaveFlags { continue }
            if linked.areParts(change.pair) { (old, new) = PairedElements.of(old, new) }
            before.add(old, properties.old[column], column: column, root: root)
            after.add(new, properties.new[root], column: root, root: root)
        }
        for column in dropped {
            before.add(try old(column, row), properties.old[column], column: column, root: -1 - column)
        }
        object.before = before.all
        if before.all.isEmpty { return object }
        for column in added {
            let value = try new(column, other)
            object.all.append(value.linking(to: properties.new[column].linkTarget))
            after.add(value, properties.new[column], column: column, root: column)
        }
        object.after = after.all
        return object
    }

    private func old(_ column: Int, _ row: Int) throws -> Value {
        let property = properties.old[column]
        let value = try cursors.old.column(column).value(at: row, as: ColumnType(property))
        return try linked.old.expanded(value, of: property.type == .object ? property.objectType : nil)
    }

    private func new(_ column: Int, _ row: Int) throws -> Value {
        let property = properties.new[column]
        let value = try cursors.new.column(column).value(at: row, as: ColumnType(property))
        return try linked.new.expanded(value, of: property.type == .object ? property.objectType : nil)
    }
}
