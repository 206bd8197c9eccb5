import RealmModel

/// Encrypts a file from its first byte to its last, REALM_FORMAT section 18.
///
/// The page of records precedes the 64 pages that it is about, so that up to 256 KiB wait for the rest of their block.
public final class PageEncryptor {
    private let cipher: PageCipher
    private let counter: UInt32
    /// The plain bytes of the block that is not whole yet.
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: EncryptedPage.blockBytes, alignment: 16)
    private var filled = 0
    /// The first page of the block.
    private var firstPage = 0

    /// Begins a file.
    ///
    /// - Throws: `InputError` where libcrypto has no memory for a context.
    public init(_ encryption: PageEncryption) throws(InputError) {
        cipher = try PageCipher(encryption.key)
        counter = encryption.counter
    }

    deinit { block.deallocate() }

    /// Zeros that let a file end on a page.
    ///
    /// - Parameters:
    ///   - offset: where the zeros go.
    ///   - count: bytes that follow them and end the file.
    static func padding(at offset: Int, before count: Int) -> [UInt8] {
        let rest = (offset + count) % EncryptedPage.byteCount
        return [UInt8](repeating: 0, count: rest == 0 ? 0 : EncryptedPage.byteCount - rest)
    }

    /// Takes the next bytes and hands out the blocks that are whole with them; often none.
    public func encrypt(_ bytes: [UInt8]) throws(InputError) -> [UInt8] {
        var encrypted: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, block.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: block[filled..<filled + count]).copyBytes(from: rest.prefix(count))
            filled += count
            rest = rest.dropFirst(count)
            if filled == block.count { encrypted += try sealed() }
        }
        return encrypted
    }

    /// The last block, empty where there is nothing left.
    ///
    /// The bytes that it took in all have to be whole pages.
    public func finish() throws(InputError) -> [UInt8] {
        filled == 0 ? [] : try sealed()
    }

    /// Encrypts the block and begins the next.
    private func sealed() throws(InputError) -> [UInt8] {
        let pages = filled / EncryptedPage.byteCount
        defer {
            filled = 0
            firstPage += pages
        }
        var isSealed = true
        let bytes = [UInt8](unsafeUninitializedCapacity: (pages + 1) * EncryptedPage.byteCount) { buffer, count in
            let file = UnsafeMutableRawBufferPointer(buffer)
            file.initializeMemory(as: UInt8.self, repeating: 0)
            for page in 0..<pages where isSealed { isSealed = seal(page, to: file) }
            count = file.count
        }
        guard isSealed else { throw InputError(.wrongEncryptionKey, "The file can't be encrypted: the cipher failed.") }
        return bytes
    }

    /// Encrypts one page of the block and writes the record about it.
    private func seal(_ page: Int, to file: UnsafeMutableRawBufferPointer) -> Bool {
        let plain = page * EncryptedPage.byteCount
        let inBlock = EncryptedPage(index: page)
        let sealed = UnsafeMutableRawBufferPointer(
            rebasing: file[inBlock.offset..<inBlock.offset + EncryptedPage.byteCount])
        let isEncrypted = cipher.encrypt(
            UnsafeRawBufferPointer(rebasing: block[plain..<plain + EncryptedPage.byteCount]), counter: counter,
            position: EncryptedPage(index: firstPage + page).position, to: sealed)
        let authenticator = cipher.authenticator(of: UnsafeRawBufferPointer(sealed))
        guard isEncrypted, authenticator.count == PageCipher.authenticatorBytes else { return false }
        file.storeBytes(of: counter.littleEndian, toByteOffset: inBlock.recordOffset, as: UInt32.self)
        let start = inBlock.recordOffset + EncryptedPage.counterBytes
        UnsafeMutableRawBufferPointer(rebasing: file[start...].prefix(authenticator.count)).copyBytes(
            from: authenticator)
        return true
    }
}
