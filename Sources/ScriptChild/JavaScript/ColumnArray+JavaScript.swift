import CJavaScriptCore
import Columns
import RealmMigration

extension JavaScriptContext {
    /// A column as the prelude takes it: the validity as a Uint8Array, or null where no row is null, and behind it the cells: a
    /// text and offsets into it, or typed arrays; of lists the offsets, and the column of all elements.
    func parts(of array: ColumnArray) throws -> JSObjectRef {
        let answer = try makeArray()
        try set(0, of: answer, to: try validity(array))
        switch array.values {
        case .variable(let offsets, let bytes):
            let text = TextColumn(offsets: offsets, bytes: bytes)
            try set(1, of: answer, to: make(text.string))
            try set(
                2, of: answer, to: try makeTypedArray(text.offsets, as: kJSTypedArrayTypeInt32Array))
        case .int(let cells): try set(1, of: answer, to: try makeIntegers(cells))
        case .double(let cells):
            try set(1, of: answer, to: try makeTypedArray(cells, as: kJSTypedArrayTypeFloat64Array))
        case .float(let cells):
            try set(1, of: answer, to: try makeTypedArray(cells, as: kJSTypedArrayTypeFloat32Array))
        case .bool(let bits): try set(1, of: answer, to: try flags(bits))
        case .date(let seconds, let nanoseconds):
            try set(1, of: answer, to: try makeIntegers(seconds))
            try set(2, of: answer, to: try makeTypedArray(nanoseconds, as: kJSTypedArrayTypeInt32Array))
        case .list(let offsets, let elements):
            let starts = try makeTypedArray(offsets, as: kJSTypedArrayTypeInt32Array)
            try set(0, of: answer, to: starts)
            try set(1, of: answer, to: try parts(of: elements))
        case .fixed, .dictionary:
            throw MigrationError(.invalidProperty, "The property is not read by columns.")
        }
        return answer
    }

    private func validity(_ array: ColumnArray) throws -> JSValueRef {
        guard let validity = array.validity else { return null }
        return try flags(validity)
    }

    private func flags(_ bits: Bitmap) throws -> JSValueRef {
        let bytes = bits.bytes
        let flags = [UInt8](unsafeUninitializedCapacity: bits.count) { buffer, count in
            count = bits.count
            for index in 0..<count { buffer[index] = bytes[index >> 3] >> UInt8(index & 7) & 1 }
        }
        return try makeTypedArray(flags, as: kJSTypedArrayTypeUint8Array)
    }
}
