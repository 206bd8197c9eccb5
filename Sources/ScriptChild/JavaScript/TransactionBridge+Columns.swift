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
        let type = try property(index, classIndex: classIndex, side: side).type
        return try context.parts(of: try transaction.column(index, of: classIndex, side: side, rowGroup: group), type)
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

    /// Writes rows of a property of data.
    ///
    /// Arguments: side, class, row group, property, the bytes of all written rows one behind the other, and for each row its number of
    /// bytes, or one of `PendingState`.
    func replaceData(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let bytes: [UInt8] = try context.cells(arguments[4], as: kJSTypedArrayTypeUint8Array)
        let lengths: [Int32] = try context.cells(arguments[5], as: kJSTypedArrayTypeInt32Array)
        let isWhole = !lengths.contains(PendingState.keptLength)
        let current = try current(index, of: classIndex, group: group, isWhole ? lengths.count : 0)
        let array = try PendingColumn(current).replacing(bytes: bytes, lengths: lengths)
        try transaction.replaceColumn(index, of: classIndex, rowGroup: group, with: array)
        return context.undefined
    }

    /// Writes rows of a mixed property.
    ///
    /// Arguments: side, class, row group, property, the kind of each row (`MixedKind`), the numbers, the texts of all rows in one
    /// string, and for each row its number of UTF-16 units, 0 where it is no text.
    func replaceMixed(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let written = MixedRows(
            kinds: try context.cells(arguments[4], as: kJSTypedArrayTypeUint8Array),
            numbers: try context.cells(arguments[5], as: kJSTypedArrayTypeFloat64Array),
            text: try context.copyString(arguments[6]),
            lengths: try context.cells(arguments[7], as: kJSTypedArrayTypeInt32Array))
        let isWhole = !written.kinds.contains(MixedKind.kept.rawValue)
        let current = try current(index, of: classIndex, group: group, isWhole ? written.kinds.count : 0)
        let array = try written.replacing(current) { context.input($0) }
        try transaction.replaceColumn(index, of: classIndex, rowGroup: group, with: array)
        return context.undefined
    }

    /// Writes rows of a property of numbers, truth values, dates, or words of 32 bits.
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
        switch JSValueGetTypedArrayType(context.reference, arguments[5], nil) {
        case kJSTypedArrayTypeBigInt64Array:
            let cells: [Int64] = try context.cells(arguments[5], as: kJSTypedArrayTypeBigInt64Array)
            array = try pending.replacing(states: states, integers: cells, nanoseconds: try nanoseconds(arguments))
        case kJSTypedArrayTypeInt32Array:
            let words: [Int32] = try context.cells(arguments[5], as: kJSTypedArrayTypeInt32Array)
            array = try pending.replacing(states: states, words: words)
        default:
            let cells: [Double] = try context.cells(arguments[5], as: kJSTypedArrayTypeFloat64Array)
            array = try pending.replacing(states: states, numbers: cells, nanoseconds: try nanoseconds(arguments))
        }
        try transaction.replaceColumn(index, of: classIndex, rowGroup: group, with: array)
        return context.undefined
    }

    /// Whether collections of a row group may be assigned as they are; arguments: side, class, row group, property.
    ///
    /// They are of a type that the new side has, too, but an old file's dictionaries may have keys that none takes any more.
    func mayCopy(_ arguments: Arguments) throws -> JSValueRef {
        let side: RealmSide = try arguments.int(0) == ScriptValueTag.oldSide ? .old : .new
        let (classIndex, group, index) = try place(arguments, side: side)
        let array = try transaction.column(index, of: classIndex, side: side, rowGroup: group)
        guard case .dictionary(_, let keys, _) = array.values else { return context.make(true) }
        guard case .variable(let offsets, let bytes) = keys.values else { return context.make(false) }
        let isFit =
            !bytes.contains(UInt8(ascii: "."))
            && offsets.dropLast().allSatisfy {
                Int($0) == bytes.count || bytes[Int($0)] != UInt8(ascii: "$")
            }
        return context.make(isFit)
    }

    /// Writes rows of a property that are rows of one of the old side.
    ///
    /// Arguments: side, class, row group, property; class, row group and property of the old side, of the same type; and for each row the
    /// row that it is a copy of, or −1.
    func copyRows(_ arguments: Arguments) throws -> JSValueRef {
        let (classIndex, group, index) = try place(arguments, side: .new)
        let type = ColumnType(try property(index, classIndex: classIndex, side: .new))
        let from = (classIndex: try arguments.int(4), group: try arguments.int(5), index: try arguments.int(6))
        let rows: [Int32] = try context.cells(arguments[7], as: kJSTypedArrayTypeInt32Array)
        guard transaction.oldSchema.classes.indices.contains(from.classIndex),
            ColumnType(try property(from.index, classIndex: from.classIndex, side: .old)) == type
        else { throw PendingColumn.mismatch }
        let source = try transaction.column(from.index, of: from.classIndex, side: .old, rowGroup: from.group)
        let written = rows.indices.filter { rows[$0] >= 0 }
        guard written.allSatisfy({ rows[$0] < source.count }) else { throw PendingColumn.mismatch }
        let rowCount = try transaction.rowCount(ofGroup: group, of: classIndex, side: .new)
        let isWhole = written.count == rowCount && source.count == rowCount && written.allSatisfy { rows[$0] == $0 }
        var array = source
        if !isWhole {
            let current = try transaction.column(index, of: classIndex, side: .new, rowGroup: group)
            guard rows.count <= current.count else { throw PendingColumn.mismatch }
            array = try current.overlaid(at: written, as: type) { (source, Int(rows[written[$0]])) }
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
