import RealmModel

/// The rows of a row group's objects, by key.
///
/// Links lead to objects in any order, so that a look at the keys is mostly one at memory that is not at hand: where keys were given
/// away one after the other, the row follows from the key alone.
struct KeyRows {
    private enum Layout {
        case consecutive
        /// Keys as Realm gives them to objects without primary key (REALM_FORMAT, 15): the second byte is zero, and the others count.
        case counted
        case searched
    }

    private let keys: [Int64]
    private let layout: Layout

    /// - Parameter keys: ascending, none twice.
    init(_ keys: [Int64]) {
        self.keys = keys
        if let first = keys.first, let last = keys.last, first >= 0, last - first == Int64(keys.count) - 1 {
            layout = .consecutive
        } else {
            layout = Self.areCounted(keys) ? .counted : .searched
        }
    }

    /// The row of a key; nil where no object has it.
    func row(of key: Int64) -> Int? {
        guard let first = keys.first, let last = keys.last, key >= first, key <= last else { return nil }
        return switch layout {
        case .consecutive: Int(key - first)
        case .counted: key & 0xff00 == 0 ? Int(Self.number(key) - Self.number(first)) : nil
        case .searched: keys.index(ofKey: key)
        }
    }

    /// The how-manieth key of its class it is.
    private static func number(_ key: Int64) -> Int64 { (key >> 16) << 8 | key & 0xff }

    private static func areCounted(_ keys: [Int64]) -> Bool {
        guard let first = keys.first, first >= 0 else { return false }
        return keys.indices.allSatisfy { keys[$0] & 0xff00 == 0 && number(keys[$0]) == number(first) + Int64($0) }
    }
}
