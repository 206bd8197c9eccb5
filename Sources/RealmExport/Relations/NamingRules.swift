import RealmModel

/// What a database takes for two names, and which it keeps for itself.
struct NamingRules: Sendable {
    /// Whether names that differ by the case of ASCII letters alone are one.
    let foldsCase: Bool
    /// The most bytes of a name; of a longer one the database would drop the end.
    let byteLimit: Int
    /// Names of tables that begin so are the database's own.
    let reservedTablePrefix: String?
    /// Names that no column may have.
    let reservedColumns: [String]

    /// SQLite: names are as long as one likes; letters of ASCII alone are folded.
    static let sqlite = NamingRules(
        foldsCase: true, byteLimit: 1 << 20, reservedTablePrefix: "sqlite_", reservedColumns: [])
    /// PostgreSQL: what is longer than 63 bytes it cuts off.
    static let postgres = NamingRules(
        foldsCase: false, byteLimit: 63, reservedTablePrefix: nil,
        reservedColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])
    /// Columns of a file of columns, which every byte tells apart.
    static let columns = NamingRules(
        foldsCase: false, byteLimit: 1 << 20, reservedTablePrefix: nil, reservedColumns: [])
    static let files = NamingRules(foldsCase: true, byteLimit: 200, reservedTablePrefix: nil, reservedColumns: [])
}

/// The names that are taken in one room: the tables of a database, the columns of a table.
struct NameRoom {
    private let rules: NamingRules
    private let prefix: String?
    private var taken: Set<NameKey> = []

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
        var name = String(wanted.unicodeScalars.map { $0 == "\0" ? "\u{fffd}" : Character($0) })
        if name.isEmpty { name = "_" }
        if let prefix, folded(name).hasPrefix(prefix) { name = "_" + name }
        var candidate = name.cut(toBytes: rules.byteLimit)
        var number = 1
        while !taken.insert(name: folded(candidate)) {
            number += 1
            let ending = "_\(number)"
            candidate = name.cut(toBytes: rules.byteLimit - ending.utf8.count) + ending
        }
        return candidate
    }

    private func folded(_ name: String) -> String {
        guard rules.foldsCase else { return name }
        return String(decoding: name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension String {
    /// As much of the beginning as so many bytes of UTF-8 hold.
    fileprivate func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = unicodeScalars.startIndex
        for index in unicodeScalars.indices {
            let next = unicodeScalars.index(after: index)
            guard self[..<next].utf8.count <= limit else { break }
            end = next
        }
        return String(self[..<end])
    }
}
