import Columns
import Postgres
import RealmModel

/// The stored index of a column of primary keys.
///
/// It is made of the column, which never changes, and names nothing else: with or without it a snapshot is whole. So it need
/// not be written with the snapshot; a run of it is written by one statement, and one that lacks a run is made again.
struct PrimaryKeyPages {
    let pool: PostgresPool
    let recent: RecentlyRead<PrimaryKeyIndex>
    let appID: RealmModel.UUID
    let column: SegmentID

    init(of column: SegmentID, in store: PostgresSegmentStore) {
        pool = store.pool
        recent = store.snapshots.recentRuns
        appID = store.appID
        self.column = column
    }

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

    /// The rows that may have some primary keys; nil where the index is not there, or not whole.
    func rows(of hashes: [PrimaryKeyHash], runs: Int) throws -> [PrimaryKeyHash: [Int]]? {
        let pages = try pool.withConnection { connection in
            try connection.query(
                """
                WITH wanted AS MATERIALIZED (
                    SELECT DISTINCT runs.number, page.first_hash
                    FROM generate_series(0, \(runs - 1)) AS runs (number),
                        unnest(\(PostgresArray(hashes.map { Int($0.bits) }))) AS named (hash), LATERAL (
                            SELECT first_hash FROM primary_key_page
                            WHERE app_id = \(appID) AND batch_id = \(column.batch) AND ordinal = \(column.ordinal)
                                AND run = runs.number AND first_hash <= named.hash
                            ORDER BY first_hash DESC LIMIT 1
                        ) AS page
                )
                SELECT wanted.number, page.first_hash, page.bytes FROM wanted, LATERAL (
                    SELECT first_hash, bytes FROM primary_key_page
                    WHERE app_id = \(appID) AND batch_id = \(column.batch) AND ordinal = \(column.ordinal)
                        AND run = wanted.number AND first_hash = wanted.first_hash LIMIT 1
                ) AS page ORDER BY wanted.number, page.first_hash
                """)
        }
        var byRun: [[(firstHash: Int, bytes: [UInt8])]] = Array(repeating: [], count: runs)
        for page in pages {
            byRun[try page.value("number")].append(
                (try page.value("first_hash"), try page.value("bytes", as: PostgresBytes.self).bytes))
        }
        var found: [PrimaryKeyHash: [Int]] = [:]
        for hash in hashes where found[hash] == nil {
            var rows: [Int] = []
            for (run, pages) in byRun.enumerated() {
                guard let page = pages.last(atMost: Int(hash.bits)) else { return nil }
                rows += try PrimaryKeyPage.rows(of: hash, in: page).map { run * PrimaryKeyPage.rowsInRun + $0 }
            }
            found[hash] = rows
        }
        return found
    }

    /// A whole run, which the process may have read before; nil where the index does not have it.
    func run(_ number: Int) throws -> PrimaryKeyIndex? {
        if let known = recent[column, part: number, in: appID] { return known }
        let pages = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT bytes FROM primary_key_page
                WHERE app_id = \(appID) AND batch_id = \(column.batch) AND ordinal = \(column.ordinal)
                    AND run = \(Int32(number))
                ORDER BY first_hash
                """)
        }
        guard !pages.isEmpty else { return nil }
        var index = PrimaryKeyIndex()
        index.reserveCapacity(pages.count * PrimaryKeyPage.rowsInPage)
        for page in pages { try index.append(page: try page.value("bytes", as: PostgresBytes.self).bytes) }
        recent.note(index, of: column, part: number, in: appID)
        return index
    }

    /// All runs, where the process has read them before.
    func knownRuns(_ count: Int) -> [PrimaryKeyIndex]? {
        var runs: [PrimaryKeyIndex] = []
        for number in 0..<count {
            guard let run = recent[column, part: number, in: appID] else { return nil }
            runs.append(run)
        }
        return runs
    }

    /// Takes the first runs from the index of another column, which has the same rows in them.
    ///
    /// - Returns: false where that has not all of them.
    func copy(runs count: Int, from other: PrimaryKeyPages) throws -> Bool {
        guard count > 0 else { return true }
        return try pool.transaction(isLong: true) { connection in
            let found = try connection.query(
                """
                SELECT count(DISTINCT run) AS runs FROM primary_key_page
                WHERE app_id = \(appID) AND batch_id = \(other.column.batch) AND ordinal = \(other.column.ordinal)
                    AND run < \(Int32(count))
                """)
            guard try found.first?.value("runs", as: Int.self) == count else { return false }
            try connection.execute(
                """
                INSERT INTO primary_key_page (app_id, batch_id, ordinal, run, first_hash, bytes)
                SELECT app_id, \(column.batch), \(column.ordinal), run, first_hash, bytes FROM primary_key_page
                WHERE app_id = \(appID) AND batch_id = \(other.column.batch) AND ordinal = \(other.column.ordinal)
                    AND run < \(Int32(count))
                ON CONFLICT DO NOTHING
                """)
            return true
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

extension [(firstHash: Int, bytes: [UInt8])] {
    /// The bytes of the last page that counts from a hash or one before it; pages ascend.
    fileprivate func last(atMost hash: Int) -> [UInt8]? {
        self[..<partitioningIndex { $0.firstHash > hash }].last?.bytes
    }
}
