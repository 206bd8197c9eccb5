import CJavaScriptCore
import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The bridge by columns: one call a property of a row group instead of one a value.
extension TransactionBridge {
    /// One property of a row group; arguments: side, class, row group, property.
    ///
    /// Answers the validity as a Uint8Array, or null where no row is
    /// null, and behind it the cells: a text and offsets into it, or typed arrays.
    func column(_ arguments: Arguments) throws -> JSValueRef {
        let side: RealmSide = try arguments.int(0) == ScriptValueTag.oldSide ? .old : .new
        let (classIndex, group, index) = try place(arguments, side: side)
        return try context.parts(of: try transaction.column(index, of: classIndex, side: side, rowGroup: group))
    }

    /// Writes rows of a property of text.
    ///
    /// Arguments: side, class, row group, property, the texts of all written rows in one string, and for each row its
    /// number of UTF-16 units, or one of `PendingState`.
    func replaceText(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let text = try context.copyString(arguments[4])
        let lengths: [Int32] = try context.cells(arguments[5], as: kJSTypedArrayTypeInt32Array)
        let isWhole = !lengths.contains(PendingState.keptLength)
        let current = try current(index, of: classIndex, group: group, isWhole ? lengths.count : 0)
        let array = try PendingColumn(current).replacing(text: text, lengths: lengths)
        try transaction.replaceColumn(index, of: classIndex, rowGroup: group, with: array)
        return context.undefined
    }

    /// Writes rows of a property of numbers, truth values or dates.
    ///
    /// Arguments: side, class, row group, property, the state of each row (`PendingState`), the cells, and of dates the
    /// nanoseconds.
    func replaceCells(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let states: [UInt8] = try context.cells(arguments[4], as: kJSTypedArrayTypeUint8Array)
        let isWhole = !states.contains(PendingState.kept)
        let current = try current(index, of: classIndex, group: group, isWhole ? states.count : 0)
        let pending = PendingColumn(current)
        let array: ColumnArray
        if JSValueGetTypedArrayType(context.reference, arguments[5], nil) == kJSTypedArrayTypeBigInt64Array {
            let cells: [Int64] = try context.cells(arguments[5], as: kJSTypedArrayTypeBigInt64Array)
            array = try pending.replacing(states: states, integers: cells, nanoseconds: try nanoseconds(arguments))
        } else {
            let cells: [Double] = try context.cells(arguments[5], as: kJSTypedArrayTypeFloat64Array)
            array = try pending.replacing(states: states, numbers: cells, nanoseconds: try nanoseconds(arguments))
        }
        try transaction.replaceColumn(index, of: classIndex, rowGroup: group, with: array)
        return context.undefined
    }

    /// The column that rows are written over; where all its rows are, one that need not be read.
    func current(
        _ index: Int, of classIndex: Int, group: Int, _ writtenRows: Int
    ) throws -> ColumnArray {
        let rowCount = try transaction.rowCount(ofGroup: group, of: classIndex, side: .new)
        let type = try property(index, classIndex: classIndex, side: .new).type
        if writtenRows == rowCount, let blank = PendingColumn.blank(type, count: rowCount) { return blank }
        guard rowCount > 0 else { throw MigrationError(.outOfBounds, "There is no such row group.") }
        return try transaction.column(index, of: classIndex, side: .new, rowGroup: group)
    }

    private func nanoseconds(_ arguments: Arguments) throws -> [Int32] {
        guard context.type(of: arguments[6]) == kJSTypeObject else { return [] }
        return try context.cells(arguments[6], as: kJSTypedArrayTypeInt32Array)
    }

    func place(_ arguments: Arguments, side: RealmSide) throws -> (classIndex: Int, group: Int, index: Int) {
        let classIndex = try classIndex(arguments, side: side)
        let index = try arguments.int(3)
        _ = try property(index, classIndex: classIndex, side: side)
        return (classIndex, try arguments.int(2), index)
    }
}
