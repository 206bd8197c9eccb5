import Columns
import RealmModel

/// Finds the objects of a class by primary key while they change: by the store's index of the column as it was where there
/// is one, else by one in memory, and by what was noted since.
final class PrimaryKeyLookup {
    private let stored: WorkingClass
    private let column: WorkingColumn
    /// Whether nothing had changed the column when the lookup was made: all that did so since was noted.
    private let knowsChanges: Bool
    /// The column as it was when it was made, which is where the store has none.
    private var index: (rows: PrimaryKeyIndex, starts: [Int])?
    /// The column as it was among the properties of the class as it was, and the first rows of its row groups, which never move.
    private lazy var place = stored.place(inSourceOf: column)
    private lazy var starts = Result { try stored.firstRows() }
    /// Objects that were created or changed since, by the hash of their key.
    private var noted: [PrimaryKeyHash: [Int64]] = [:]
    /// Objects that were created many at once, their rows by the hash of their key.
    private var notedMany: [(rows: PrimaryKeyIndex, keys: [Int64])] = []

    init(_ stored: WorkingClass, _ column: WorkingColumn) {
        self.stored = stored
        self.column = column
        knowsChanges = !column.isModified
    }

    /// Hears that objects are going to be looked up.
    func willLookUp(_ values: [Value]) throws {
        guard index == nil, knowsChanges else { return }
        try stored.willLookUp(values, in: place)
    }

    /// Notes the primary key of an object that was created or changed.
    func note(_ value: Value, of key: Int64) {
        noted[PrimaryKeyHash(ofAny: value), default: []].append(key)
    }

    /// Notes the primary keys of objects that were created.
    func note(_ values: ColumnArray, of keys: [Int64]) throws {
        guard !keys.isEmpty else { return }
        notedMany.append((try PrimaryKeyIndex(of: values), keys))
    }

    /// The key of the first object that has a primary key now; nil where there is none.
    func firstKey(of value: Value) throws -> Int64? {
        var first: Int64?
        func consider(_ key: Int64) throws {
            guard key < first ?? .max, let position = try stored.position(of: key),
                try stored.value(column, at: position) == value
            else { return }
            first = key
        }
        for position in try candidates(for: value) { try consider(try stored.key(at: position)) }
        let hash = PrimaryKeyHash(ofAny: value)
        for key in noted[hash] ?? [] { try consider(key) }
        for (rows, keys) in notedMany {
            for row in rows.rows(of: hash) { try consider(keys[row]) }
        }
        return first
    }

    private func candidates(for value: Value) throws -> [RowPosition] {
        if index == nil, knowsChanges, let rows = try stored.rows(inStoreOf: value, in: place) {
            return try rows.isEmpty ? [] : positions(ofRows: rows)
        }
        let index = try self.index ?? makeIndex()
        self.index = index
        let found = index.rows.rows(of: PrimaryKeyHash(ofAny: value)).map {
            RowPosition(ofRow: $0, startsOfGroups: index.starts)
        }
        return try found + (knowsChanges ? positions(ofRows: try stored.rows(inPatchesOf: value)) : [])
    }

    private func positions(ofRows rows: [Int]) throws -> [RowPosition] {
        let starts = try starts.get()
        return rows.map { RowPosition(ofRow: $0, startsOfGroups: starts) }
    }

    /// Patches of the source have indexes of their own, which serve as long as nothing but what is noted changed.
    private func makeIndex() throws -> (rows: PrimaryKeyIndex, starts: [Int]) {
        let groupCount = try knowsChanges ? stored.storedGroupCount() : stored.groups().count
        return (try PrimaryKeyIndex(of: stored, column, groupCount: groupCount), try stored.firstRows())
    }
}

/// The look-ups by primary key of a realm's views, class by class.
final class PrimaryKeyLookups {
    private var lookups: [ObjectIdentifier: PrimaryKeyLookup] = [:]

    /// The look-up of a class; nil where nobody has looked anything up.
    subscript(stored: WorkingClass) -> PrimaryKeyLookup? { lookups[ObjectIdentifier(stored)] }

    /// The look-up of a class, which begins with nothing.
    func lookup(of stored: WorkingClass, by column: WorkingColumn) -> PrimaryKeyLookup {
        if let known = self[stored] { return known }
        let lookup = PrimaryKeyLookup(stored, column)
        lookups[ObjectIdentifier(stored)] = lookup
        return lookup
    }

    /// Forgets what is known of a class.
    func forget(_ stored: WorkingClass) { lookups[ObjectIdentifier(stored)] = nil }
}
