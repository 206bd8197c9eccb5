import Columns
import Foundation
import RealmModel
import Testing

@testable import RealmFile

struct EncryptedWritingTests {
    private static let page = EncryptedPage.byteCount
    private static let block = EncryptedPage.blockBytes

    /// Lengths of whole pages around the borders of blocks.
    private static let pageCounts = [1, 2, 3, 63, 64, 65, 128, 129, 193]

    @Test(arguments: pageCounts, [1, 4095, 4097, 262_143, 262_144, 262_145])
    func `decrypts what it encrypted, whatever the chunks`(pages: Int, chunk: Int) throws {
        // Chunks of one byte are slow and tell nothing new in long files.
        guard chunk > 1 || pages < 4 else { return }
        let plain = Self.file(pages: pages)
        let encrypted = try Self.encrypt(plain, chunk: chunk)
        let blocks = (pages + 63) / 64
        #expect(encrypted.count == (pages + blocks) * Self.page)
        #expect(try Self.decrypt(encrypted, Self.key()) == plain)
    }

    @Test(arguments: [1, 2, 4079, 4080, 4081, 4096, 8192 - 16, 8192 - 15, 262_144 - 16, 262_144 - 8, 262_144])
    func `pads so that the footer ends on a page`(offset: Int) {
        let padding = PageEncryptor.padding(at: offset, before: 16)
        #expect((offset + padding.count + 16).isMultiple(of: Self.page))
        #expect(padding.count < Self.page)
        #expect(padding.allSatisfy { $0 == 0 })
    }

    /// Objects that take from one page of the file to several blocks of pages, in small steps around the borders.
    @Test(arguments: [0, 1, 2, 50, 100, 700, 1100, 1150, 1200, 1250, 1300, 2400, 5000])
    func `writes an encrypted file that holds what the plain one does`(objects: Int) throws {
        let store = MemorySegmentStore()
        let snapshot = try Self.snapshot(objects: objects, in: store)
        let plain = try Self.write(snapshot, from: store, encryption: nil)
        let encrypted = try Self.write(snapshot, from: store, encryption: try Self.encryption())
        #expect(encrypted.count.isMultiple(of: Self.page))
        let decrypted = try Self.decrypt(encrypted, Self.key())
        #expect(decrypted.dropLast(16).starts(with: plain.dropLast(16)))
        #expect(decrypted.suffix(16) == plain.suffix(16))
        #expect(decrypted.count - plain.count < Self.page)
        let realm = try ReadRealm(decrypted)
        #expect(realm.snapshot.classes.map(\.objectCount) == [objects])
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `writes random realms encrypted`(seed: UInt64) throws {
        let random = try RandomSnapshot(seed: seed, objectLimit: 1200, limits: .standard)
        let plain = try Self.write(random.snapshot, from: random.store, encryption: nil)
        let encrypted = try Self.write(random.snapshot, from: random.store, encryption: try Self.encryption())
        let decrypted = try Self.decrypt(encrypted, Self.key())
        #expect(decrypted.dropLast(16).starts(with: plain.dropLast(16)))
        let again = try WrittenRealm(rewriting: decrypted)
        #expect(try again.differences() == [])
    }

    @Test func `shows neither the key nor anything of the file`() throws {
        let plain = [UInt8](repeating: 0x41, count: Self.page * 3)
        let encrypted = try Self.encrypt(plain, chunk: 4096)
        let text = [UInt8](repeating: 0x41, count: 16)
        let isVisible = stride(from: 0, to: encrypted.count, by: 16).contains {
            encrypted[$0..<$0 + 16].elementsEqual(text)
        }
        #expect(!isVisible)
        // Pages of the same bytes are told apart by their positions, and files of one key by their counters.
        let pages = (1...3).map { Array(encrypted[$0 * Self.page..<($0 + 1) * Self.page]) }
        #expect(Set(pages).count == 3)
        #expect(try Self.encrypt(plain, chunk: 4096, counter: 8) != encrypted)
    }

    @Test(arguments: [0, 1, 63, 64, 128, 129])
    func `says which page was changed`(page: Int) throws {
        let encrypted = try Self.encrypt(Self.file(pages: page + 2), chunk: 1 << 16)
        let place = EncryptedPage(index: page)
        for offset in [0, 1, 17, 2048, 4095].map({ place.offset + $0 }) + [4, 31].map({ place.recordOffset + $0 }) {
            var damaged = encrypted
            damaged[offset] ^= 0x40
            let error = #expect(throws: InputError.self) { try Self.decrypt(damaged, Self.key()) }
            #expect(error?.code == .damaged)
            #expect(error?.details.first?.offset == place.offset)
            #expect(
                error?.message
                    == "The file is damaged at byte \(place.offset): data page \(page) of the encrypted file "
                    + "is not the one that was written.")
        }
    }

    @Test func `refuses a record that lost its counter`() throws {
        var encrypted = try Self.encrypt(Self.file(pages: 3), chunk: 4096, counter: 1)
        encrypted[EncryptedPage(index: 2).recordOffset] ^= 1
        let error = #expect(throws: InputError.self) { try Self.decrypt(encrypted, Self.key()) }
        #expect(error?.message.contains("data page 2 of the encrypted file has a record without its counter") == true)
    }

    @Test func `refuses pages that changed places`() throws {
        let encrypted = try Self.encrypt(Self.file(pages: 4), chunk: 4096)
        var swapped = encrypted
        let (first, second) = (EncryptedPage(index: 1).offset, EncryptedPage(index: 2).offset)
        swapped.replaceSubrange(first..<first + Self.page, with: encrypted[second..<second + Self.page])
        let error = #expect(throws: InputError.self) { try Self.decrypt(swapped, Self.key()) }
        #expect(error?.message.contains("data page 1 ") == true)
    }

    @Test(arguments: [0, 31, 32, 63], [1, 2, 130])
    func `tells a wrong key from a damaged first page`(index: Int, pages: Int) throws {
        var bytes = [UInt8](0..<64)
        bytes[index] ^= 1
        let wrong = try #require(EncryptionKey(bytes: bytes))
        let encrypted = try Self.encrypt(Self.file(pages: pages), chunk: 4096)
        let error = #expect(throws: InputError.self) { try Self.decrypt(encrypted, wrong) }
        #expect(error?.code == .wrongEncryptionKey)
        #expect(
            error?.message
                == "The encryption key does not fit the first page of the file, or the file is no Realm file.")
    }

    @Test func `tells a file that was cut at any page`() throws {
        let store = MemorySegmentStore()
        let snapshot = try Self.snapshot(objects: 1300, in: store)
        let encrypted = try Self.write(snapshot, from: store, encryption: try Self.encryption())
        for count in stride(from: 0, to: encrypted.count, by: Self.page) {
            #expect(throws: InputError.self) {
                _ = try ReadRealm(try Self.decrypt(Array(encrypted.prefix(count)), Self.key()))
            }
        }
    }

    // MARK: - Making files

    private static func key() throws -> EncryptionKey { try #require(EncryptionKey(bytes: 0..<64)) }

    private static func encryption(counter: UInt32 = 7) throws -> PageEncryption {
        PageEncryption(key: try key(), counter: counter)
    }

    /// Bytes with the mark of a Realm file, no page like another.
    private static func file(pages: Int) -> [UInt8] {
        let first = (0..<page).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var bytes: [UInt8] = []
        for number in 0..<pages { bytes += first.prefix(page - 1) + [UInt8(truncatingIfNeeded: number)] }
        bytes.replaceSubrange(16..<20, with: FileHeader.magic)
        return bytes
    }

    private static func encrypt(_ plain: [UInt8], chunk: Int, counter: UInt32 = 7) throws -> [UInt8] {
        let encryptor = try PageEncryptor(try encryption(counter: counter))
        var encrypted: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: chunk) {
            encrypted += try encryptor.encrypt(Array(plain[start..<min(start + chunk, plain.count)]))
        }
        return encrypted + (try encryptor.finish())
    }

    private static func decrypt(_ bytes: [UInt8], _ key: EncryptionKey) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            var plain: [UInt8] = []
            try EncryptedRealmFile(bytes: bytes, key: key).decrypt { plain += $0 }
            return plain
        }
    }

    private static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, encryption: PageEncryption?
    ) throws -> [UInt8] {
        var writer = RealmFileWriter(snapshot, from: store, options: .init(chunkBytes: 1 << 14, encryption: encryption))
        var sink = CollectedBytes()
        try writer.write(to: &sink)
        return sink.bytes
    }

    /// Objects with some 200 bytes each that don't repeat.
    private static func snapshot(objects: Int, in store: any SegmentStore) throws -> Snapshot {
        let schema = ObjectSchema("Note", properties: [Property("text", .string), Property("n", .int)])
        let writer = ClassWriter(schema: schema, store: store)
        for n in 0..<Int64(objects) {
            try writer.columns[0].append(variable: Array(String(repeating: "\(n) ", count: 40).utf8))
            writer.columns[1].append(int: n)
            try writer.endRow(key: ObjectKey(n))
        }
        let stored = try writer.finish(nextSequence: Int64(objects))
        return Snapshot(schemaVersion: 1, declared: Schema([schema]), classes: [stored])
    }
}
