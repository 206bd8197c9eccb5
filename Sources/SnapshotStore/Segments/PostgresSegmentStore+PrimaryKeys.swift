import Columns
import Postgres
import RealmModel

/// A column's primary keys that were read ahead of the look-ups.
enum PrimaryKeysAhead {
    /// The rows of those keys that were announced, by their hashes.
    case rows([PrimaryKeyHash: [Int]])
    /// The whole index.
    case runs([PrimaryKeyIndex])

    /// The rows that may have a key; nil where it was not announced.
    func rows(of hash: PrimaryKeyHash) -> [Int]? {
        switch self {
        case .rows(let rows): return rows[hash]
        case .runs(let runs):
            var rows: [Int] = []
            for (number, run) in runs.enumerated() {
                for row in run.rows(of: hash) { rows.append(number * PrimaryKeyPage.rowsInRun + row) }
            }
            return rows
        }
    }
}

extension PostgresSegmentStore {
    /// Fewer look-ups than these are made one by one.
    private static let lookupsAhead = 8
    /// The whole index is read for one look-up in so many of its pages; of no more runs than these: 8 MiB each.
    private static let wholeIndex = (pagesPerLookup: 8, runs: 4)

    /// The rows that may have a primary key, by an index that the first look-up makes; that of a reader has it made in the background.
    ///
    /// - Returns: nil where the class has a single row group, which is read as quickly; where the column is not committed;
    ///   and where there is no index yet.
    public func rows(withPrimaryKey value: Value, of reader: ClassReader, property: Int) throws -> [Int]? {
        guard reader.storedGroupCount > 1, case .segments(let column) = reader.stored.columns[property],
            column.batch != batch, let hash = PrimaryKeyHash(value)
        else { return nil }
        if let rows = lookedUp[column]?.rows(of: hash) { return rows }
        let pages = PrimaryKeyPages(of: column, in: self)
        let runs = PrimaryKeyPage.runCount(forRows: reader.storedRowCount)
        if let known = pages.knownRuns(runs) { return PrimaryKeysAhead.runs(known).rows(of: hash) }
        if let rows = try pages.rows(of: hash, runs: runs) { return rows }
        if owner == .reader {
            makeIndexInBackground(of: reader.stored)
            return nil
        }
        guard try snapshots.indexing.ifFree({ try makeIndex(of: property, reader, pages) }) else { return nil }
        return try pages.rows(of: hash, runs: runs)
    }

    /// Whoever looks at one object waits for the primary keys to be read, and not for an index of them, which takes ten times as long.
    private func makeIndexInBackground(of stored: StoredClass) {
        snapshots.indexing.inBackgroundIfFree { [snapshots, appID, realmID] in
            let store = PostgresSegmentStore(snapshots, appID: appID, realmID: realmID)
            // Where it fails, the next look-up tries again.
            try? store.makeIndexIfMissing(of: stored)
        }
    }

    /// Looks up what is going to be asked for, by one question.
    public func willLookUp(primaryKeys: [Value], of reader: ClassReader, property: Int) throws {
        guard primaryKeys.count >= Self.lookupsAhead, reader.storedGroupCount > 1,
            case .segments(let column) = reader.stored.columns[property], column.batch != batch
        else { return }
        let pages = PrimaryKeyPages(of: column, in: self)
        let rowCount = reader.storedRowCount
        if let found = try lookUp(primaryKeys, pages, rowCount: rowCount) {
            lookedUp[column] = found
        } else if try snapshots.indexing.ifFree({ try makeIndex(of: property, reader, pages) }) {
            lookedUp[column] = try lookUp(primaryKeys, pages, rowCount: rowCount)
        }
    }

    private func lookUp(_ primaryKeys: [Value], _ pages: PrimaryKeyPages, rowCount: Int) throws -> PrimaryKeysAhead? {
        let runs = PrimaryKeyPage.runCount(forRows: rowCount)
        if let known = pages.knownRuns(runs) { return .runs(known) }
        let pageCount = rowCount / PrimaryKeyPage.rowsInPage
        guard runs <= Self.wholeIndex.runs, primaryKeys.count * Self.wholeIndex.pagesPerLookup >= pageCount else {
            return try pages.rows(of: primaryKeys.compactMap { PrimaryKeyHash($0) }, runs: runs).map { .rows($0) }
        }
        var read: [PrimaryKeyIndex] = []
        for number in 0..<runs {
            guard let run = try pages.run(number) else { return nil }
            read.append(run)
        }
        return .runs(read)
    }

    private func makeIndex(
        of property: Int, _ reader: ClassReader, _ pages: PrimaryKeyPages,
        _ begun: PrimaryKeyIndexWriter = PrimaryKeyIndexWriter(), fromGroup first: Int = 0
    ) throws {
        var writer = begun
        for group in first..<reader.storedGroupCount {
            try reader.willRead(keys: false, [property], inGroup: group)
            try writer.append(try reader.storedColumn(property, inGroup: group), pages.write)
        }
        try writer.finish(pages.write)
    }

    /// Makes the index of a class's primary keys, where there is none, before anybody looks one up.
    public func makeIndex(of stored: StoredClass) throws {
        _ = try snapshots.indexing.ifFree { try makeIndexIfMissing(of: stored) }
    }

    private func makeIndexIfMissing(of stored: StoredClass) throws {
        guard let name = stored.schema.primaryKey,
            let property = stored.schema.index(ofProperty: name),
            case .segments(let column) = stored.columns[property]
        else { return }
        let reader = try ClassReader(stored, store: self)
        guard reader.storedGroupCount > 1 else { return }
        let pages = PrimaryKeyPages(of: column, in: self)
        let runs = PrimaryKeyPage.runCount(forRows: reader.storedRowCount)
        guard try (0..<runs).contains(where: { try pages.run($0) == nil }) else { return }
        try makeIndex(of: property, reader, pages)
    }

    /// Makes the index of a class's primary keys before anybody looks one up, and takes from the index of the class as it was
    /// what is the same in both.
    ///
    /// Called when what was written is in the database.
    func makeIndex(of target: StoredClass, after source: StoredClass) throws {
        guard let name = target.schema.primaryKey,
            let property = target.schema.index(ofProperty: name),
            let before = source.schema.index(ofProperty: name),
            case .segments(let column) = target.columns[property], target.columns[property] != source.columns[before]
        else { return }
        let reader = try ClassReader(target, store: self)
        guard reader.storedGroupCount > 1 else { return }
        let pages = PrimaryKeyPages(of: column, in: self)
        if case .segments(let old) = source.columns[before] {
            let others = PrimaryKeyPages(of: old, in: self)
            let same = zip(try read(column: column), try read(column: old)).prefix { $0 == $1 }.map(\.0.rowCount)
            let rowCount = same.reduce(0, +)
            let fullRuns = rowCount / PrimaryKeyPage.rowsInRun
            let last = try rowCount > fullRuns * PrimaryKeyPage.rowsInRun ? others.run(fullRuns) : nil
            if let begun = PrimaryKeyIndexWriter(after: rowCount, of: last),
                try pages.copy(runs: fullRuns, from: others)
            {
                return try makeIndex(of: property, reader, pages, begun, fromGroup: same.count)
            }
        }
        try makeIndex(of: property, reader, pages)
    }
}
