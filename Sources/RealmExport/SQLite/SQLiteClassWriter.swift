import Columns
import RealmJSON
import RealmModel

/// Writes the objects of one class into its table and those of its collections.
final class SQLiteClassWriter {
    let source: ClassSource
    private let relation: ClassRelation
    private let maker: CellMaker
    private let text: SnapshotText
    private let insertion: SQLiteStatement
    private let insertions: [SQLiteStatement]
    private let digest: Digest?
    private var count = 0
    private var losses: [NameKey: Losses] = [:]
    private var lines: [UInt8] = []

    init(
        _ relation: ClassRelation, _ source: ClassSource, _ maker: CellMaker, _ text: SnapshotText,
        _ database: SQLiteDatabase
    ) throws {
        self.relation = relation
        self.source = source
        self.maker = maker
        self.text = text
        insertion = try database.prepare(
            SQLiteDefinitions.insertion(
                into: relation.table, columns: relation.columns.count + (relation.key.property == nil ? 1 : 0)))
        insertions = try relation.collections.map {
            try database.prepare(SQLiteDefinitions.insertion(into: $0.table, columns: $0.place == nil ? 2 : 3))
        }
        digest = relation.schema.isEmbedded ? nil : Digest()
    }

    /// Writes a row group.
    func write(group: Int) throws {
        try source.willRead(group: group)
        let rows = source.liveRows(inGroup: group)
        let keys = try key(inGroup: group)
        guard keys.count > 0 else { return }
        let columns =
            try (relation.key.property == nil ? [keys] : [])
            + relation.columns.map { column in
                try cells(
                    of: try source.column(column.property, inGroup: group), column.property, column.reference, rows)
            }
        try PinnedCells.with(columns) { cells in
            for row in rows {
                for index in cells.indices { cells[index].bind(row, to: insertion, at: Int32(index + 1)) }
                try insertion.run()
            }
        }
        for (collection, insertion) in zip(relation.collections, insertions) {
            try write(collection, group, owners: keys, rows, by: insertion)
        }
        count += rows.count
        guard let digest else { return }
        lines.removeAll(keepingCapacity: true)
        try text.appendLines(ofRowGroup: group, ofClass: relation.schema.name, to: &lines)
        digest.update(lines)
    }

    /// What was written.
    ///
    /// - Throws: `ExportError.wrongCount` where that is not as many objects as the class has.
    func finish() throws -> ClassManifest {
        guard count == source.objectCount else {
            throw ExportError.wrongCount(
                className: relation.schema.name, expected: source.objectCount, written: count)
        }
        return ClassManifest(
            className: relation.schema.name, table: relation.table, objectCount: count,
            digest: digest.map { Hexadecimal.encode($0.finish()) },
            losses: relation.schema.persistedProperties.compactMap { property in
                losses[name: property.name].map { (property.publicName, $0) }
            })
    }

    /// The cells that tables refer to the objects by.
    private func key(inGroup group: Int) throws -> CellColumn {
        guard let property = relation.key.property else {
            let keys = try source.keys(inGroup: group)
            return CellColumn(count: keys.count, validity: nil, cells: .integer(keys))
        }
        return try cells(of: try source.column(property, inGroup: group), property, nil, [])
    }

    private func cells(
        of array: ColumnArray, _ property: Property, _ reference: Reference?, _ rows: [Int]
    ) throws -> CellColumn {
        var found = losses[name: property.name] ?? Losses()
        let cells = try maker.cells(of: array, property, reference, rows: rows, losses: &found)
        if !found.counts.isEmpty { losses[name: property.name] = found }
        return cells
    }

    private func write(
        _ collection: CollectionRelation, _ group: Int, owners: CellColumn, _ rows: [Int],
        by insertion: SQLiteStatement
    ) throws {
        let array = try source.column(collection.property, inGroup: group)
        switch array.values {
        case .list(let offsets, let elements):
            guard elements.count > 0 else { return }
            let values = try cells(
                of: elements, collection.property, collection.reference, Self.elements(of: rows, offsets, elements))
            try PinnedCells.with([owners, values]) { cells in
                for row in rows {
                    cells[0].bind(row, to: insertion, at: 1)
                    for (position, element) in (Int(offsets[row])..<Int(offsets[row + 1])).enumerated() {
                        if collection.place != nil { insertion.bind(Int64(position), at: 2) }
                        cells[1].bind(element, to: insertion, at: collection.place == nil ? 2 : 3)
                        try insertion.run()
                    }
                }
            }
        case .dictionary(let offsets, let keys, let elements):
            guard elements.count > 0 else { return }
            let values = try cells(
                of: elements, collection.property, collection.reference, Self.elements(of: rows, offsets, elements))
            var none = Losses()
            let places = try maker.cells(of: keys, Property("key", .string), nil, rows: [], losses: &none)
            try PinnedCells.with([owners, places, values]) { cells in
                for row in rows {
                    cells[0].bind(row, to: insertion, at: 1)
                    for element in Int(offsets[row])..<Int(offsets[row + 1]) {
                        cells[1].bind(element, to: insertion, at: 2)
                        cells[2].bind(element, to: insertion, at: 3)
                        try insertion.run()
                    }
                }
            }
        case .int, .bool, .float, .double, .date, .fixed, .variable:
            throw ColumnError.damaged(what: "a value where a collection is to be", offset: 0)
        }
    }

    /// The elements of the collections of live objects.
    private static func elements(of rows: [Int], _ offsets: [Int32], _ elements: ColumnArray) -> [Int] {
        guard rows.count < offsets.count - 1 else { return Array(0..<elements.count) }
        return rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
    }
}
