import CJavaScriptCore
import RealmMigration

extension JavaScriptContext {
    /// A typed array that holds a copy of cells.
    func makeTypedArray<Cell: BitwiseCopyable>(_ cells: [Cell], as type: JSTypedArrayType) throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = try checked(JSObjectMakeTypedArray(reference, type, cells.count, &exception), exception)
        guard let bytes = JSObjectGetTypedArrayBytesPtr(reference, array, nil) else { return array }
        cells.withUnsafeBytes { bytes.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(bytes), byteCount: $0.count) }
        return array
    }

    /// A copy of the cells of a typed array; the prelude's own arrays, which begin where their buffers do.
    func cells<Cell: BitwiseCopyable>(_ value: JSValueRef, as type: JSTypedArrayType) throws -> [Cell] {
        guard JSValueGetTypedArrayType(reference, value, nil) == type else {
            throw MigrationError(.invalidArgument, "A typed array of another type was expected.")
        }
        let array = try object(value)
        let count = JSObjectGetTypedArrayByteLength(reference, array, nil) / MemoryLayout<Cell>.stride
        let offset = JSObjectGetTypedArrayByteOffset(reference, array, nil)
        guard offset == 0, count > 0, let bytes = JSObjectGetTypedArrayBytesPtr(reference, array, nil) else {
            return []
        }
        return Array(
            UnsafeRawBufferPointer(start: bytes, count: count * MemoryLayout<Cell>.stride).bindMemory(to: Cell.self))
    }

    /// Integers as a Float64Array where all are exact as numbers, else as a BigInt64Array.
    func makeIntegers(_ cells: [Int64]) throws -> JSObjectRef {
        guard cells.allSatisfy({ $0.magnitude <= Self.safeIntegers }) else {
            return try makeTypedArray(cells, as: kJSTypedArrayTypeBigInt64Array)
        }
        return try makeTypedArray(cells.map { Double($0) }, as: kJSTypedArrayTypeFloat64Array)
    }
}
