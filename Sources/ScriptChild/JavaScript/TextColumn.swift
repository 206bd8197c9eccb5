/// A column of texts as one string of JavaScript and offsets into it, in UTF-16 units.
struct TextColumn {
    let string: JavaScriptString
    /// One more than there are rows.
    let offsets: [Int32]

    /// Joins rows of UTF-8; the caller answers for the offsets, which the codec has checked.
    init(offsets: [Int32], bytes: [UInt8]) {
        let plain = bytes.withUnsafeBufferPointer { $0.isPlainASCII ? JavaScriptString.make(plainASCII: $0) : nil }
        if let plain {
            string = JavaScriptString(owning: plain)
            self.offsets = offsets
            return
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count)
        var starts: [Int32] = [0]
        starts.reserveCapacity(offsets.count)
        for row in 1..<max(offsets.count, 1) {
            let cell = bytes[Int(offsets[row - 1])..<Int(offsets[row])]
            if cell.allSatisfy({ $0 < 0x80 }) {
                for byte in cell { units.append(UInt16(byte)) }
            } else {
                units.append(contentsOf: String(decoding: cell, as: UTF8.self).utf16)
            }
            starts.append(Int32(units.count))
        }
        string = JavaScriptString(owning: JavaScriptString.make(utf16: units))
        self.offsets = starts
    }
}
