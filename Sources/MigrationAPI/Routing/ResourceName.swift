/// Names of apps and realms: `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
enum ResourceName {
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 128 else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Schema versions in paths and bodies: integers from 0 that JSON's readers keep exactly.
enum SchemaVersionNumber {
    static func parse(_ text: String) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            return nil
        }
        return UInt64(number)
    }
}
