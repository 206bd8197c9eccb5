import RealmModel

/// An encrypted `.realm` file: pages of 4096 bytes, authenticated and encrypted one by one, REALM_FORMAT section 18.
public final class EncryptedRealmFile {
    /// Data pages that are tried with a key that does not fit the first.
    private static let sampledPages = EncryptedPage.pagesPerBlock

    /// Bytes that the decrypted file has; a multiple of 4096.
    public let decryptedByteCount: Int

    private let bytes: UnsafeRawBufferPointer
    private let cipher: PageCipher

    /// Checks the key against the first page.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, which outlives this and does not change.
    ///   - key: the key that the file was written with.
    /// - Throws: `notARealm` where the bytes are too few, `wrongEncryptionKey` where the key does not fit them, `damaged`
    ///   where it fits other pages but not the first.
    public init(bytes: UnsafeRawBufferPointer, key: EncryptionKey) throws(InputError) {
        let pages = bytes.count / EncryptedPage.byteCount
        guard pages >= 2 else {
            throw InputError(
                .notARealm,
                ProblemItem("The file is no encrypted Realm file: it is too short.", offset: bytes.count))
        }
        self.bytes = bytes
        cipher = try PageCipher(key)
        decryptedByteCount = EncryptedPage.dataPages(among: pages) * EncryptedPage.byteCount
        try checkFirstPage()
    }

    /// Whether bytes have the shape of an encrypted file; a few other files have it too.
    public static func isPlausible(_ bytes: UnsafeRawBufferPointer) -> Bool { FileHeader.seemsEncrypted(bytes) }

    /// Bytes of a block of the decrypted file: few enough that a reader who leaps about decrypts little in vain.
    static let blockBytes = 16 * EncryptedPage.byteCount

    /// Decrypts the file from its start to its end and hands it out in runs of at most 64 KiB.
    ///
    /// - Throws: `InputError.Code.damaged` where a page is not the one that was written; whatever the function throws.
    public func decrypt(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 16)
        defer { memory.deallocate() }
        for (block, start) in stride(from: 0, to: decryptedByteCount, by: Self.blockBytes).enumerated() {
            let run = UnsafeMutableRawBufferPointer(
                rebasing: memory[..<min(Self.blockBytes, decryptedByteCount - start)])
            try decrypt(block, to: run)
            try body(UnsafeRawBufferPointer(run))
        }
    }

    /// Decrypts the block of a number.
    ///
    /// - Parameter memory: as many bytes as the block has.
    /// - Throws: `InputError.Code.damaged` where a page is not the one that was written.
    func decrypt(_ block: Int, to memory: UnsafeMutableRawBufferPointer) throws(InputError) {
        let firstPage = block * (Self.blockBytes / EncryptedPage.byteCount)
        for start in stride(from: 0, to: memory.count, by: EncryptedPage.byteCount) {
            let page = EncryptedPage(index: firstPage + start / EncryptedPage.byteCount)
            try decrypt(page, to: .init(rebasing: memory[start..<start + EncryptedPage.byteCount]))
        }
    }

    /// Half of the key authenticates the page, the other half makes the mark of a Realm file of it.
    private func checkFirstPage() throws(InputError) {
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: EncryptedPage.byteCount, alignment: 16)
        defer { page.deallocate() }
        do {
            try decrypt(EncryptedPage(index: 0), to: page)
        } catch {
            guard isAnotherPageAuthentic else { throw Self.wrongKey }
            throw error
        }
        guard FileHeader.hasMark(UnsafeRawBufferPointer(page)) else { throw Self.wrongKey }
    }

    private static var wrongKey: InputError {
        InputError(
            .wrongEncryptionKey,
            ProblemItem(
                "The encryption key does not fit the first page of the file, or the file is no Realm file.",
                offset: EncryptedPage(index: 0).offset))
    }

    /// Whether one of a few pages after the first, or the last, was written with the key.
    private var isAnotherPageAuthentic: Bool {
        let count = decryptedByteCount / EncryptedPage.byteCount
        guard count > 1 else { return false }
        return (Array(1..<min(count, Self.sampledPages)) + [count - 1]).contains {
            (try? counter(of: EncryptedPage(index: $0))) != nil
        }
    }

    private func decrypt(_ page: EncryptedPage, to plain: UnsafeMutableRawBufferPointer) throws(InputError) {
        guard let counter = try counter(of: page) else {
            plain.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        guard cipher.decrypt(encrypted(page), counter: counter, position: page.position, to: plain) else {
            throw Self.damaged(page, "can't be decrypted")
        }
    }

    private func encrypted(_ page: EncryptedPage) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[page.offset..<page.offset + EncryptedPage.byteCount])
    }

    /// The number that a page was encrypted with; nil where the page was never written.
    ///
    /// An interrupted write may have left the page as it was before: the record keeps what belongs to that, too.
    private func counter(of page: EncryptedPage) throws(InputError) -> UInt32? {
        let halves = [page.recordOffset, page.recordOffset + EncryptedPage.halfRecordBytes]
        let counters = halves.map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
        guard counters[0] != 0 else {
            // No program writes an authenticator without a counter.
            guard bytes[halves[0]..<halves[1]].allSatisfy({ $0 == 0 }) else {
                throw Self.damaged(page, "has a record without its counter")
            }
            return nil
        }
        let encrypted = encrypted(page)
        let authenticator = cipher.authenticator(of: encrypted)
        for (counter, half) in zip(counters, halves)
        where counter != 0 && isSame(authenticator, at: half + EncryptedPage.counterBytes) { return counter }
        guard encrypted.allSatisfy({ $0 == 0 }) else {
            throw Self.damaged(page, "is not the one that was written")
        }
        return nil
    }

    /// A page that can't be what was written; pages are counted without those of records, and from 0.
    private static func damaged(_ page: EncryptedPage, _ what: String) -> InputError {
        .damaged("data page \(page.index) of the encrypted file \(what)", at: page.offset)
    }

    private func isSame(_ authenticator: [UInt8], at offset: Int) -> Bool {
        authenticator.count == PageCipher.authenticatorBytes
            && bytes[offset..<offset + authenticator.count].elementsEqual(authenticator)
    }
}
