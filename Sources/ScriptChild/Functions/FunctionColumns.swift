import CJavaScriptCore
import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The columns of a function's objects and answers, as the prelude's `functions.js` takes and gives them.
struct FunctionColumns {
    let context: JavaScriptContext

    // MARK: Objects

    /// Validity, cells and what else belongs to them.
    func parts(of array: ColumnArray, _ property: Property) throws -> JSValueRef {
        switch (property.type, property.collection) {
        case (.string, .none), (.int, .none), (.bool, .none), (.float, .none), (.double, .none), (.date, .none),
            (.objectId, .none), (.uuid, .none), (.decimal128, .none):
            return try context.parts(of: array, property.type)
        default: return try values(of: array, property)
        }
    }

    /// Values one by one.
    private func values(of array: ColumnArray, _ property: Property) throws -> JSValueRef {
        let maker = ScriptValueMaker(context: context, side: .old, schema: Schema([]))
        let cells = try context.makeArray()
        for row in 0..<array.count {
            let value = try array.value(at: row, as: ColumnType(property))
            try context.set(row, of: cells, to: try maker.make(value, of: property))
        }
        let answer = try context.makeArray()
        try context.set(0, of: answer, to: context.null)
        try context.set(1, of: answer, to: cells)
        return answer
    }

    // MARK: Answers

    /// One property of the answers, and the rows whose values don't fit it.
    ///
    /// - Parameter packed: the rows that have it, its column packed, or its values one by one.
    func column(
        of packed: JSValueRef, _ property: Property, in className: String, rowCount: Int
    ) throws -> (column: FunctionAnswers.Column, failures: [(row: Int, error: EditingError)]) {
        var given: Bitmap?
        let flags = try context.element(0, of: packed)
        if context.type(of: flags) == kJSTypeObject {
            let bytes: [UInt8] = try context.cells(flags, as: kJSTypedArrayTypeUint8Array)
            guard bytes.count == rowCount else { throw Self.mismatch }
            var bits = Bitmap(count: rowCount)
            for row in 0..<rowCount where bytes[row] != 0 { bits[row] = true }
            given = bits
        }
        let plain = try context.element(1, of: packed)
        if context.type(of: plain) == kJSTypeObject {
            let values = try self.plain(plain, property, rowCount: rowCount)
            return (FunctionAnswers.Column(given: given, values: values), [])
        }
        let coded = try context.element(2, of: packed)
        return try self.coded(coded, property, in: className, given: given, rowCount: rowCount)
    }

    private static let mismatch = MigrationError(.invalidArgument, "The answers do not fit their column.")

    /// A column that was packed: its parts, as `TransactionBridge` has them too, with a null where nothing was given.
    private func plain(_ packed: JSValueRef, _ property: Property, rowCount: Int) throws -> ColumnArray {
        let first = try context.element(0, of: packed)
        let second = try context.element(1, of: packed)
        switch property.type {
        case .string, .objectId, .uuid, .decimal128:
            let text = try context.copyString(first)
            var lengths: [Int32] = try context.cells(second, as: kJSTypedArrayTypeInt32Array)
            for row in lengths.indices where lengths[row] < 0 { lengths[row] = PendingState.nullLength }
            guard lengths.count == rowCount, let blank = PendingColumn.blank(.string, count: rowCount) else {
                throw Self.mismatch
            }
            let texts = try PendingColumn(blank).replacing(text: text, lengths: lengths)
            return property.type == .string ? texts : try parsed(texts, property.type)
        default: break
        }
        var states: [UInt8] = try context.cells(first, as: kJSTypedArrayTypeUint8Array)
        for row in states.indices where states[row] == PendingState.kept { states[row] = PendingState.null }
        guard states.count == rowCount, let blank = PendingColumn.blank(property.type, count: rowCount) else {
            throw Self.mismatch
        }
        guard property.type == .date else {
            let cells: [Double] = try context.cells(second, as: kJSTypedArrayTypeFloat64Array)
            return try PendingColumn(blank).replacing(states: states, numbers: cells, nanoseconds: [])
        }
        let seconds: [Int64] = try context.cells(second, as: kJSTypedArrayTypeBigInt64Array)
        let third = try context.element(2, of: packed)
        let nanoseconds: [Int32] = try context.cells(third, as: kJSTypedArrayTypeInt32Array)
        return try PendingColumn(blank).replacing(states: states, integers: seconds, nanoseconds: nanoseconds)
    }

    /// Values of their texts, which the prelude has made and so are texts of the type.
    private func parsed(_ texts: ColumnArray, _ type: PropertyType) throws -> ColumnArray {
        let builder = ColumnBuilder(ColumnType(type))
        for row in 0..<texts.count {
            guard case .string(let text) = try texts.value(at: row, as: ColumnType(.string)) else {
                builder.appendNull()
                continue
            }
            let value: Value? =
                switch type {
                case .objectId: ObjectId(text).map { .objectId($0) }
                case .uuid: UUID(text).map { .uuid($0) }
                default: Decimal128(text).map { .decimal128($0) }
                }
            guard let value else { throw Self.mismatch }
            try builder.append(value)
        }
        return builder.finish()
    }

    private func coded(
        _ values: JSValueRef, _ property: Property, in className: String, given: Bitmap?, rowCount: Int
    ) throws -> (column: FunctionAnswers.Column, failures: [(row: Int, error: EditingError)]) {
        let builder = ColumnBuilder(ColumnType(property))
        // There is nothing to link to: of what editing knows, this asks what fits a property.
        let editor = RealmEditor(
            editing: Snapshot(schemaVersion: nil, declared: Schema([]), classes: []), in: MemorySegmentStore())
        var failures: [(row: Int, error: EditingError)] = []
        for row in 0..<rowCount {
            let isGiven = given?[row] ?? true
            var value = property.isCollection ? property.initialValue : Value.null
            if isGiven {
                do {
                    let input = try context.input(try context.element(row, of: values))
                    value = try editor.coerce(input, to: property, of: className)
                } catch let error as EditingError {
                    failures.append((row, error))
                } catch let error as MigrationError {
                    let details = error.details.isEmpty ? [ProblemItem(error.message)] : error.details
                    failures.append(
                        (row, EditingError(error.code ?? .invalidArgument, error.message, details: details)))
                }
            }
            try builder.append(value)
        }
        return (FunctionAnswers.Column(given: given, values: builder.finish()), failures)
    }
}
