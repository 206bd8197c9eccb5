import RealmModel

/// The schema version of a file, REALM_FORMAT section 15: the one cell of a table of Realm's own.
enum SchemaVersion {
    static let tableName = "metadata"
    private static let columnName = "version"

    /// The version; nil where the file was never given one.
    static func read(_ tables: [Table], in image: Image) throws(InputError) -> UInt64? {
        guard let table = tables.first(where: { $0.name.hasSameBytes(as: tableName) }),
            let index = table.columns.firstIndex(where: { $0.name.hasSameBytes(as: columnName) && $0.type == .int })
        else { return nil }
        let rows = try table.rows(in: image, targets: LinkTargets())
        while let count = try rows.nextRun() {
            if count == 0 { continue }
            try rows.append(0..<1)
            let column = rows.take()[index]
            guard !column.isNull(0), case .int(let versions) = column.values, versions != [-1] else { return nil }
            return versions.first.map { UInt64(bitPattern: $0) }
        }
        return nil
    }
}
