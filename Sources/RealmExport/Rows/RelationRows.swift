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
    func columns(inGroup group: Int) throws -> [CellColumn] {
        try source.willRead(group: group)
        let rows = rows(inGroup: group)
        try tally.take(group: group, try text.rowGroup(group, ofClass: relation.schema.name))
        let own = relation.key.property == nil ? [try keys(inGroup: group)] : []
        return try own
            + relation.columns.map { column in
                guard !column.isPresence else { return try presence(of: column, inGroup: group, rows) }
                return try cells(
                    of: try values(of: column.property, column.path, inGroup: group), column.property, column.path,
                    column.reference, rows)
            }
    }

    /// The rows of a collection's table; nil where no object of the group has any.
    func elements(of collection: CollectionRelation, inGroup group: Int) throws -> Elements? {
        let rows = rows(inGroup: group)
        let array = try values(of: collection.property, collection.path, inGroup: group)
        switch array.values {
        case .list(let offsets, let elements):
            guard elements.count > 0 else { return nil }
            return Elements(
                offsets: offsets, owners: try keys(inGroup: group), keys: nil,
                values: try values(elements, of: collection, rows, offsets))
        case .dictionary(let offsets, let keys, let elements):
            guard elements.count > 0 else { return nil }
            var none = Losses()
            return Elements(
                offsets: offsets, owners: try self.keys(inGroup: group),
                keys: try maker.cells(of: keys, Property("key", .string), nil, rows: [], losses: &none),
                values: try values(elements, of: collection, rows, offsets))
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

    private func cells(
        of array: ColumnArray, _ property: Property, _ path: [Property], _ reference: Reference?, _ rows: [Int]
    ) throws -> CellColumn {
        var found = Losses()
        let cells = try maker.cells(of: array, property, reference, rows: rows, losses: &found)
        guard !found.counts.isEmpty else { return cells }
        if let className = path.last?.objectType {
            flattened.add(found, of: property, className: className)
        } else {
            losses[NameKey(property.name), default: Losses()].add(found)
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
        _ elements: ColumnArray, of collection: CollectionRelation, _ rows: [Int], _ offsets: [Int32]
    ) throws -> CellColumn {
        let live =
            rows.count == offsets.count - 1
            ? Array(0..<elements.count) : rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
        return try cells(of: elements, collection.property, collection.path, collection.reference, live)
    }
}
