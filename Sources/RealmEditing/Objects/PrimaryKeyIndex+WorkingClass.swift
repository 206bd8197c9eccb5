import Columns
import RealmModel

extension PrimaryKeyIndex {
    /// The rows of a class as it is now, numbered through all row groups; deleted ones are left out.
    ///
    /// - Parameter groupCount: how many row groups, from the first; nil for all.
    init(of stored: WorkingClass, _ column: WorkingColumn, groupCount: Int? = nil) throws {
        self.init()
        let groups = try stored.groups()
        reserveCapacity(stored.objectCount)
        var first = 0
        for (number, group) in groups.prefix(groupCount ?? groups.count).enumerated() {
            let array = try stored.array(column, group: number)
            if column.type.mayBePrimaryKey {
                try array.forEachPrimaryKeyHash { row, hash in
                    if !group.isDeleted(row) { append(hash, row: first + row) }
                }
            } else {
                for row in 0..<array.count where !group.isDeleted(row) {
                    let value = try array.value(at: row, as: column.type)
                    // For a list, which may be the key of a class that has hardly any use for it, the entries would count.
                    if case .list(let elements) = value, elements.isEmpty { continue }
                    append(PrimaryKeyHash(ofAny: value), row: first + row)
                }
            }
            first += group.rowCount
        }
        sort()
    }
}

extension PrimaryKeyHash {
    /// The hash of any value, of those that no primary key can have one of this process alone.
    init(ofAny value: Value) {
        self = PrimaryKeyHash(value) ?? PrimaryKeyHash(bits: UInt32(truncatingIfNeeded: value.hashValue))
    }
}

extension ColumnType {
    /// Whether primary keys may be of the type; migrations meet others on their way.
    fileprivate var mayBePrimaryKey: Bool {
        collection == .none && [.int, .string, .objectId, .uuid].contains(element)
    }
}
