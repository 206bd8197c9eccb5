import Columns
import RealmModel

extension MigrationTransaction {
    /// What `enumerateObjects` visits.
    public struct Enumeration {
        /// The class's index in `oldSchema`, where it has old objects.
        public let oldClass: Int?
        /// The class's index in `newSchema`, where it has new objects.
        public let newClass: Int?
        /// Row groups to visit in order; `batch` gives the keys of each.
        public let batchCount: Int
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
        let oldIndex = index(of: className, side: .old)
        let newIndex = index(of: className, side: .new)
        let visited: WorkingClass
        if let oldClass = oldIndex.flatMap({ workingClass($0, side: .old) }) {
            let hasNew = newIndex.flatMap { workingClass($0, side: .new) }.map { $0.objectCount > 0 } ?? true
            guard oldClass.objectCount > 0, newIndex == nil || hasNew else { return nil }
            visited = oldClass
        } else if let newClass = newIndex.flatMap({ workingClass($0, side: .new) }), newClass.objectCount > 0 {
            visited = newClass
        } else {
            return nil
        }
        let rowCounts = try visited.groups().map(\.rowCount)
        return Enumeration(
            oldClass: oldIndex, newClass: newIndex, batchCount: rowCounts.count, objectCount: visited.objectCount,
            rowCounts: rowCounts)
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
        let side: MigrationSide = enumeration.oldClass == nil ? .new : .old
        guard let classIndex = enumeration.oldClass ?? enumeration.newClass,
            let visited = workingClass(classIndex, side: side)
        else { return Batch(keys: [], rows: [], rowGroup: nil, rowCount: 0) }
        let groups = try visited.groups()
        guard groups.indices.contains(index) else { return Batch(keys: [], rows: [], rowGroup: nil, rowCount: 0) }
        let keys = try visited.keys(inGroup: index)
        let counterparts = counterparts(of: enumeration)
        let rows = try (0..<min(keys.count, enumeration.rowCounts[index])).filter {
            try !groups[index].isDeleted($0) && (counterparts == nil || counterparts?.position(of: keys[$0]) != nil)
        }
        return Batch(
            keys: rows.map { keys[$0] }, rows: rows,
            rowGroup: try sharesRows(enumeration, group: index, of: groups[index]) ? index : nil,
            rowCount: groups[index].rowCount)
    }

    /// The new objects of an enumeration's old ones, where some may be gone; nil where all are there.
    private func counterparts(of enumeration: Enumeration) -> WorkingClass? {
        guard enumeration.oldClass != nil, let newIndex = enumeration.newClass,
            let stored = workingClass(newIndex, side: .new), stored.deletionCount > 0
        else { return nil }
        return stored
    }

    /// Whether the new side still has a row group of the old side as it was, so that rows have the same places.
    private func sharesRows(_ enumeration: Enumeration, group: Int, of visited: WorkingGroup) throws -> Bool {
        guard let newIndex = enumeration.newClass, let stored = workingClass(newIndex, side: .new) else {
            return enumeration.newClass == nil
        }
        let groups = try stored.groups()
        guard groups.indices.contains(group) else { return false }
        return groups[group].firstKey == visited.firstKey
            && (enumeration.oldClass == nil || groups[group].rowCount == visited.rowCount)
    }

    /// All keys of a class on one side, ascending, in runs of a row group at most.
    public func keys(of classIndex: Int, side: MigrationSide, visit: ([Int64]) throws -> Void) throws {
        guard let stored = workingClass(classIndex, side: side) else { return }
        var run: [Int64] = []
        try stored.forEachObjectInKeyOrder { _, key in
            run.append(key)
            if run.count == RowGroupLimits.standard.rows {
                try visit(run)
                run.removeAll(keepingCapacity: true)
            }
        }
        if !run.isEmpty { try visit(run) }
    }

    /// The number of runs in which `keys(inRun:of:side:)` gives the keys of a class.
    public func keyRunCount(of classIndex: Int, side: MigrationSide) throws -> Int {
        try workingClass(classIndex, side: side)?.groups().count ?? 0
    }

    /// The keys of the objects of one run, ascending; runs ascend too where no key was given to a later object.
    ///
    /// - Parameter run: 0 up to `keyRunCount`; deleting leaves runs shorter, creating makes the last longer or adds one.
    public func keys(inRun run: Int, of classIndex: Int, side: MigrationSide) throws -> [Int64] {
        guard let stored = workingClass(classIndex, side: side) else { return [] }
        let group = try stored.groups()[run]
        return try stored.keys(inGroup: run).enumerated().filter { !group.isDeleted($0.offset) }.map(\.element)
    }

    /// The rows of a row group now, those of deleted objects included; 0 where there is no such group.
    public func rowCount(ofGroup rowGroup: Int, of classIndex: Int, side: MigrationSide) throws -> Int {
        guard let groups = try workingClass(classIndex, side: side)?.groups(), groups.indices.contains(rowGroup) else {
            return 0
        }
        return groups[rowGroup].rowCount
    }

    /// The rows where the objects of one run stand in the row group of the run's number, in the order of their keys.
    public func rows(inRun run: Int, of classIndex: Int, side: MigrationSide) throws -> [Int] {
        guard let stored = workingClass(classIndex, side: side) else { return [] }
        let group = try stored.groups()[run]
        return (0..<group.rowCount).filter { !group.isDeleted($0) }
    }

    /// The number of objects of a class on one side now.
    public func objectCount(of classIndex: Int, side: MigrationSide) -> Int {
        workingClass(classIndex, side: side)?.objectCount ?? 0
    }
}
