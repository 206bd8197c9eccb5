import Columns
import RealmModel

/// Compares a SQLite database with the realm that it is said to be an export of, value by value.
///
/// The realm is exported once more, as the database says it was, and SQLite compares the two. Embedded objects are found by their
/// owners: their keys are no values, and Realm JSON has none of them.
public struct SQLiteVerification {
    private let database: SQLiteDatabase
    private let schema: RelationalSchema
    private let keys: EmbeddedKeys

    /// Prepares to compare.
    ///
    /// - Parameters:
    ///   - path: of the database, which is only read.
    ///   - makeFile: makes an empty file and names it, for the export that it is compared with; it is gone in the end.
    /// - Throws: `ExportError.noExport` where the file is no export, and as `SQLiteWriter.next`.
    public init(
        of path: String, against snapshot: Snapshot, from store: any SegmentStore, makeFile: () throws -> String
    ) throws {
        let (options, given) = try SQLiteDatabase.head(ofExport: path)
        var ordered = snapshot
        ordered.declared = snapshot.declared.ordered(as: given)
        let realm = try SQLiteRealm(ordered, store: store, options, try SQLiteDatabase(path: try makeFile()))
        try realm.begin()
        for number in 0..<realm.classCount {
            var group = 0
            while try realm.write(group, ofClass: number) { group += 1 }
        }
        database = try realm.finish()
        schema = realm.schema
        try database.attach(path, as: "given")
        keys = try EmbeddedKeys(schema, database)
    }

    /// Everything that differs, table by table; empty where nothing does.
    ///
    /// - Throws: `ExportError`.
    public func differences() throws(ExportError) -> [ExportDifference] {
        var found: [ExportDifference] = []
        for (table, key) in [(schema.manifestTable, ["class"]), (schema.optionsTable, ["name"])] {
            found += try differences(in: table, key: key)
        }
        for relation in schema.classes {
            let links = keys.tables(of: relation)
            found += try differences(in: relation.table, key: [relation.key.name], links)
            for collection in relation.collections {
                let links = keys.tables(of: collection, in: relation)
                if let place = collection.place {
                    found += try differences(in: collection.table, key: [collection.owner, place], links)
                } else {
                    found += try differencesWithoutKey(in: collection.table, links)
                }
            }
        }
        return found + (try extras())
    }

    /// The tables and columns that the realm has not, and another version of the schema in the file's head.
    private func extras() throws(ExportError) -> [ExportDifference] {
        func extra(_ table: String, _ column: String? = nil) -> ExportDifference {
            ExportDifference(kind: .extra, table: table, column: column, count: nil)
        }
        var found: [ExportDifference] = []
        let known = try database.tables(in: "main")
        for table in try database.tables(in: "given") {
            guard known.contains(where: { $0.hasSameBytes(as: table) }) else {
                found.append(extra(table))
                continue
            }
            let columns = try database.columns(of: table, in: "main")
            for column in try database.columns(of: table, in: "given")
            where !columns.contains(where: { $0.hasSameBytes(as: column) }) {
                found.append(extra(table, column))
            }
        }
        if try database.userVersion(in: "main") != database.userVersion(in: "given") {
            found.append(ExportDifference(kind: .changed, table: "PRAGMA user_version", column: nil, count: 1))
        }
        return found
    }

    /// - Parameter links: the columns with keys of embedded objects, and where those stand.
    private func differences(
        in table: String, key: [String], _ links: [NameKey: String] = [:]
    ) throws(ExportError) -> [ExportDifference] {
        let columns = try database.columns(of: table, in: "main")
        let (absent, present) = try columnsOfBoth(table, columns)
        guard let present, key.allSatisfy({ name in present.contains { $0.hasSameBytes(as: name) } }) else {
            return absent
        }
        let match = key.map { EmbeddedKeys.match($0, links[NameKey($0)]) }.joined(separator: " AND ")
        let missing = try rows("main a", without: "given b", table, match)
        let back = key.map { EmbeddedKeys.matchBack($0, links[NameKey($0)]) }.joined(separator: " AND ")
        let added = try rows("given b", without: "main a", table, back)
        let others = present.filter { name in !key.contains { $0.hasSameBytes(as: name) } }
        var found = absent + count(missing, .missing, table) + count(added, .added, table)
        guard !others.isEmpty else { return found }
        let sums = others.map {
            "total(NOT (\(EmbeddedKeys.match($0, links[NameKey($0)]))) OR typeof(a.\($0.quoted)) IS NOT typeof(b.\($0.quoted)))"
        }
        let query = try database.prepare(
            "SELECT \(sums.joined(separator: ", ")) FROM main.\(table.quoted) a "
                + "JOIN given.\(table.quoted) b ON \(match)")
        _ = try query.step()
        for (index, name) in others.enumerated() {
            let changed = Int(query.integer(Int32(index)))
            if changed > 0 {
                found.append(ExportDifference(kind: .changed, table: table, column: name, count: changed))
            }
        }
        return found
    }

    /// Compares the rows of a set's table, where equal ones may be there more than once.
    private func differencesWithoutKey(
        in table: String, _ links: [NameKey: String]
    ) throws(ExportError) -> [ExportDifference] {
        let columns = try database.columns(of: table, in: "main")
        let (absent, present) = try columnsOfBoth(table, columns)
        guard let present, present.count == columns.count else { return absent }
        func groups(_ one: String, _ other: String) throws(ExportError) -> Int {
            let counted = [one, other].map { place in
                let names = present.map { name in
                    let value = place == "main" ? EmbeddedKeys.given(name.quoted, links[NameKey(name)]) : name.quoted
                    return "\(value), typeof(\(name.quoted))"
                }.joined(separator: ", ")
                return "SELECT \(names), count(*) FROM \(place).\(table.quoted) GROUP BY \(names)"
            }
            let query = try database.prepare("SELECT count(*) FROM (\(counted[0]) EXCEPT \(counted[1]))")
            return try query.step() ? Int(query.integer(0)) : 0
        }
        return count(try groups("main", "given"), .missing, table) + count(try groups("given", "main"), .added, table)
    }

    private func columnsOfBoth(
        _ table: String, _ columns: [String]
    ) throws(ExportError) -> (absent: [ExportDifference], present: [String]?) {
        let given = try database.columns(of: table, in: "given")
        guard !given.isEmpty else {
            return ([ExportDifference(kind: .absent, table: table, column: nil, count: nil)], nil)
        }
        let present = columns.filter { name in given.contains { $0.hasSameBytes(as: name) } }
        let absent = columns.filter { name in !given.contains { $0.hasSameBytes(as: name) } }
        return (absent.map { ExportDifference(kind: .absent, table: table, column: $0, count: nil) }, present)
    }

    private func rows(
        _ one: String, without other: String, _ table: String, _ match: String
    ) throws(ExportError) -> Int {
        let query = try database.prepare(
            "SELECT count(*) FROM \(Self.place(one, table)) "
                + "WHERE NOT EXISTS (SELECT 1 FROM \(Self.place(other, table)) WHERE \(match))")
        return try query.step() ? Int(query.integer(0)) : 0
    }

    /// A table by the database that has it and its name in the query.
    private static func place(_ database: String, _ table: String) -> String {
        let words = database.split(separator: " ")
        return "\(words[0]).\(table.quoted) \(words[1])"
    }

    private func count(_ rows: Int, _ kind: ExportDifference.Kind, _ table: String) -> [ExportDifference] {
        rows > 0 ? [ExportDifference(kind: kind, table: table, column: nil, count: rows)] : []
    }
}
