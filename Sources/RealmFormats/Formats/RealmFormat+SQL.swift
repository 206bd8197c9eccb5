import RealmExport

extension RealmFormat {
    /// A script for PostgreSQL: the tables of `sqlite`, with types of PostgreSQL's own; written alone.
    public static let sql = RealmFormat(
        "sql", mediaType: "application/sql",
        write: { snapshot, store, _ in
            var script = SQLScript(snapshot, from: store)
            return { try script.next() }
        })
}
