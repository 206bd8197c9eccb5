import Columns
import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// The objects that `enumerateObjects` visits.
    public struct Enumeration {
        /// The class's index in `oldSchema`, where it has old objects.
        public let oldClass: Int?
        /// The class's index in `newSchema`, where it has new objects.
        public let newClass: Int?
        /// Row groups to visit in order; `batch` gives the keys of each.
        public let batches: Range<Int>
        /// The objects of the row groups before those.
        public let objectsBefore: Int
        /// All objects, for progress.
        public let objectCount: Int
        /// The rows of each batch when the enumeration began: what is created meanwhile is not visited.
        let rowCounts: [Int]
    }

    /// The objects that `enumerateObjects` visits for a class, by Realm's rules (REALM_SEMANTICS, section 1.3).
    ///
    /// A class in both schemas gives its old objects in order of their keys, each with the new object of its key; a
    /// class only in the new schema its objects now; one only in the old schema its old objects. Pairs whose new
    /// object was deleted meanwhile are for the caller to skip, by `isValid`, when their turn comes.
    ///
    /// - Returns: nil where nothing is to be visited.
    /// - Throws: what the store throws; an unknown class is nothing to visit, as in Realm.
    public func enumeration(of className: String) throws -> Enumeration? {
        let className = newName(of: className) ?? className
        let oldIndex = old.index(of: className)
        let newIndex = new.index(of: className)
        if oldIndex != nil || newIndex != nil { try requireIndependent(className) }
        let visited: WorkingClass
        if let oldClass = oldIndex.flatMap({ old.workingClass($0) }) {
            let hasNew = newIndex.flatMap { new.workingClass($0) }.map { $0.objectCount > 0 } ?? true
            guard oldClass.objectCount > 0, newIndex == nil || hasNew else { return nil }
            visited = oldClass
        } else if let newClass = newIndex.flatMap({ new.workingClass($0) }), newClass.objectCount > 0 {
            visited = newClass
        } else {
            return nil
        }
        let groups = try visited.groups()
        let batches = (share ?? .whole).rowGroups(of: groups.count)
        return Enumeration(
            oldClass: oldIndex, newClass: newIndex, batches: batches,
            objectsBefore: groups[..<batches.lowerBound].reduce(0) { $0 + $1.objectCount },
            objectCount: visited.objectCount, rowCounts: groups.map(\.rowCount))
    }

    /// One row group of an enumeration.
    public struct Batch {
        /// The object keys, ascending; those of objects that are deleted by now are left out.
        public let keys: [Int64]
        /// The row of each key in its row group.
        public let rows: [Int]
        /// The row group's number for `column` and `replaceColumn`.
        ///
        /// The same on both sides; nil where the new side has not these rows any more.
        public let rowGroup: Int?
        /// The rows of the row group, those of deleted objects included.
        public let rowCount: Int
    }

    /// The objects of one row group of an enumeration.
    public func batch(_ index: Int, of enumeration: Enumeration) throws -> Batch {
        let side: RealmSide = enumeration.oldClass == nil ? .new : .old
        guard let classIndex = enumeration.oldClass ?? enumeration.newClass,
            let visited = view(side).workingClass(classIndex)
        else { return Batch(keys: [], rows: [], rowGroup: nil, rowCount: 0) }
        let groups = try visited.groups()
        guard groups.indices.contains(index) else { return Batch(keys: [], rows: [], rowGroup: nil, rowCount: 0) }
        let keys = try visited.keys(inGroup: index)
        let counterparts = counterparts(of: enumeration)
        let className = view(side).schema.classes[classIndex].name
        let rows = try (0..<min(keys.count, enumeration.rowCounts[index])).filter {
            try !groups[index].isDeleted($0) && visits(keys[$0], of: className)
                && (counterparts == nil || counterparts?.position(of: keys[$0]) != nil)
        }
        return Batch(
            keys: rows.map { keys[$0] }, rows: rows,
            rowGroup: try sharesRows(enumeration, group: index, of: groups[index]) ? index : nil,
            rowCount: groups[index].rowCount)
    }

    /// The new objects of an enumeration's old ones, where some may be gone; nil where all are there.
    private func counterparts(of enumeration: Enumeration) -> WorkingClass? {
        guard enumeration.oldClass != nil, let newIndex = enumeration.newClass,
            let stored = new.workingClass(newIndex), stored.deletionCount > 0
        else { return nil }
        return stored
    }

    /// Whether the new side still has a row group of the old side as it was, so that rows have the same places.
    private func sharesRows(_ enumeration: Enumeration, group: Int, of visited: WorkingGroup) throws -> Bool {
        guard let newIndex = enumeration.newClass, let stored = new.workingClass(newIndex) else {
            return enumeration.newClass == nil
        }
        let groups = try stored.groups()
        guard groups.indices.contains(group) else { return false }
        // In a retry the new side is another snapshot.
        return !isRetry && groups[group].firstKey == visited.firstKey
            && (enumeration.oldClass == nil || groups[group].rowCount == visited.rowCount)
    }
}
