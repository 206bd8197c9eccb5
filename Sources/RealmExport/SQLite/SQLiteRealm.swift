import Columns
import RealmJSON
import RealmModel

/// A SQLite database in which the tables of a realm come about.
final class SQLiteRealm {
    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let options: ExportOptions
    private let database: SQLiteDatabase
    let schema: RelationalSchema
    private let definitions: SQLiteDefinitions
    private let maker: CellMaker
    private let text: SnapshotText
    private let flattened: FlattenedObjects
    private var work: SQLiteClassWriter?

    /// The work of making a table, in bytes of columns.
    private static let tableBytes = 16 << 10

    init(
        _ snapshot: Snapshot, store: any SegmentStore, _ options: ExportOptions, _ database: SQLiteDatabase
    ) throws {
        self.snapshot = snapshot
        self.store = store
        self.options = options
        self.database = database
        let shape = try SQLiteShape(snapshot, store: store, options)
        schema = shape.schema
        definitions = SQLiteDefinitions(options: options, losesValues: shape.losesValues)
        maker = CellMaker(snapshot, store: store, rules: .sqlite(options))
        text = SnapshotText(snapshot, from: store)
        flattened = FlattenedObjects(snapshot, store: store)
    }

    /// The number of classes that are written, one after the other.
    var classCount: Int { schema.classes.count }

    /// Makes the tables, and notes how they are going to be filled.
    func begin() throws {
        // SQLite's version has 31 bits; the table of options has any.
        if let version = snapshot.schemaVersion.flatMap({ Int32(exactly: $0) }) {
            try database.execute("PRAGMA user_version=\(version)")
        }
        try database.execute(SQLiteDefinitions.manifestTable(schema.manifestTable))
        try database.execute(SQLiteDefinitions.optionsTable(schema.optionsTable))
        for relation in schema.classes {
            try WorkBudget.spend(Self.tableBytes * (1 + relation.collections.count))
            try database.execute(definitions.table(relation))
            for collection in relation.collections {
                try database.execute(definitions.table(collection, of: relation))
            }
        }
        let entry = try database.prepare(SQLiteDefinitions.insertion(into: schema.optionsTable, columns: 2))
        let entries = [
            ("schemaVersion", snapshot.schemaVersion.map(String.init)), ("dates", options.dates.rawValue),
            ("flatten", options.flattens ? "true" : "false"),
            ("schema", String(decoding: SchemaJSON.encode(snapshot.declared).encoded(), as: UTF8.self)),
        ]
        for (name, value) in entries {
            entry.bind(name, at: 1)
            entry.bind(value, at: 2)
            try entry.run()
        }
    }

    /// Writes a row group of a class, or, behind its last, what the manifest says of it; false then.
    func write(_ group: Int, ofClass number: Int) throws -> Bool {
        let work = try work ?? SQLiteClassWriter(try rows(ofClass: number), database)
        self.work = work
        guard group < work.rows.source.groupCount else {
            try note(try work.rows.finish())
            self.work = nil
            return false
        }
        try work.write(group: group)
        try database.adaptCache()
        return true
    }

    private func rows(ofClass number: Int) throws -> RelationRows {
        let relation = schema.classes[number]
        return RelationRows(
            relation, try ClassSource(relation.schema.name, of: snapshot, store: store), maker, text,
            flattened)
    }

    private func note(_ manifest: ClassManifest) throws {
        let row = try database.prepare(SQLiteDefinitions.insertion(into: schema.manifestTable, columns: 6))
        row.bind(manifest.className, at: 1)
        row.bind(manifest.place, at: 2)
        row.bind(Int64(manifest.objectCount), at: 3)
        row.bind(manifest.digest, at: 4)
        row.bind(String(decoding: manifest.propertiesJSON.encoded(), as: UTF8.self), at: 5)
        row.bind(String(decoding: manifest.lossesJSON.encoded(), as: UTF8.self), at: 6)
        try row.run()
    }

    /// Looks whether every foreign key leads to a row, and makes the indexes.
    ///
    /// - Throws: `ExportError.brokenReferences` where one does not.
    func finish() throws -> SQLiteDatabase {
        for object in schema.flattened {
            try note(try flattened.manifest(of: try ClassSource(object.name, of: snapshot, store: store)))
        }
        do {
            if let broken = try database.brokenReferences().first {
                throw ExportError.brokenReferences(table: broken.table, count: broken.count)
            }
            try database.narrowCache()
            for relation in schema.classes {
                for index in definitions.indexes(relation) { try database.execute(index) }
            }
        } catch {
            // A statement that the budget interrupted says nothing of why.
            try WorkBudget.current?.look()
            throw error
        }
        try database.finish()
        return database
    }
}
