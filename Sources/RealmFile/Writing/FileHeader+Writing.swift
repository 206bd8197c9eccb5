extension FileHeader {
    /// The first bytes of a file in the streaming form, REALM_FORMAT section 1.1.
    static func streaming(_ format: WrittenFormat) -> [UInt8] {
        [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 8) + magic
            + [UInt8(format.rawValue), 0, 0, 0]
    }

    /// The last bytes of a file in the streaming form.
    static func footer(topRef: Int64) -> [UInt8] {
        withUnsafeBytes(of: topRef.littleEndian) { Array($0) }
            + withUnsafeBytes(of: footerMagic.littleEndian) { Array($0) }
    }
}
