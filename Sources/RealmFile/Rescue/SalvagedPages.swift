import RealmModel

/// The pages of an encrypted file of which some are damaged.
///
/// A page is what one of the two halves of its record authenticates, or was never written; all others are damaged.
final class SalvagedPages {
    /// Bytes that the decrypted file has; a multiple of 4096.
    let decryptedByteCount: Int
    /// The data pages, by number, that are not what was written; they decrypt to zeros.
    let damaged: Set<Int>

    private let bytes: UnsafeRawBufferPointer
    private let cipher: PageCipher

    private enum State {
        case written(counter: UInt32)
        /// Never written: zeros.
        case blank
        case damaged
    }

    /// Looks at every page.
    ///
    /// - Parameters:
    ///   - bytes: the file, which may have been cut; it outlives this and does not change.
    ///   - key: what the file was encrypted with.
    /// - Returns: nil where the key fits none of the pages.
    /// - Throws: `InputError` where libcrypto has no memory.
    init?(bytes: UnsafeRawBufferPointer, key: EncryptionKey) throws(InputError) {
        let pages = bytes.count / EncryptedPage.byteCount
        guard pages >= 2 else { return nil }
        self.bytes = bytes
        let cipher = try PageCipher(key)
        self.cipher = cipher
        let count = EncryptedPage.dataPages(among: pages)
        decryptedByteCount = count * EncryptedPage.byteCount
        var damaged: Set<Int> = []
        var written = 0
        for index in 0..<count {
            switch Self.state(of: EncryptedPage(index: index), bytes, cipher) {
            case .written: written += 1
            case .blank: break
            case .damaged: damaged.insert(index)
            }
        }
        guard written > 0 else { return nil }
        self.damaged = damaged
    }

    /// Decrypts the block of a number; damaged pages of it become zeros.
    ///
    /// - Parameter memory: as many bytes as the block has.
    func decrypt(_ block: Int, to memory: UnsafeMutableRawBufferPointer) {
        let firstPage = block * (EncryptedRealmFile.blockBytes / EncryptedPage.byteCount)
        for start in stride(from: 0, to: memory.count, by: EncryptedPage.byteCount) {
            let page = EncryptedPage(index: firstPage + start / EncryptedPage.byteCount)
            let plain = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + EncryptedPage.byteCount])
            guard !damaged.contains(page.index), case .written(let counter) = Self.state(of: page, bytes, cipher),
                cipher.decrypt(Self.content(of: page, bytes), counter: counter, position: page.position, to: plain)
            else {
                plain.initializeMemory(as: UInt8.self, repeating: 0)
                continue
            }
        }
    }

    private static func state(of page: EncryptedPage, _ bytes: UnsafeRawBufferPointer, _ cipher: PageCipher) -> State {
        let content = content(of: page, bytes)
        let authenticator = cipher.authenticator(of: content)
        for half in [page.recordOffset, page.recordOffset + EncryptedPage.halfRecordBytes] {
            let counter = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: half, as: UInt32.self))
            let start = half + EncryptedPage.counterBytes
            if counter != 0, bytes[start..<start + authenticator.count].elementsEqual(authenticator) {
                return .written(counter: counter)
            }
        }
        return content.allSatisfy { $0 == 0 } ? .blank : .damaged
    }

    private static func content(of page: EncryptedPage, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[page.offset..<page.offset + EncryptedPage.byteCount])
    }
}

extension PlainRealmFile {
    /// Calls with the plain bytes of a damaged file, and the numbers of the pages that can't be decrypted.
    ///
    /// - Parameters:
    ///   - file: the whole file, which does not change.
    ///   - key: what it may be encrypted with; nil for a plain one.
    ///   - memory: where an encrypted file's plain bytes are while they are read.
    /// - Throws: `wrongEncryptionKey` where the key fits none of the pages; what the body throws.
    public static func withSalvagedBytes<Value>(
        of file: UnsafeRawBufferPointer, key: EncryptionKey?, in memory: some BlockMemory,
        _ body: (_ bytes: UnsafeRawBufferPointer, _ damagedPages: Set<Int>) throws -> Value
    ) throws -> Value {
        guard let key, !FileHeader.hasMark(file) else { return try body(file, []) }
        if let pages = try SalvagedPages(bytes: file, key: key) {
            return try memory.withBytes(
                count: pages.decryptedByteCount, blockBytes: EncryptedRealmFile.blockBytes, fill: pages.decrypt
            ) { try body($0, pages.damaged) }
        }
        do {
            // A plain file whose header is damaged.
            return try body(file, [])
        } catch let error as InputError where error.code == .notARealm || error.code == .wrongEncryptionKey {
            throw InputError(
                .wrongEncryptionKey,
                ProblemItem("The encryption key fits no page of the file, or the file is no Realm file.", offset: 0))
        }
    }
}
