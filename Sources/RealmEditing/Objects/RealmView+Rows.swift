import Columns
import RealmModel

/// Objects by row groups and columns, for who goes through many of them.
extension RealmView {
    /// How large the row groups of created objects become.
    package var rowGroupLimits: RowGroupLimits { realm.context.limits }

    /// The number of objects of a class now.
    package func objectCount(of classIndex: Int) -> Int { workingClass(classIndex)?.objectCount ?? 0 }

    /// The row groups that a class had at first, with the first and the last key and the rows of each.
    ///
    /// Their rows stay what they are until all objects of the class are deleted at once: then there are none.
    package func sourceRowGroups(
        of classIndex: Int
    ) throws -> [(firstKey: Int64, lastKey: Int64, rowCount: Int)] {
        try workingClass(classIndex)?.sourceGroups().map { ($0.firstKey, $0.lastKey, $0.rowCount) } ?? []
    }

    /// The keys of all rows of a row group, those of deleted objects included, ascending.
    package func allKeys(ofGroup rowGroup: Int, of classIndex: Int) throws -> [Int64] {
        guard let stored = workingClass(classIndex), try stored.groups().indices.contains(rowGroup) else { return [] }
        return try stored.keys(inGroup: rowGroup)
    }

    /// The rows of a row group now, those of deleted objects included; 0 where there is no such group.
    package func rowCount(ofGroup rowGroup: Int, of classIndex: Int) throws -> Int {
        guard let groups = try workingClass(classIndex)?.groups(), groups.indices.contains(rowGroup) else { return 0 }
        return groups[rowGroup].rowCount
    }

    /// All keys of a class, ascending, in runs of a row group at most.
    package func keys(of classIndex: Int, visit: ([Int64]) throws -> Void) throws {
        guard let stored = workingClass(classIndex) else { return }
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

    /// The number of runs in which `keys(inRun:of:)` gives the keys of a class.
    package func keyRunCount(of classIndex: Int) throws -> Int { try workingClass(classIndex)?.groups().count ?? 0 }

    /// The keys of the objects of one run, ascending; runs ascend too where no key was given to a later object.
    ///
    /// - Parameter run: 0 up to `keyRunCount`; deleting leaves runs shorter, creating makes the last longer or adds one.
    package func keys(inRun run: Int, of classIndex: Int) throws -> [Int64] {
        guard let stored = workingClass(classIndex) else { return [] }
        let group = try stored.groups()[run]
        return try stored.keys(inGroup: run).enumerated().filter { !group.isDeleted($0.offset) }.map(\.element)
    }

    /// The rows where the objects of one run stand in the row group of the run's number, in the order of their keys.
    package func rows(inRun run: Int, of classIndex: Int) throws -> [Int] {
        guard let stored = workingClass(classIndex) else { return [] }
        let group = try stored.groups()[run]
        return (0..<group.rowCount).filter { !group.isDeleted($0) }
    }

    /// Whether all objects of a class have a value in a property, as far as that is known without reading one.
    package func holds(_ value: Value, in property: Int, of classIndex: Int) throws -> Bool {
        guard let stored = workingClass(classIndex), let column = bindings(of: classIndex)[property].column else {
            return false
        }
        return try stored.groups().indices.allSatisfy { try stored.constant(column, group: $0) == value }
    }

    /// One property of one row group as it is now; links to deleted objects are null, and gone from lists.
    ///
    /// - Throws: `EditingError` where the class, the property or the row group is not there.
    package func column(_ property: Int, of classIndex: Int, rowGroup: Int) throws -> ColumnArray {
        let binding = bindings(of: classIndex)[property]
        guard let stored = workingClass(classIndex), let column = binding.column else {
            throw EditingError.unknownMember(schema.classes[classIndex].name, binding.property.name)
        }
        guard try stored.groups().indices.contains(rowGroup) else { throw EditingError.noSuchRowGroup() }
        let array = try stored.array(column, group: rowGroup)
        return try realm.visible(array, of: column.property)
    }
}
