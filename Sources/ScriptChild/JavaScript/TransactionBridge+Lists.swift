import CJavaScriptCore
import Columns
import RealmMigration
import RealmModel

/// Lists by columns, and the row groups that links lead to.
extension TransactionBridge {
    /// Writes lists of a property.
    ///
    /// Arguments: side, class, row group, property, for each row the number of its elements or
    /// `PendingState.keptLength`, and the elements of all lists that were written as `replaceText` and `replaceCells`
    /// take columns.
    func replaceLists(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let property = try property(index, classIndex: classIndex, side: .new)
        guard property.collection == .list else {
            throw MigrationError(.invalidProperty, "The property is no list.")
        }
        let lengths: [Int32] = try context.cells(arguments[4], as: kJSTypedArrayTypeInt32Array)
        let written = try elements(arguments, of: property)
        let rowCount = try transaction.rowCount(ofGroup: group, of: classIndex, side: .new)
        let isWhole = lengths.count == rowCount && !lengths.contains(PendingState.keptLength)
        let current =
            isWhole ? nil : try transaction.column(index, of: classIndex, side: .new, rowGroup: group)
        try transaction.replaceColumn(
            index, of: classIndex, rowGroup: group,
            with: try PendingLists(lengths: lengths, elements: written).replacing(current))
        return context.undefined
    }

    private func elements(_ arguments: Arguments, of property: Property) throws -> ColumnArray {
        if property.type == .string {
            let text = try context.copyString(arguments[5])
            let lengths: [Int32] = try context.cells(arguments[6], as: kJSTypedArrayTypeInt32Array)
            return try blank(property, count: lengths.count).replacing(text: text, lengths: lengths)
        }
        let states: [UInt8] = try context.cells(arguments[5], as: kJSTypedArrayTypeUint8Array)
        let pending = try blank(property, count: states.count)
        let nanoseconds: [Int32] =
            property.type == .date ? try context.cells(arguments[7], as: kJSTypedArrayTypeInt32Array) : []
        if JSValueGetTypedArrayType(context.reference, arguments[6], nil) == kJSTypedArrayTypeBigInt64Array {
            let cells: [Int64] = try context.cells(arguments[6], as: kJSTypedArrayTypeBigInt64Array)
            return try pending.replacing(states: states, integers: cells, nanoseconds: nanoseconds)
        }
        let cells: [Double] = try context.cells(arguments[6], as: kJSTypedArrayTypeFloat64Array)
        return try pending.replacing(states: states, numbers: cells, nanoseconds: nanoseconds)
    }

    private func blank(_ property: Property, count: Int) throws -> PendingColumn {
        guard let array = PendingColumn.blank(property.type, count: count) else {
            throw MigrationError(.invalidProperty, "The property is not written by columns.")
        }
        return PendingColumn(array)
    }

    /// The row groups that a class had when the migration began; arguments: side, class.
    ///
    /// Answers their first keys, their last keys and their counts of rows.
    func rowGroups(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        let groups = try transaction.sourceRowGroups(of: try classIndex(arguments, side: side), side: side)
        let answer = try context.makeArray()
        try context.set(0, of: answer, to: try context.makeIntegers(groups.map(\.firstKey)))
        try context.set(1, of: answer, to: try context.makeIntegers(groups.map(\.lastKey)))
        let counts = groups.map { Int32(truncatingIfNeeded: $0.rowCount) }
        try context.set(2, of: answer, to: try context.makeTypedArray(counts, as: kJSTypedArrayTypeInt32Array))
        return answer
    }

    /// The keys of all rows of a row group; arguments: side, class, row group.
    func groupKeys(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        let classIndex = try classIndex(arguments, side: side)
        return try context.makeIntegers(
            try transaction.allKeys(ofGroup: try arguments.int(2), of: classIndex, side: side))
    }
}
