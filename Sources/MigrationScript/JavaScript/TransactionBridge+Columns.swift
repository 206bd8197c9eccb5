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
        return try parts(of: try transaction.column(index, of: classIndex, side: side, rowGroup: group))
    }

    /// A column as `column` answers it; of lists the offsets, and the column of all elements.
    private func parts(of array: ColumnArray) throws -> JSObjectRef {
        let answer = try context.makeArray()
        try context.set(0, of: answer, to: try validity(array))
        switch array.values {
        case .variable(let offsets, let bytes):
            let text = TextColumn(offsets: offsets, bytes: bytes)
            try context.set(1, of: answer, to: context.make(text.string))
            try context.set(
                2, of: answer, to: try context.makeTypedArray(text.offsets, as: kJSTypedArrayTypeInt32Array))
        case .int(let cells): try context.set(1, of: answer, to: try context.makeIntegers(cells))
        case .double(let cells):
            try context.set(1, of: answer, to: try context.makeTypedArray(cells, as: kJSTypedArrayTypeFloat64Array))
        case .float(let cells):
            try context.set(1, of: answer, to: try context.makeTypedArray(cells, as: kJSTypedArrayTypeFloat32Array))
        case .bool(let bits): try context.set(1, of: answer, to: try flags(bits))
        case .date(let seconds, let nanoseconds):
            try context.set(1, of: answer, to: try context.makeIntegers(seconds))
            try context.set(2, of: answer, to: try context.makeTypedArray(nanoseconds, as: kJSTypedArrayTypeInt32Array))
        case .list(let offsets, let elements):
            let starts = try context.makeTypedArray(offsets, as: kJSTypedArrayTypeInt32Array)
            try context.set(0, of: answer, to: starts)
            try context.set(1, of: answer, to: try parts(of: elements))
        case .fixed, .dictionary:
            throw MigrationError(.invalidProperty, "The property is not read by columns.")
        }
        return answer
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

    private func validity(_ array: ColumnArray) throws -> JSValueRef {
        guard let validity = array.validity else { return context.null }
        return try flags(validity)
    }

    private func flags(_ bits: Bitmap) throws -> JSValueRef {
        let bytes = bits.bytes
        let flags = [UInt8](unsafeUninitializedCapacity: bits.count) { buffer, count in
            count = bits.count
            for index in 0..<count { buffer[index] = bytes[index >> 3] >> UInt8(index & 7) & 1 }
        }
        return try context.makeTypedArray(flags, as: kJSTypedArrayTypeUint8Array)
    }
}
