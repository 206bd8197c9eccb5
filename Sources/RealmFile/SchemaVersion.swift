import RealmModel

/// The schema version of a file, REALM_FORMAT section 15: the one cell of a table of Realm's own.
enum SchemaVersion {
    private static let tableName = "metadata"
    private static let columnName = "version"

    /// The version; nil where the file was never given one.
    static func read(_ tables: [Table], in image: Image) throws(InputError) -> UInt64? {
        guard let table = tables.first(where: { $0.name == tableName }),
            let column = table.columns.first(where: { $0.name == columnName && $0.type == .int })
        else { return nil }
        var cursor = ClusterCursor(root: try image.node(at: table.clusters), in: image)
        while let cluster = try cursor.next() {
            if cluster.count == 0 { continue }
            let cells = IntegerDecoder(isNullable: column.attributes.contains(.nullable))
            guard try cells.open(try cluster.leaf(ofColumn: column.key.leafIndex, in: image)) == cluster.count else {
                throw cluster.node.damaged("the schema version")
            }
            try cells.append(0..<1)
            guard case .int(let versions) = cells.take().values, let version = versions.first, version != -1 else {
                return nil
            }
            return UInt64(bitPattern: version)
        }
        return nil
    }
}
