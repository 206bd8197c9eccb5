import CJavaScriptCore
import Columns
import RealmMigration
import RealmModel

extension JavaScriptContext {
    /// A column as the prelude takes it: the validity as a Uint8Array, or null where no row is null, and behind it the cells.
    ///
    /// Those are a text and offsets into it, or typed arrays, words of 32 bits for ObjectId, UUID and Decimal128; of mixed values
    /// `MixedColumn`; of lists the offsets, and the column of all elements, behind which dictionaries have the column of their keys.
    func parts(of array: ColumnArray, _ type: PropertyType) throws -> JSObjectRef {
        let answer = try makeArray()
        try set(0, of: answer, to: try validity(array))
        switch array.values {
        case .variable(let offsets, let bytes) where type == .data:
            try set(1, of: answer, to: try makeTypedArray(bytes, as: kJSTypedArrayTypeUint8Array))
            try set(2, of: answer, to: try makeTypedArray(offsets, as: kJSTypedArrayTypeInt32Array))
        case .variable where type == .mixed:
            let mixed = MixedColumn(array, tellingTypes: tellsNumberTypes)
            try set(1, of: answer, to: try makeTypedArray(mixed.kinds, as: kJSTypedArrayTypeUint8Array))
            try set(2, of: answer, to: try makeTypedArray(mixed.numbers, as: kJSTypedArrayTypeFloat64Array))
            try set(3, of: answer, to: make(mixed.text.string))
            try set(4, of: answer, to: try makeTypedArray(mixed.text.offsets, as: kJSTypedArrayTypeInt32Array))
        case .variable(let offsets, let bytes):
            let text = TextColumn(offsets: offsets, bytes: bytes)
            try set(1, of: answer, to: make(text.string))
            try set(2, of: answer, to: try makeTypedArray(text.offsets, as: kJSTypedArrayTypeInt32Array))
        case .fixed(_, let bytes):
            let words = bytes.withUnsafeBytes { bytes in
                (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
            }
            try set(1, of: answer, to: try makeTypedArray(words, as: kJSTypedArrayTypeInt32Array))
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
            try set(1, of: answer, to: try parts(of: elements, type))
        case .dictionary(let offsets, let keys, let values):
            let starts = try makeTypedArray(offsets, as: kJSTypedArrayTypeInt32Array)
            try set(0, of: answer, to: starts)
            try set(1, of: answer, to: try parts(of: values, type))
            try set(2, of: answer, to: try parts(of: keys, .string))
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
