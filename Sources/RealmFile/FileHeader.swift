import RealmModel

/// The first 24 bytes of a file, and the footer of the streaming form: REALM_FORMAT section 1.
struct FileHeader {
    static let byteCount = 24
    private static let footerBytes = 16
    static let magic = Array("T-DB".utf8)
    static let footerMagic: UInt64 = 0x3034_1252_37E5_26C8

    /// The version of the format of the current top; 0 where no program has decided yet.
    let formatVersion: Int
    /// Where the group's top array is; 0 in a file without tables.
    let topRef: Int64
    /// Whether the file is in the compact form that is written in one go.
    let isStreaming: Bool
    /// Bytes from the start up to which there are nodes.
    let nodesEnd: Int

    /// Reads the header of an unencrypted file.
    ///
    /// - Throws: `notARealm`, `truncated`, `damaged`, or `wrongEncryptionKey` where the file seems to be encrypted.
    init(_ bytes: UnsafeRawBufferPointer) throws(InputError) {
        guard Self.hasMark(bytes) else { throw Self.foreign(bytes) }
        guard bytes.count >= Self.byteCount else { throw .truncated("its header is incomplete", at: bytes.count) }
        let slot = Int(bytes[23] & 1)
        let top = bytes.loadUnaligned(fromByteOffset: slot * 8, as: UInt64.self)
        formatVersion = Int(bytes[20 + slot])
        isStreaming = slot == 0 && top == .max
        if isStreaming {
            nodesEnd = bytes.count - Self.footerBytes
            topRef = try Self.footer(bytes)
        } else {
            nodesEnd = bytes.count
            topRef = Int64(bitPattern: UInt64(littleEndian: top))
        }
        try checkTop(bytes)
    }

    /// Whether bytes bear the mark of an unencrypted file.
    static func hasMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 20 && bytes[16..<20].elementsEqual(magic)
    }

    /// Whether bytes have the shape of an encrypted file (section 18): whole pages, and a first page written before.
    static func seemsEncrypted(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8192, bytes.count.isMultiple(of: 4096) else { return false }
        let counter = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        return (1..<1 << 24).contains(counter) && !hasMark(bytes)
    }

    /// The error for bytes that do not bear the mark.
    static func foreign(_ bytes: UnsafeRawBufferPointer) -> InputError {
        if seemsEncrypted(bytes) {
            return InputError(
                .wrongEncryptionKey,
                ProblemItem("The file is no Realm file, or it is encrypted and needs its key.", offset: 0))
        }
        return InputError(
            .notARealm, ProblemItem("The file is no Realm file: its header has no mark 'T-DB'.", offset: 16))
    }

    private static func footer(_ bytes: UnsafeRawBufferPointer) throws(InputError) -> Int64 {
        let start = bytes.count - footerBytes
        guard start >= byteCount,
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)) == footerMagic
        else { throw .truncated("the footer of its streaming form is missing", at: bytes.count) }
        return Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
    }

    private func checkTop(_ bytes: UnsafeRawBufferPointer) throws(InputError) {
        guard topRef != 0 else {
            // A program that was lost before its first commit may leave this, too: to call such a file empty would hide the loss.
            guard let place = bytes[Self.byteCount..<max(nodesEnd, Self.byteCount)].firstIndex(where: { $0 != 0 })
            else { return }
            throw .damaged("its header names no data, but there is some", at: place)
        }
        guard topRef > 0, topRef & 7 == 0 else { throw .damaged("the reference to the top array", at: 0) }
        guard topRef <= nodesEnd - Node.headerBytes else {
            throw .truncated("its top array at byte \(topRef) is missing", at: nodesEnd)
        }
    }
}
