import RealmModel

/// A database's rules for names: which of them are two, and which it keeps for itself.
struct NamingRules: Sendable {
    /// Whether names that differ by the case of ASCII letters alone are one.
    let foldsCase: Bool
    /// The most columns of a table.
    var columnLimit = EmbeddedWidth.limit
    /// The most tables and indexes.
    var tableLimit = Int.max
    /// The most bytes of a name; of a longer one the database would drop the end.
    let byteLimit: Int
    /// Names of tables that begin so are the database's own.
    let reservedTablePrefix: String?
    /// Names that no column may have.
    let reservedColumns: [String]

    /// SQLite: names are as long as one likes; letters of ASCII alone are folded.
    ///
    /// It looks through all tables and indexes for each that it makes.
    static let sqlite = NamingRules(
        foldsCase: true, columnLimit: 2000, tableLimit: 8192, byteLimit: 1 << 20, reservedTablePrefix: "sqlite_",
        reservedColumns: [])
    /// PostgreSQL: what is longer than 63 bytes it cuts off; its own catalog is found before any table of a name in `pg_`.
    static let postgres = NamingRules(
        foldsCase: false, columnLimit: 1600, byteLimit: 63, reservedTablePrefix: "pg_",
        reservedColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])
    /// Columns of a file of columns, which every byte tells apart.
    static let columns = NamingRules(
        foldsCase: false, byteLimit: 1 << 20, reservedTablePrefix: nil, reservedColumns: [])
    /// Members of a document, of which `_id` is what identifies it; `NameRoom.take` is asked for no name that begins with `$`.
    static let documents = NamingRules(
        foldsCase: false, byteLimit: 1 << 20, reservedTablePrefix: nil, reservedColumns: ["_id"])
}

/// The names that are taken in one room: the tables of a database, the columns of a table.
struct NameRoom {
    private let rules: NamingRules
    private let prefix: String?
    private var taken: Set<NameKey> = []
    /// How many names are taken.
    var count: Int { taken.count }
    /// The number that a name was given last, so that many of one name are not counted through again and again.
    private var numbers: [NameKey: Int] = [:]

    /// A room for tables and indexes.
    init(tablesOf rules: NamingRules) {
        self.rules = rules
        prefix = rules.reservedTablePrefix
    }

    /// A room for the columns of a table.
    init(columnsOf rules: NamingRules) {
        self.rules = rules
        prefix = nil
        for name in rules.reservedColumns { _ = taken.insert(name: folded(name)) }
    }

    /// Takes the name that is wanted, or where it is taken the first of `name_2`, `name_3` … that is not.
    ///
    /// SQL has no name with a NUL in it and none without a character.
    mutating func take(_ wanted: String) -> String {
        var name = wanted.withoutNUL
        if name.isEmpty { name = "_" }
        if let prefix, folded(name).utf8.starts(with: prefix.utf8) { name = "_" + name }
        var candidate = name.cut(toBytes: rules.byteLimit)
        let first = NameKey(folded(candidate))
        var number = numbers[first] ?? 1
        while !taken.insert(name: folded(candidate)) {
            number += 1
            let ending = "_\(number)"
            candidate = name.cut(toBytes: rules.byteLimit - ending.utf8.count) + ending
        }
        numbers[first] = number
        return candidate
    }

    private func folded(_ name: String) -> String {
        guard rules.foldsCase else { return name }
        return String(decoding: name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension String {
    /// As much of the beginning as so many bytes of UTF-8 hold.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
