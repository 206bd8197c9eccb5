import Columns
import RealmModel

/// Values by columns, for scripts that run over many objects.
extension MigrationTransaction {
    /// How large the row groups of created objects become, which those of the realm are likely to be as well.
    public var rowGroupLimits: RowGroupLimits { new.context.limits }

    /// The row groups that a class had when the migration began, with the first and the last key and the rows of each.
    ///
    /// Their rows stay what they are until all objects of the class are deleted at once: then there are none.
    public func sourceRowGroups(
        of classIndex: Int, side: MigrationSide
    ) throws -> [(firstKey: Int64, lastKey: Int64, rowCount: Int)] {
        try workingClass(classIndex, side: side)?.sourceGroups().map { ($0.firstKey, $0.lastKey, $0.rowCount) } ?? []
    }

    /// The keys of all rows of a row group, those of deleted objects included, ascending.
    public func allKeys(ofGroup rowGroup: Int, of classIndex: Int, side: MigrationSide) throws -> [Int64] {
        guard let stored = workingClass(classIndex, side: side), try stored.groups().indices.contains(rowGroup) else {
            return []
        }
        return try stored.keys(inGroup: rowGroup)
    }

    /// One property of one row group as it is now; links to deleted objects are null, and gone from lists.
    ///
    /// - Parameter rowGroup: as `batch` named it.
    public func column(_ property: Int, of classIndex: Int, side: MigrationSide, rowGroup: Int) throws -> ColumnArray {
        let binding = bindings(of: classIndex, side: side)[property]
        guard let stored = workingClass(classIndex, side: side), let column = binding.column else {
            throw MigrationError.unknownMember(schema(side).classes[classIndex].name, binding.property.name)
        }
        guard try stored.groups().indices.contains(rowGroup) else {
            throw MigrationError(.outOfBounds, "There is no such row group.")
        }
        let array = try stored.array(column, group: rowGroup)
        return try realm(side).visible(array, of: column.property)
    }

    /// Replaces one property of a whole row group: single values that are not mixed, or lists of such.
    ///
    /// The array must have a row for every row of the group, deleted ones included, of the property's type, and a null
    /// only where the property is optional, or kept its nulls for the script to fill. Links lead to objects that are
    /// there, or were; they own none.
    public func replaceColumn(_ property: Int, of classIndex: Int, rowGroup: Int, with array: ColumnArray) throws {
        let binding = bindings(of: classIndex, side: .new)[property]
        guard let stored = workingClass(classIndex, side: .new), let column = binding.column else { return }
        guard try stored.groups().indices.contains(rowGroup) else {
            throw MigrationError(.outOfBounds, "There is no such row group.")
        }
        let rowCount = try stored.groups()[rowGroup].rowCount
        guard array.count == rowCount else {
            throw ColumnError.damaged(what: "\(array.count) rows instead of \(rowCount)", offset: 0)
        }
        // Nulls that `nullability: keep` left may wait for the end; a part of them is filled, or deleted, meanwhile.
        guard binding.property.isOptional || column.refusesNulls || !array.hasNulls else {
            throw MigrationError.notNullable(stored.name, binding.property.name)
        }
        if let target = binding.property.objectType {
            // An embedded object dies with the link to it, which only writing value by value sees to.
            guard new[target]?.kind != .embedded else {
                throw MigrationError(.invalidProperty, "Embedded objects are not written by columns.")
            }
            linkRevision += 1
        }
        try stored.replace(column, group: rowGroup, by: array)
        primaryKeyIndexes[ClassOnSide(side: .new, index: classIndex)] = nil
    }
}

extension ColumnArray {
    /// Whether a row, or an element of a list, is null.
    fileprivate var hasNulls: Bool {
        guard case .list(_, let elements) = values else { return nullCount > 0 }
        return nullCount > 0 || elements.nullCount > 0
    }
}
