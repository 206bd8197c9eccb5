import Columns
import RealmJSON
import RealmModel

/// Writes a snapshot as statements for PostgreSQL: tables, rows by `COPY`, then keys and indexes.
///
/// Memory is bounded by a row group and the caches that keys of links and mixed values are looked up in. A table's rows are in
/// one `COPY`; the columns of a class are read once for its table, and those of each collection once for its own.
public struct SQLWriter {
    /// The next part.
    public enum Part: Sendable {
        /// A statement, without its end.
        case statement(String)
        /// A statement that rows follow on, and the table that they are of.
        case copy(String, table: String)
        /// Some of those rows, in PostgreSQL's text format.
        case rows([UInt8])
        /// The end of those.
        case rowsEnd
    }

    private enum Position {
        case start
        case statements([String], then: Next)
        /// Before the row group of a number, of the class's table or a collection's.
        case rows(group: Int, collection: Int?, class: Int, RelationRows)
        case manifest
        case end
    }

    /// The step that follows on some statements.
    private enum Next {
        case table(class: Int)
        case end
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let maker: CellMaker
    private let text: SnapshotText
    private let flattened: FlattenedObjects
    private var made: (schema: RelationalSchema, definitions: PostgresDefinitions)?
    private var manifests: [ClassManifest] = []
    private var pending: [Part] = []
    private var position = Position.start

    private let place: String

    /// Prepares to write.
    ///
    /// - Parameter schema: the schema that the tables are made in.
    public init(_ snapshot: Snapshot, from store: any SegmentStore, schema: SQLSchemaName) {
        self.snapshot = snapshot
        self.store = store
        place = schema.text
        maker = CellMaker(snapshot, store: store, rules: .postgres)
        text = SnapshotText(snapshot, from: store)
        flattened = FlattenedObjects(snapshot, store: store)
    }

    /// The name of the schema for a realm of a name: as much of it as PostgreSQL takes.
    public static func schemaName(ofRealm name: String) -> String {
        var names = NameRoom(tablesOf: .postgres)
        return names.take(name.isEmpty ? "realm" : name)
    }

    /// The next part; nil after the last.
    ///
    /// - Throws: what the store throws; `ColumnError`; `ExportError`; `InputError` where embedded objects nest too deep, and
    ///   where keys that U+0000 tells apart would be one.
    public mutating func next() throws -> Part? {
        while pending.isEmpty {
            if case .end = position { return nil }
            try advance()
        }
        return pending.removeFirst()
    }

    private mutating func advance() throws {
        switch position {
        case .start: try begin()
        case .statements(let statements, let next):
            pending = statements.map { .statement($0) }
            switch next {
            case .table(let number): try beginTable(class: number)
            case .end: position = .end
            }
        case .rows(let group, let collection, let number, let rows):
            guard group < rows.source.groupCount else {
                pending.append(.rowsEnd)
                return try finishTable(collection, class: number, rows)
            }
            pending += try lines(rows, group, collection).map { .rows($0) }
            rows.source.forgetRowGroup()
            position = .rows(group: group + 1, collection: collection, class: number, rows)
        case .manifest: finish()
        case .end: break
        }
    }

    private mutating func begin() throws {
        let traits = try SnapshotTraits(
            snapshot, store: store, mayLoseValues: { $0.type == .date }, losesValues: { $0.losesPostgresDates })
        let schema = try RelationalSchema(snapshot.declared, rules: .postgres, needsObjectKey: traits.hasNullKey)
        let definitions = PostgresDefinitions(schema: place) { traits.losesValues($1, of: $0) }
        made = (schema, definitions)
        var statements = [
            definitions.manifestTable(schema.manifestTable), definitions.optionsTable(schema.optionsTable),
        ]
        for relation in schema.classes {
            statements.append(definitions.table(relation))
            statements += relation.collections.map { definitions.table($0, of: relation) }
        }
        position = .statements(statements, then: .table(class: 0))
    }

    private mutating func beginTable(class number: Int) throws {
        guard let (schema, definitions) = made, number < schema.classes.count else {
            position = .manifest
            return
        }
        let relation = schema.classes[number]
        let source = try ClassSource(relation.schema.name, of: snapshot, store: store)
        pending.append(definitions.copy(into: relation.table))
        position = .rows(
            group: 0, collection: nil, class: number, RelationRows(relation, source, maker, text, flattened))
    }

    private mutating func finishTable(_ collection: Int?, class number: Int, _ rows: RelationRows) throws {
        let next = (collection ?? -1) + 1
        guard next < rows.relation.collections.count else {
            manifests.append(try rows.finish())
            return try beginTable(class: number + 1)
        }
        if let copy = made?.definitions.copy(into: rows.relation.collections[next].table) { pending.append(copy) }
        position = .rows(group: 0, collection: next, class: number, rows)
    }

    /// The lines of a row group, in pieces.
    private func lines(_ rows: RelationRows, _ group: Int, _ collection: Int?) throws -> [[UInt8]] {
        let (live, relation) = (rows.rows(inGroup: group), rows.relation)
        guard let collection else {
            let forms =
                (relation.key.property == nil ? [.plain] : [])
                + relation.columns.map { CopyText.Form($0.property.type) }
            return PinnedCells.with(try rows.columns(inGroup: group)) { cells in
                live.pieces(ofValues: Self.cellsAtOnce, each: cells.count).map { CopyText.lines($0, of: cells, forms) }
            }
        }
        let table = relation.collections[collection]
        guard let elements = try rows.elements(of: table, inGroup: group) else { return [] }
        let lines = try CopyText.lines(
            elements, hasPosition: table.property.collection == .list, of: live, .plain,
            CopyText.Form(table.property.type))
        return lines.isEmpty ? [] : [lines]
    }

    private static let cellsAtOnce = 1 << 17

    private mutating func finish() {
        position = .end
        guard let (schema, definitions) = made else { return }
        pending.append(definitions.copy(into: schema.manifestTable))
        var names = NameRoom(columnsOf: .columns)
        for manifest in manifests {
            let texts = [manifest.propertiesJSON, manifest.lossesJSON].map {
                let text = $0.encoded()
                return String(decoding: text.replacingEscapedNUL() ?? text, as: UTF8.self)
            }
            pending.append(
                .rows(
                    CopyText.line(
                        [
                            names.take(manifest.className), manifest.place, String(manifest.objectCount),
                            manifest.digest,
                        ] + texts)))
        }
        pending += [.rowsEnd, definitions.copy(into: schema.optionsTable)]
        let json = String(decoding: SchemaJSON.encode(snapshot.declared).encoded(), as: UTF8.self)
        pending.append(.rows(CopyText.line(["schemaVersion", snapshot.schemaVersion.map(String.init)])))
        pending += [.rows(CopyText.line(["schema", json.withoutNUL])), .rowsEnd]
        // Keys have names of PostgreSQL's choosing, which gives way to those that are there.
        let statements =
            schema.classes.flatMap(definitions.indexes) + schema.classes.flatMap(definitions.keys)
            + schema.classes.flatMap(definitions.references)
        pending += statements.map { .statement($0) }
    }
}

/// The name of a schema as statements have it.
public struct SQLSchemaName: Sendable {
    let text: String

    /// A schema of a name.
    public static func named(_ name: String) -> SQLSchemaName { SQLSchemaName(text: name.quoted) }
    /// The schema that psql's variable `schema` names.
    static let ofScript = SQLSchemaName(text: ":\"schema\"")
}

extension ColumnArray {
    /// Whether a date is none that PostgreSQL has.
    fileprivate var losesPostgresDates: Bool {
        switch values {
        case .date(let seconds, let nanoseconds):
            zip(seconds, nanoseconds).contains { !PostgresTimestamp.holds(Timestamp(seconds: $0, nanoseconds: $1)) }
        case .list(_, let elements): elements.losesPostgresDates
        case .dictionary(_, _, let values): values.losesPostgresDates
        case .int, .bool, .float, .double, .fixed, .variable: false
        }
    }
}
