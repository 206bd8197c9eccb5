import Columns
import Postgres
import RealmModel

/// The stored index of a column of primary keys.
///
/// It is made of the column, which never changes, and names nothing else: with or without it a snapshot is whole. So it need
/// not be written with the snapshot; a run of it is written by one statement, and one that lacks a run is made again.
struct PrimaryKeyPages {
    let pool: PostgresPool
    let appID: RealmModel.UUID
    let column: SegmentID

    /// The rows that may have a primary key, counted from the class's first; nil where the index is not there, or not whole.
    func rows(of hash: PrimaryKeyHash, runs: Int) throws -> [Int]? {
        let pages = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT runs.number, page.bytes FROM generate_series(0, \(runs - 1)) AS runs (number), LATERAL (
                    SELECT bytes FROM primary_key_page
                    WHERE app_id = \(appID) AND batch_id = \(column.batch) AND ordinal = \(column.ordinal)
                        AND run = runs.number AND first_hash <= \(Int(hash.bits))
                    ORDER BY first_hash DESC LIMIT 1
                ) AS page
                """)
        }
        guard pages.count == runs else { return nil }
        return try pages.flatMap { page in
            let first = try page.value("number", as: Int.self) * PrimaryKeyPage.rowsInRun
            return try PrimaryKeyPage.rows(of: hash, in: try page.value("bytes", as: PostgresBytes.self).bytes)
                .map { first + $0 }
        }
    }

    /// Keeps the pages of a run; where another made them meanwhile, they are the same.
    func write(_ pages: [PrimaryKeyPage]) throws {
        guard let run = pages.first?.run else { return }
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                INSERT INTO primary_key_page (app_id, batch_id, ordinal, run, first_hash, bytes)
                SELECT \(appID), \(column.batch), \(column.ordinal), \(Int32(run)), hash, page
                FROM unnest(\(PostgresArray(pages.map { Int($0.firstHash) })),
                    \(PostgresArray(pages.map { PostgresBytes($0.bytes) }))) AS new (hash, page)
                ON CONFLICT DO NOTHING
                """)
        }
    }
}

extension PostgresSegmentStore {
    /// The rows that may have a primary key, by an index that the first look-up makes.
    ///
    /// - Returns: nil where the class has a single row group, which is read as quickly; where the column is not committed;
    ///   and where there is no index yet and this process is making another.
    public func rows(withPrimaryKey value: Value, of reader: ClassReader, property: Int) throws -> [Int]? {
        guard reader.rowGroups.count > 1, case .segments(let column) = reader.stored.columns[property],
            column.batch != batch, let hash = PrimaryKeyHash(value)
        else { return nil }
        let pages = PrimaryKeyPages(pool: pool, appID: appID, column: column)
        let runs = PrimaryKeyPage.runCount(forRows: reader.rowGroups.reduce(0) { $0 + $1.rowCount })
        if let rows = try pages.rows(of: hash, runs: runs) { return rows }
        guard try indexing.ifFree({ try makeIndex(of: property, reader, pages) }) else { return nil }
        return try pages.rows(of: hash, runs: runs)
    }

    private func makeIndex(of property: Int, _ reader: ClassReader, _ pages: PrimaryKeyPages) throws {
        var writer = PrimaryKeyIndexWriter()
        for group in reader.rowGroups.indices {
            try reader.willRead(keys: false, [property], inGroup: group)
            try writer.append(try reader.column(property, inGroup: group), pages.write)
        }
        try writer.finish(pages.write)
    }
}
