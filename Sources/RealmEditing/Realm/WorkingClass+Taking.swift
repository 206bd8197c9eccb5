import Columns
import RealmModel

/// Row groups that another editor of the same class has changed, taken over as they are stored.
extension WorkingClass {
    /// Whether any cell or row is not what the source has.
    package var isModified: Bool { groupsModified || columns.contains(where: \.isModified) }

    /// Takes the cells of some row groups from another state of this class, in this class's store.
    ///
    /// - Parameters:
    ///   - other: the class with other cells in these row groups, and nothing else changed.
    ///   - taken: the row groups; where there are none, the class has to be what it is here.
    /// - Returns: false where the other class differs in more.
    package func take(_ other: StoredClass, groups taken: Range<Int>) throws -> Bool {
        guard other.schema == schema, other.rowGroups == source.rowGroups, other.keys == source.keys,
            other.objectCount == objectCount, other.nextSequence == nextSequence, other.patches == source.patches
        else { return false }
        for (column, made) in zip(columns, other.columns) where made != column.source {
            guard !taken.isEmpty, case .segments(let id) = made else { return false }
            let segments = try context.store.read(column: id)
            guard try segments.count == groups().count else { return false }
            for group in taken {
                try countingUnsynced(column, inGroup: group) {
                    try column.take(segments[group], group: group, in: try groups())
                }
            }
        }
        return true
    }
}
