import Columns
import RealmJSON
import RealmModel

/// Comma-separated values (RFC 4180): a head with the names, then a line an object.
///
/// A null is nothing between two commas, an empty text two quotes. A value that is not single is Realm JSON.
final class CSVFile: ClassFile {
    private struct Column {
        let property: Property
        let name: String
        /// Where the property is among those that are stored.
        let index: Int
        let reference: Reference?
        let form: CSVRow.Form
    }

    private let source: ClassSource
    private let maker: CellMaker
    /// The name of the object key's column; nil where there is none.
    private let keyName: String?
    private let columns: [Column]
    private(set) var losses: [NameKey: Losses] = [:]

    init(_ context: ClassFileContext) throws {
        source = context.source
        maker = context.maker
        let properties = source.schema.persistedProperties
        // A line with nothing between its ends is none to most readers.
        let mayBeEmpty = properties.count == 1 && properties[0].isOptional
        let hasObjectKey = source.schema.primaryKey == nil || mayBeEmpty
        var room = NameRoom(columnsOf: .columns)
        let names = properties.map { room.take($0.publicName) }
        keyName = hasObjectKey ? room.take("_key") : nil
        columns = properties.enumerated().map { index, property in
            // A link to an object whose primary key may be null is what Realm JSON makes of it.
            let target = property.objectType.flatMap { context.snapshot.declared[$0] }
            let isText =
                property.isCollection || property.type == .mixed
                || property.type == .object
                    && (target?.isEmbedded ?? true || target?.primaryKeyProperty?.isOptional ?? false)
            // A link is its target's key.
            let type = property.type == .object ? target?.primaryKeyProperty?.type ?? .int : property.type
            return Column(
                property: property, name: names[index], index: index,
                reference: isText ? nil : target.map { Reference(toObjectsOf: $0) },
                form: isText ? .json : CSVRow.Form(type))
        }
    }

    var names: [NameKey: PlaceName] {
        columns.reduce(into: [:]) { names, column in
            names[NameKey(column.property.name)] = PlaceName(
                .column, column.name, insteadOf: column.property.publicName)
        }
    }

    func begin() -> [UInt8] {
        var line: [UInt8] = []
        let names = (keyName.map { [$0] } ?? []) + columns.map(\.name)
        for (index, name) in names.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            CSVRow.append(text: Array(name.utf8), to: &line)
        }
        return line + CSVRow.lineEnd
    }

    func write(group: Int, _ text: RowGroupText) throws -> [UInt8] {
        let rows = source.liveRows(inGroup: group)
        guard !rows.isEmpty else { return [] }
        var cells: [CellColumn] = []
        if keyName != nil {
            let keys = try source.keys(inGroup: group)
            cells.append(CellColumn(count: keys.count, validity: nil, cells: .integer(keys)))
        }
        for column in columns { cells.append(try self.cells(of: column, inGroup: group, rows, text)) }
        let forms = (keyName == nil ? [] : [.number]) + columns.map(\.form)
        return PinnedCells.with(cells) { CSVRow.lines(rows, of: $0, forms) }
    }

    func finish() -> [UInt8] { [] }

    private func cells(
        of column: Column, inGroup group: Int, _ rows: [Int], _ text: RowGroupText
    ) throws -> CellColumn {
        guard column.form == .json else {
            var found = losses[name: column.property.name] ?? Losses()
            let array = try source.column(column.property, inGroup: group)
            let cells = try maker.cells(of: array, column.property, column.reference, rows: rows, losses: &found)
            if !found.counts.isEmpty { losses[name: column.property.name] = found }
            return cells
        }
        return try maker.texts(count: (rows.last ?? 0) + 1, rows: rows) { row, bytes in
            try text.append(property: column.index, row: row, to: &bytes)
        }
    }
}
