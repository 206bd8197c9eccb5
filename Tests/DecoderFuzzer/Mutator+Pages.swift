/// Changes to the pages of an encrypted file: REALM_FORMAT section 18.
extension Mutator {
    /// Changes the records of the pages, which say how a page was encrypted, or the number of pages.
    mutating func changeRecord() {
        guard bytes.count >= 8192 else { return setInteger(at: 0) }
        switch generator.below(4) {
        case 0: setInteger(at: 64 * generator.below(64) + 4 * generator.below(16))
        case 1: bytes.removeLast(4096 * generator.below(bytes.count / 4096))
        case 2: bytes.replaceSubrange(64..<128, with: [UInt8](repeating: 0, count: 64))
        default: copyPage()
        }
    }

    private mutating func copyPage() {
        let pages = bytes.count / 4096
        let from = 4096 * generator.below(pages)
        let onto = 4096 * generator.below(pages)
        let page = Array(bytes[from..<from + 4096])
        bytes.replaceSubrange(onto..<onto + 4096, with: page)
    }
}
