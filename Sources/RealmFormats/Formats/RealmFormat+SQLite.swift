import RealmExport

extension RealmFormat {
    /// A SQLite database: a table a class and a table a collection, written alone.
    public static let sqlite = RealmFormat(
        "sqlite", mediaType: "application/vnd.sqlite3",
        write: { snapshot, store, options in
            var writer = SQLiteWriter(snapshot, from: store, options: options.export, makeFile: options.makeFile)
            return { try writer.next() }
        })
}
