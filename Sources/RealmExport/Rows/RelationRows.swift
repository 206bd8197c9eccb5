import Columns
import RealmJSON
import RealmModel

/// The objects of one class as rows of its table and of those of its collections, row group by row group.
final class RelationRows {
    let relation: ClassRelation
    let source: ClassSource
    private let maker: CellMaker
    private let flattened: FlattenedObjects
    private let text: SnapshotText
    private let tally: ClassTally
    private var losses: [NameKey: Losses] = [:]
    private var primaryKeys = KeysWithoutNUL()
    /// The embedded objects of the row group that was read last, by the path that leads to them.
    private var embedded: (group: Int, objects: [[NameKey]: FlattenedObjects.Objects]) = (0, [:])

    init(
        _ relation: ClassRelation, _ source: ClassSource, _ maker: CellMaker, _ text: SnapshotText,
        _ flattened: FlattenedObjects
    ) {
        self.flattened = flattened
        self.relation = relation
        self.source = source
        self.maker = maker
        self.text = text
        tally = ClassTally(source)
    }

    /// The rows of a collection's table: of each owner those of its elements.
    struct Elements {
        /// The elements of the owner in row `i` are `offsets[i]..<offsets[i + 1]`.
        let offsets: [Int32]
        /// By the owner's row.
        let owners: CellColumn
        /// The keys of a dictionary, by element.
        let keys: CellColumn?
        /// By element.
        let values: CellColumn
    }

    /// The rows of a group whose objects are not deleted.
    func rows(inGroup group: Int) -> [Int] { source.liveRows(inGroup: group) }

    /// The cells of the class's table, an object key of its own first; and takes the objects into the manifest.
    ///
    /// - Throws: `InputError` where keys that U+0000 tells apart would be one; what the store throws; `ColumnError`.
    func columns(inGroup group: Int) throws -> [CellColumn] {
        try source.willRead(group: group)
        let rows = rows(inGroup: group)
        try tally.take(group: group, try text.rowGroup(group, ofClass: relation.schema.name))
        let own = relation.key.property == nil ? [try keys(inGroup: group)] : []
        return try own
            + relation.columns.map { column in
                guard !column.isPresence else { return try presence(of: column, inGroup: group, rows) }
                let cells = try cells(
                    of: try values(of: column.property, column.path, inGroup: group), column.property, column.path,
                    column.reference, rows, inGroup: group)
                if column.isPrimaryKey, maker.rules.losesNUL { try tell(cells, column.property, rows, inGroup: group) }
                return cells
            }
    }

    /// Refuses primary keys of which two are one in the format.
    private func tell(_ keys: CellColumn, _ property: Property, _ rows: [Int], inGroup group: Int) throws {
        if let row = primaryKeys.take(keys, rows: rows) {
            throw try equalKeys("the primary keys of two objects", property, [], row, inGroup: group)
        }
        guard primaryKeys.areTooMany else { return }
        throw InputError.tooManyReplacedKeys(primaryKeys.limit, of: relation.schema.name, property.publicName)
    }

    /// The rows of a collection's table; nil where no object of the group has any.
    ///
    /// - Throws: as `columns`.
    func elements(of collection: CollectionRelation, inGroup group: Int) throws -> Elements? {
        let rows = rows(inGroup: group)
        let array = try values(of: collection.property, collection.path, inGroup: group)
        switch array.values {
        case .list(let offsets, let elements):
            guard elements.count > 0 else { return nil }
            return Elements(
                offsets: offsets, owners: try keys(inGroup: group), keys: nil,
                values: try values(elements, of: collection, rows, offsets, inGroup: group))
        case .dictionary(let offsets, let keys, let elements):
            guard elements.count > 0 else { return nil }
            return Elements(
                offsets: offsets, owners: try self.keys(inGroup: group),
                keys: try dictionaryKeys(keys, of: collection, rows, offsets, inGroup: group),
                values: try values(elements, of: collection, rows, offsets, inGroup: group))
        case .int, .bool, .float, .double, .date, .fixed, .variable:
            throw ColumnError.damaged(what: "a value where a collection is to be", offset: 0)
        }
    }

    /// The manifest of the rows that were written.
    ///
    /// - Throws: `ExportError.wrongCount` where that is not as many objects as the class has.
    func finish() throws -> ClassManifest {
        try tally.finish(place: relation.table, losses: losses, names: relation.names)
    }

    /// The cells that tables refer to the objects by.
    private func keys(inGroup group: Int) throws -> CellColumn {
        guard let property = relation.key.property else {
            let keys = try source.keys(inGroup: group)
            return CellColumn(count: keys.count, validity: nil, cells: .integer(keys))
        }
        var none = Losses()
        return try maker.cells(
            of: try source.column(property, inGroup: group), property, nil, rows: [], losses: &none)
    }

    /// - Parameter owner: the row of the object that has the value in a row of the array.
    private func cells(
        of array: ColumnArray, _ property: Property, _ path: [Property], _ reference: Reference?, _ rows: [Int],
        inGroup group: Int, owner: (Int) -> Int = { $0 }
    ) throws -> CellColumn {
        var found = Losses()
        do {
            let cells = try maker.cells(of: array, property, reference, rows: rows, losses: &found)
            add(found, of: property, path)
            return cells
        } catch let equal as EqualKeys {
            throw try equalKeys("two keys of a dictionary", property, path, owner(equal.row), inGroup: group)
        }
    }

    private func add(_ found: Losses, of property: Property, _ path: [Property]) {
        guard !found.counts.isEmpty else { return }
        if let className = path.last?.objectType {
            flattened.add(found, of: property, className: className)
        } else {
            losses[NameKey(property.name), default: Losses()].add(found)
        }
    }

    private func equalKeys(
        _ what: String, _ property: Property, _ path: [Property], _ row: Int, inGroup group: Int
    ) throws -> InputError {
        .equalKeys(
            what, of: path.last?.objectType ?? relation.schema.name, property.publicName,
            key: ObjectKey(try source.keys(inGroup: group)[row]))
    }

    private func dictionaryKeys(
        _ keys: ColumnArray, of collection: CollectionRelation, _ rows: [Int], _ offsets: [Int32], inGroup group: Int
    ) throws -> CellColumn {
        var found = Losses()
        let live = Self.elements(of: rows, offsets)
        let cells = try maker.cells(of: keys, Property("key", .string), nil, rows: live, losses: &found)
        add(found, of: collection.property, collection.path)
        let equal =
            found.counts.isEmpty
            ? nil : rows.first { cells.holdsEqualTexts(in: Int(offsets[$0])..<Int(offsets[$0 + 1])) }
        if let equal {
            throw try equalKeys(
                "two keys of a dictionary", collection.property, collection.path, equal, inGroup: group)
        }
        return cells
    }

    /// Whether the embedded object is there; counts those that are.
    private func presence(of column: RelationColumn, inGroup group: Int, _ rows: [Int]) throws -> CellColumn {
        let objects = try objects(column.path + [column.property], inGroup: group)
        flattened.count(objects, rows: rows)
        let flags = (0..<objects.validity.count).map { objects.validity[$0] ? Int64(1) : 0 }
        return CellColumn(count: flags.count, validity: nil, cells: .integer(flags))
    }

    private func values(of property: Property, _ path: [Property], inGroup group: Int) throws -> ColumnArray {
        guard !path.isEmpty else { return try source.column(property, inGroup: group) }
        return try objects(path, inGroup: group).column(property)
    }

    /// The embedded objects at the end of a path that is not empty.
    private func objects(_ path: [Property], inGroup group: Int) throws -> FlattenedObjects.Objects {
        if embedded.group != group { embedded = (group, [:]) }
        let place = path.map { NameKey($0.name) }
        if let objects = embedded.objects[place] { return objects }
        let property = path[path.count - 1]
        let keys = try values(of: property, path.dropLast(), inGroup: group)
        let objects = try flattened.objects(of: keys, property)
        embedded.objects[place] = objects
        return objects
    }

    private func values(
        _ elements: ColumnArray, of collection: CollectionRelation, _ rows: [Int], _ offsets: [Int32],
        inGroup group: Int
    ) throws -> CellColumn {
        try cells(
            of: elements, collection.property, collection.path, collection.reference, Self.elements(of: rows, offsets),
            inGroup: group, owner: { element in (offsets.firstIndex { $0 > element } ?? 1) - 1 })
    }

    /// The elements of some rows' collections.
    private static func elements(of rows: [Int], _ offsets: [Int32]) -> [Int] {
        rows.count == offsets.count - 1
            ? Array(0..<Int(offsets[rows.count])) : rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
    }
}
