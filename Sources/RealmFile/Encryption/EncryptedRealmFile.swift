import RealmModel

/// An encrypted `.realm` file: pages of 4096 bytes, authenticated and encrypted one by one, REALM_FORMAT section 18.
public final class EncryptedRealmFile {
    private static let pageBytes = 4096
    /// Data pages that share a page of records.
    private static let blockPages = 64
    private static let recordBytes = 64

    /// Bytes that the decrypted file has; a multiple of 4096.
    public let decryptedByteCount: Int

    private let bytes: UnsafeRawBufferPointer
    private let cipher: PageCipher

    /// Checks the key against the first page.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, which outlives this and does not change.
    ///   - key: the key that the file was written with.
    /// - Throws: `notARealm` where the bytes are too few, `wrongEncryptionKey` where the key does not fit them.
    public init(bytes: UnsafeRawBufferPointer, key: EncryptionKey) throws(InputError) {
        let pages = bytes.count / Self.pageBytes
        guard pages >= 2 else {
            throw InputError(
                .notARealm, "The file is no encrypted Realm file: it is too short.", at: .init(offset: bytes.count))
        }
        self.bytes = bytes
        cipher = try PageCipher(key)
        decryptedByteCount = (pages - (pages + Self.blockPages) / (Self.blockPages + 1)) * Self.pageBytes
        try checkFirstPage()
    }

    /// Whether bytes have the shape of an encrypted file; a few other files have it too.
    public static func isPlausible(_ bytes: UnsafeRawBufferPointer) -> Bool { FileHeader.seemsEncrypted(bytes) }

    /// Decrypts the file from its start to its end and hands it out in runs of at most 256 KiB.
    ///
    /// - Throws: `InputError.Code.damaged` where a page is not the one that was written; whatever the function throws.
    public func decrypt(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let blockBytes = Self.blockPages * Self.pageBytes
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 16)
        defer { block.deallocate() }
        for start in stride(from: 0, to: decryptedByteCount, by: blockBytes) {
            let end = min(start + blockBytes, decryptedByteCount)
            for position in stride(from: start, to: end, by: Self.pageBytes) {
                let page = position - start
                try decryptPage(at: position, to: .init(rebasing: block[page..<page + Self.pageBytes]))
            }
            try body(UnsafeRawBufferPointer(rebasing: block[..<(end - start)]))
        }
    }

    private func checkFirstPage() throws(InputError) {
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pageBytes, alignment: 16)
        defer { page.deallocate() }
        // Half of the key authenticates the page, the other half makes the mark of a Realm file of it.
        let isAuthentic = (try? decryptPage(at: 0, to: page)) != nil
        guard isAuthentic, FileHeader.hasMark(UnsafeRawBufferPointer(page)) else {
            throw InputError(
                .wrongEncryptionKey, "The encryption key does not fit the file, or the file is no Realm file.",
                at: .init(offset: 0))
        }
    }

    private func decryptPage(at position: Int, to plain: UnsafeMutableRawBufferPointer) throws(InputError) {
        let index = position / Self.pageBytes
        let block = index / Self.blockPages * (Self.blockPages + 1)
        let record = block * Self.pageBytes + index % Self.blockPages * Self.recordBytes
        let start = (block + 1 + index % Self.blockPages) * Self.pageBytes
        let page = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.pageBytes])
        guard let counter = try counter(of: page, record: record) else {
            plain.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        guard cipher.decrypt(page, counter: counter, position: position, to: plain) else {
            throw .damaged("a page can't be decrypted", at: start)
        }
    }

    /// The number that a page was encrypted with; nil where the page was never written.
    ///
    /// An interrupted write may have left the page as it was before: the record keeps what belongs to that, too.
    private func counter(of page: UnsafeRawBufferPointer, record: Int) throws(InputError) -> UInt32? {
        let counters = [record, record + Self.recordBytes / 2].map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
        guard counters[0] != 0 else { return nil }
        let authenticator = cipher.authenticator(of: page)
        if isSame(authenticator, at: record + 4) { return counters[0] }
        if counters[1] != 0, isSame(authenticator, at: record + Self.recordBytes / 2 + 4) { return counters[1] }
        guard page.allSatisfy({ $0 == 0 }) else {
            throw .damaged("a page is not the one that was written", at: record)
        }
        return nil
    }

    private func isSame(_ authenticator: [UInt8], at offset: Int) -> Bool {
        authenticator.count == PageCipher.authenticatorBytes
            && bytes[offset..<offset + authenticator.count].elementsEqual(authenticator)
    }
}
