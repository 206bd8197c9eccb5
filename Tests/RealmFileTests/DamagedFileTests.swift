import Columns
import RealmFile
import RealmModel
import TestRandomness
import Testing

/// Files that were cut or changed are errors with a place, or read as something else; they never stop the program.
struct DamagedFileTests {
    private static let small = SharedFiles.fixtures.filter {
        ["minimal-written-v24.realm", "random-119.realm", "removeprop-all-types.realm"].contains(
            $0.realm.lastPathComponent)
    }

    @Test(arguments: small)
    func `refuses a file cut at any length`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        for length in 0..<bytes.count {
            let error = #expect(throws: InputError.self) { try read(Array(bytes[..<length])) }
            let code = try #require(error?.code)
            #expect(length < 20 ? code == .notARealm : code == .truncated || code == .damaged, "at \(length)")
            let offset = try #require(error?.details.first?.offset)
            #expect(length < 20 || offset <= length)
        }
    }

    @Test(arguments: small)
    func `survives any change of a byte`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        var refused = 0
        for offset in Array(0..<min(bytes.count, 1024)) + Array(stride(from: 1024, to: bytes.count, by: 29)) {
            for change: UInt8 in [0x01, 0xff] {
                var changed = bytes
                changed[offset] ^= change
                if !isReadable(changed) { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    /// Files of older formats, where they lie beside the package.
    private static let old: [SharedFiles.Pair] = {
        guard let folder = SharedFiles.root?.appending(path: "realms/upstream") else { return [] }
        return [
            "core13_test_upgrade_database_9_to_10_pk_table", "js_dates-v3", "test_upgrade_database_1000_22",
            "default-v5",
        ].map {
            let realm = folder.appending(path: $0 + ".realm")
            return SharedFiles.Pair(realm: realm, document: realm)
        }
    }()

    @Test(arguments: small + old)
    func `survives random changes of several bytes`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<4 {
                changed[Int.random(in: 16..<bytes.count, using: &generator)] =
                    [0, 1, 2, 8, 0x7f, 0x80, 0xc0, 0xff].randomElement(using: &generator) ?? 0
            }
            _ = isReadable(changed)
        }
    }

    @Test func `stops when nodes refer to each other in circles`() throws {
        // The cluster of A says that its only column is a list, whose tree is any node of the file, itself included.
        let pair = try #require(
            SharedFiles.fixtures.first { $0.realm.lastPathComponent == "minimal-written-v24.realm" })
        let bytes = try SharedFiles.bytes(pair.realm)
        for ref: UInt8 in stride(from: 0x18, to: 0xd0, by: 8) {
            for offset in [0x1a8, 0x1aa, 0x188 + 8, 0x120 + 1, 0x108 + 8] {
                var changed = bytes
                changed[offset] = ref
                _ = isReadable(changed)
            }
        }
    }

    @Test func `names class, property and offset of the damage`() throws {
        let pair = try #require(
            SharedFiles.fixtures.first { $0.realm.lastPathComponent == "minimal-written-v24.realm" })
        var bytes = try SharedFiles.bytes(pair.realm)
        bytes[0x108 + 7] = 2  // the leaf of A.x holds two values for one object
        let error = #expect(throws: InputError.self) { try read(bytes) }
        #expect(
            error?.message
                == "The file is damaged at byte 264: a leaf of 2 values for 1 objects (property 'A.x').")
        #expect(
            error?.details == [ProblemItem(error?.message ?? "", className: "A", property: "x", offset: 264)])
    }

    private func read(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            let reader = try RealmFileReader(bytes: bytes)
            _ = try reader.summary()
            _ = try reader.read(into: MemorySegmentStore())
        }
    }

    /// Reads every value; whatever is thrown has to be an `InputError`.
    private func isReadable(_ bytes: [UInt8]) -> Bool {
        do {
            try bytes.withUnsafeBytes { _ = try RealmFileReader(bytes: $0).summary() }
            _ = try ReadRealm(tablesOf: bytes)
            return true
        } catch {
            #expect(error is InputError, "\(error)")
            return false
        }
    }
}
