/// Names of apps and realms: `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
enum Name {
    /// - Throws: `StoreError.invalidName`.
    static func check(_ name: String, of thing: StoreError.Thing) throws(StoreError) {
        let bytes = Array(name.utf8)
        guard (1...128).contains(bytes.count), isAlphanumeric(bytes[0]),
            bytes.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
        else { throw .invalidName(thing) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
