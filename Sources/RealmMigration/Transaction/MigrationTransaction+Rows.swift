import Columns
import RealmEditing
import RealmModel

/// Objects by row groups and columns, for scripts that run over many of them.
extension MigrationTransaction {
    /// How large the row groups of created objects become, which those of the realm are likely to be as well.
    public var rowGroupLimits: RowGroupLimits { new.rowGroupLimits }

    /// The number of objects of a class on one side now.
    public func objectCount(of classIndex: Int, side: RealmSide) -> Int { view(side).objectCount(of: classIndex) }

    /// The row groups that a class had when the migration began, with the first and the last key and the rows of each.
    ///
    /// Their rows stay what they are until all objects of the class are deleted at once: then there are none.
    public func sourceRowGroups(
        of classIndex: Int, side: RealmSide
    ) throws -> [(firstKey: Int64, lastKey: Int64, rowCount: Int)] {
        try view(side).sourceRowGroups(of: classIndex)
    }

    /// The keys of all rows of a row group, those of deleted objects included, ascending.
    public func allKeys(ofGroup rowGroup: Int, of classIndex: Int, side: RealmSide) throws -> [Int64] {
        try view(side).allKeys(ofGroup: rowGroup, of: classIndex)
    }

    /// One property of one row group as it is now; links to deleted objects are null, and gone from lists.
    ///
    /// - Parameter rowGroup: as `batch` named it.
    public func column(_ property: Int, of classIndex: Int, side: RealmSide, rowGroup: Int) throws -> ColumnArray {
        try editing { try view(side).column(property, of: classIndex, rowGroup: rowGroup) }
    }

    /// The rows of a row group now, those of deleted objects included; 0 where there is no such group.
    public func rowCount(ofGroup rowGroup: Int, of classIndex: Int, side: RealmSide) throws -> Int {
        try view(side).rowCount(ofGroup: rowGroup, of: classIndex)
    }

    /// The number of runs in which `keys(inRun:of:side:)` gives the keys of a class.
    public func keyRunCount(of classIndex: Int, side: RealmSide) throws -> Int {
        try view(side).keyRunCount(of: classIndex)
    }

    /// The keys of the objects of one run, ascending; runs ascend too where no key was given to a later object.
    ///
    /// - Parameter run: 0 up to `keyRunCount`; deleting leaves runs shorter, creating makes the last longer or adds one.
    public func keys(inRun run: Int, of classIndex: Int, side: RealmSide) throws -> [Int64] {
        try view(side).keys(inRun: run, of: classIndex)
    }

    /// The rows where the objects of one run stand in the row group of the run's number, in the order of their keys.
    public func rows(inRun run: Int, of classIndex: Int, side: RealmSide) throws -> [Int] {
        try view(side).rows(inRun: run, of: classIndex)
    }
}
