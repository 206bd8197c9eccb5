import Columns
import RealmJSON
import RealmModel

/// The objects of one class as rows of its table and of those of its collections, row group by row group.
final class RelationRows {
    let relation: ClassRelation
    let source: ClassSource
    private let maker: CellMaker
    private let text: SnapshotText
    private let digest: Digest?
    private var count = 0
    private var losses: [NameKey: Losses] = [:]

    init(_ relation: ClassRelation, _ source: ClassSource, _ maker: CellMaker, _ text: SnapshotText) {
        self.relation = relation
        self.source = source
        self.maker = maker
        self.text = text
        digest = relation.schema.isEmbedded ? nil : Digest()
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

    /// The cells of the class's table, an object key of its own first; counts the objects and takes their lines into the digest.
    func columns(inGroup group: Int) throws -> [CellColumn] {
        try source.willRead(group: group)
        let rows = rows(inGroup: group)
        count += rows.count
        try updateDigest(group)
        let own = relation.key.property == nil ? [try keys(inGroup: group)] : []
        return try own
            + relation.columns.map { column in
                try cells(
                    of: try source.column(column.property, inGroup: group), column.property, column.reference, rows)
            }
    }

    /// The rows of a collection's table; nil where no object of the group has any.
    func elements(of collection: CollectionRelation, inGroup group: Int) throws -> Elements? {
        let rows = rows(inGroup: group)
        let array = try source.column(collection.property, inGroup: group)
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

    /// What was written.
    ///
    /// - Throws: `ExportError.wrongCount` where that is not as many objects as the class has.
    func finish() throws -> ClassManifest {
        try source.check(written: count)
        return ClassManifest(
            className: relation.schema.name, table: relation.table, objectCount: count,
            digest: digest.map { Hexadecimal.encode($0.finish()) },
            losses: relation.schema.persistedProperties.compactMap { property in
                losses[name: property.name].map { (property.publicName, $0) }
            })
    }

    private func updateDigest(_ group: Int) throws {
        guard let digest else { return }
        var lines: [UInt8] = []
        try text.rowGroup(group, ofClass: relation.schema.name).appendLines(to: &lines)
        digest.update(lines)
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
        of array: ColumnArray, _ property: Property, _ reference: Reference?, _ rows: [Int]
    ) throws -> CellColumn {
        var found = losses[name: property.name] ?? Losses()
        let cells = try maker.cells(of: array, property, reference, rows: rows, losses: &found)
        if !found.counts.isEmpty { losses[name: property.name] = found }
        return cells
    }

    private func values(
        _ elements: ColumnArray, of collection: CollectionRelation, _ rows: [Int], _ offsets: [Int32]
    ) throws -> CellColumn {
        let live =
            rows.count == offsets.count - 1
            ? Array(0..<elements.count) : rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
        return try cells(of: elements, collection.property, collection.reference, live)
    }
}
