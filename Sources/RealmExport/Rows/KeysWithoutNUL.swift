import RealmModel

/// The primary keys of a class, as far as U+FFFD may stand in them for U+0000, which PostgreSQL has not.
///
/// Few keys have such a character, and others can't become one. Holds a hash of each.
struct KeysWithoutNUL {
    /// Keys with such a character that are held, at most.
    let limit: Int
    private var seen: Set<Int> = []

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Whether there are so many that further ones can't be told from each other.
    var areTooMany: Bool { seen.count > limit }

    /// Takes the next keys.
    ///
    /// - Parameter rows: of live objects.
    /// - Returns: the first row with a key that another object has, too; nil where there is none.
    mutating func take(_ keys: CellColumn, rows: [Int]) -> Int? {
        guard case .text(let offsets, let bytes) = keys.cells, bytes.contains(Self.mark[0]) else { return nil }
        return rows.first { row in
            let key = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            guard !keys.isNull(row), key.contains(Self.mark[0]), key.contains(Self.mark) else { return false }
            guard !areTooMany else { return false }
            return !seen.insert(Array(key).hashValue).inserted
        }
    }

    private static let mark = Array("\u{fffd}".utf8)
}

/// A mixed value in which two keys of a dictionary are one in the format.
struct EqualKeys: Error {
    /// The row of the value.
    let row: Int
}

extension CellColumn {
    /// Whether two texts of a run are the same.
    func holdsEqualTexts(in run: Range<Int>) -> Bool {
        guard case .text(let offsets, let bytes) = cells else { return false }
        return Set(run.map { bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])] }).count < run.count
    }
}

extension Value {
    /// Whether a dictionary in a mixed value has keys that are one with U+FFFD in the place of U+0000.
    var holdsEqualKeysWithoutNUL: Bool {
        switch self {
        case .list(let elements): elements.contains(where: \.holdsEqualKeysWithoutNUL)
        case .dictionary(let entries):
            Set(entries.map { NameKey($0.key.withoutNUL) }).count < entries.count
                || entries.contains(where: \.value.holdsEqualKeysWithoutNUL)
        default: false
        }
    }
}

extension InputError {
    /// So many primary keys with U+0000 or U+FFFD in them that nobody can tell whether PostgreSQL would have two of them as one.
    static func tooManyReplacedKeys(_ limit: Int, of className: String, _ property: String) -> InputError {
        InputError(
            .notInFormat,
            ProblemItem(
                "More than \(limit) primary keys have U+0000 or U+FFFD in them (property '\(className).\(property)'), "
                    + "too many to tell whether two of them become one in PostgreSQL, which has no U+0000.",
                className: className, property: property,
                hint: "Export to SQLite, CSV or Parquet, which have U+0000."))
    }

    /// Keys that PostgreSQL would have as one.
    ///
    /// - Parameters:
    ///   - what: the keys, as the subject of a sentence.
    ///   - key: of the object that has them, or the second of them.
    static func equalKeys(
        _ what: String, of className: String, _ property: String, key: ObjectKey
    ) -> InputError {
        let message =
            "PostgreSQL has no U+0000, and with U+FFFD in its place \(what) are the same (property "
            + "'\(className).\(property)', object with the key \(key.value))."
        return InputError(
            .notInFormat,
            ProblemItem(
                message, className: className, property: property, key: key,
                hint: "Change one of the keys, or export to SQLite, CSV or Parquet, which have U+0000."))
    }
}
