import Columns
import RealmFile
import RealmModel
import Testing

/// A file that is no realm, or none that can be read, is refused by its header.
struct RefusedFileTests {
    enum NoRealm: String, CaseIterable {
        case nothing, document, zeros, page

        var bytes: [UInt8] {
            switch self {
            case .nothing: []
            case .document: Array("{}".utf8)
            case .zeros: [UInt8](repeating: 0, count: 100)
            case .page: [UInt8](repeating: 7, count: 4096)
            }
        }
    }

    @Test(arguments: NoRealm.allCases)
    func `refuses what is no realm`(_ file: NoRealm) {
        let bytes = file.bytes
        #expect(error(of: bytes)?.code == .notARealm)
    }

    @Test func `says that a file of whole pages may be encrypted`() {
        var bytes = [UInt8](repeating: 0xa5, count: 8192)
        bytes.replaceSubrange(0..<4, with: [3, 0, 0, 0])
        #expect(error(of: bytes)?.code == .wrongEncryptionKey)
        #expect(error(of: bytes)?.message.contains("is encrypted") == true)
    }

    @Test(arguments: [0, 1, 12, 19, 25, 255] as [UInt8])
    func `refuses formats that were never released and names them`(_ version: UInt8) throws {
        let pair = try #require(
            SharedFiles.fixtures.first { $0.realm.lastPathComponent == "minimal-written-v24.realm" })
        var bytes = try SharedFiles.bytes(pair.realm)
        bytes[20] = version
        let error = try #require(self.error(of: bytes))
        #expect(error.code == .unsupportedFormat)
        #expect(error.message.hasPrefix("File format version \(version) is not supported"))
        #expect(error.details.first?.offset == 20)
    }

    @Test(
        .enabled(if: SharedFiles.root != nil, "shared files are missing"),
        arguments: ["core13_test_upgrade_progress_3.realm", "swift_Realm_Tests_mixed-column.realm"])
    func `refuses files that no SDK could read`(_ name: String) throws {
        let folder = try #require(SharedFiles.root).appending(path: "realms/upstream")
        #expect(error(of: try SharedFiles.bytes(folder.appending(path: name)))?.code == .unsupportedFormat)
    }

    @Test(arguments: [(SchemaLimit.classCount + 1, 1, "4096 classes"), (2, 32_768, "65535 properties")])
    func `refuses a schema that is too large, before its objects`(
        classes: Int, properties: Int, limit: String
    ) throws {
        let stored = (0..<classes).map { number in
            StoredClass(
                empty: ObjectSchema("C\(number)", properties: (0..<properties).map { Property("p\($0)", .int) }))
        }
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema(stored.map(\.schema)), classes: stored)
        let store = MemorySegmentStore()
        var writer = RealmFileWriter(snapshot, from: store, options: RealmFileWriter.Options())
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        let error = try #require(self.error(of: bytes))
        #expect(error.code == .tooLarge)
        #expect(error.message.contains(limit))
    }

    private func error(of bytes: [UInt8]) -> InputError? {
        do {
            try bytes.withUnsafeBytes { _ = try RealmFileReader(bytes: $0).read(into: MemorySegmentStore()) }
            return nil
        } catch {
            return error as? InputError
        }
    }
}
