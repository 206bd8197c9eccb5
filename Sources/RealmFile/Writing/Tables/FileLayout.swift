import Columns
import RealmModel

/// The tables of a file before anything of them is written: keys, columns, and which column each link leads back to.
struct FileLayout {
    /// One table a class, in the order of the snapshot's.
    let tables: [TableLayout]
    /// The schema version's table; nil where the realm has no version.
    let metadata: TableLayout?
    /// The tables' keys by the names of their classes.
    let tableKeys: [NameKey: Int64]

    /// Lays out the tables of a snapshot.
    ///
    /// - Parameter census: which classes mixed properties link to.
    /// - Throws: `schemaInvalid` where a link leads to no class or a name is longer than the format allows.
    init(_ snapshot: Snapshot, _ census: LinkCensus, in format: WrittenFormat) throws(InputError) {
        let schemas = snapshot.classes.map(\.schema)
        metadata = snapshot.schemaVersion == nil ? nil : .metadata
        let firstKey: Int64 = metadata == nil ? 0 : 1
        var keys: [NameKey: Int64] = [:]
        for (index, schema) in schemas.enumerated() { keys[name: schema.name] = firstKey + Int64(index) }
        tableKeys = keys
        var tables: [TableLayout] = []
        for (index, schema) in schemas.enumerated() {
            tables.append(try TableLayout(schema, key: firstKey + Int64(index), tableKeys: keys, in: format))
        }
        for source in census.sources {
            for target in source.targets { Self.pair(source, target, in: &tables) }
        }
        self.tables = tables
    }

    /// Adds the column of backlinks of one column of links.
    private static func pair(_ source: LinkSource, _ target: Int, in tables: inout [TableLayout]) {
        let origin = tables[source.classIndex]
        let leafIndex = tables[target].columns.count + tables[target].backlinks.count
        let key = ColumnKey(
            leafIndex: leafIndex, type: StoredColumn.TypeCode.backlink, attributes: [], table: tables[target].key)
        tables[target].backlinks.append(
            TableLayout.Backlink(
                source: source, key: key, originTable: origin.key,
                originColumn: origin.columns[source.propertyIndex].key))
        if source.target != nil { tables[source.classIndex].columns[source.propertyIndex].oppositeColumn = key }
    }
}
