/// Schema versions in paths and bodies: integers from 0 that JSON's readers keep exactly.
enum SchemaVersionNumber {
    static func parse(_ text: String) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            return nil
        }
        return UInt64(number)
    }
}
