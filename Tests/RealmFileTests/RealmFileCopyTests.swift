import Columns
import Foundation
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

struct RealmFileCopyTests {
    private static let files =
        SharedFiles.fixtures.map(\.realm) + SharedFiles.decoderCorpus.map(\.realm) + SharedFiles.cases.map(\.realm)
        + SharedFiles.synced.map(\.realm) + SharedFiles.realms(in: "realms/generated")
        + SharedFiles.realms(in: "realms/upstream")

    /// Of another format than the last two, or with links that lead to tombstones: what has to be decoded.
    private static func isDecoded(_ error: InputError) -> Bool {
        ["the version of the format", "a link to a tombstone", "an asymmetric class", "a file without tables"].contains
        {
            error.message.hasSuffix("for \($0).")
        }
    }

    @Test(arguments: SharedFiles.fixtures.map(\.realm) + SharedFiles.synced.map(\.realm))
    func `copies what Realm Core wrote`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        guard (try? ReadRealm(bytes)) != nil else { return }
        do {
            let copied = try CopiedRealm(bytes) { $0 }
            #expect(try copied.realm.differences() == [])
            try copied.realm.checkStructure(fillsLeaves: false)
        } catch let error as InputError {
            #expect(Self.isDecoded(error), "\(error.message)")
        }
    }

    @Test(arguments: files)
    func `copies what Realm Core wrote, whatever becomes of the schema`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        guard (try? ReadRealm(bytes)) != nil else { return }
        // Another change for each file.
        let seed = file.path.utf8.reduce(UInt64(bytes.count)) { $0 &* 31 &+ UInt64($1) }
        do {
            let copied = try CopiedRealm(bytes) {
                var change = RandomSchemaChange(seed: seed)
                return change($0)
            }
            #expect(try copied.realm.differences() == [])
            try copied.realm.checkStructure(fillsLeaves: false)
        } catch let error as InputError {
            #expect(Self.isDecoded(error), "\(error.message)")
        }
    }

    @Test(arguments: Seeds.few(7, many: 100), WrittenFormat.allCases)
    func `copies random realms, whatever becomes of the schema`(seed: UInt64, format: WrittenFormat) throws {
        let random = try RandomSnapshot(
            seed: seed, objectLimit: seed < 1 ? 1200 : 400, limits: RowGroupLimits(rows: 100, bytes: 1 << 20))
        let options = RealmFileWriter.Options(format: format)
        guard let written = try? WrittenRealm(random.snapshot, from: random.store, options: options) else {
            // Format 23 has no collections in mixed values.
            return #expect(format == .v23)
        }
        for changeSeed in seed * 8..<seed * 8 + 2 {
            let copied = try CopiedRealm(written.bytes) {
                var change = RandomSchemaChange(seed: changeSeed)
                return change($0)
            }
            #expect(try copied.realm.differences() == [])
            try copied.realm.checkStructure()
        }
    }

    /// A copy of a copy is the same again.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `copies a copy to the same bytes`(seed: UInt64) throws {
        let random = try RandomSnapshot(
            seed: seed, objectLimit: 400, limits: RowGroupLimits(rows: 100, bytes: 1 << 20))
        let written = try WrittenRealm(random.snapshot, from: random.store)
        let first = try CopiedRealm.copy(written.bytes) { $0 }
        #expect(try CopiedRealm.copy(first) { $0 } == first)
        #expect(try CopiedRealm.copy(first, endsPage: true, changedBy: { $0 }).count.isMultiple(of: 4096))
    }

    @Test(arguments: Seeds.few(4, many: 50))
    func `copies an index however little memory there is`(seed: UInt64) throws {
        let random = try RandomSnapshot(
            seed: seed, objectLimit: 1200, limits: RowGroupLimits(rows: 100, bytes: 1 << 20))
        let written = try WrittenRealm(random.snapshot, from: random.store)
        func copy(indexBytes: Int) throws -> [UInt8] {
            try CopiedRealm.copy(written.bytes, options: .init(indexBytes: indexBytes)) { $0 }
        }
        #expect(try copy(indexBytes: 1) == copy(indexBytes: .max))
    }

    private static let damaged = SharedFiles.fixtures.filter {
        ["minimal-written-v24.realm", "random-119.realm", "removeprop-all-types.realm"].contains(
            $0.realm.lastPathComponent)
    }

    @Test(arguments: damaged)
    func `copies no change of a byte unseen`(_ pair: SharedFiles.Pair) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        var generator = SeededGenerator(seed: 5)
        var copies = 0
        for offset in stride(from: 24, to: bytes.count, by: Seeds.areMany || bytes.count < 1000 ? 1 : 37) {
            var changed = bytes
            changed[offset] ^= [0x01, 0x80, 0xff].randomElement(using: &generator) ?? 1
            if try isCopied(changed, "at \(offset)") { copies += 1 }
        }
        #expect(copies > 0 && copies < bytes.count)
    }

    @Test(arguments: files)
    func `copies no damage unseen`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        guard bytes.count < 200_000, (try? ReadRealm(bytes)) != nil else { return }
        var generator = SeededGenerator(seed: file.path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        for round in 0..<3 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 24..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    changed[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
                } else {
                    changed[place] = [0, 1, 2, 3, 8, 0x41, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
                }
            }
            _ = try isCopied(changed, "round \(round)")
        }
    }

    /// Whether a file can be copied; its values are those that decoding finds then, and its links have their backlinks.
    private func isCopied(_ bytes: [UInt8], _ comment: Comment) throws -> Bool {
        do {
            let copied = try CopiedRealm(bytes) { $0 }
            #expect(try copied.realm.differences() == copied.decoded.differences(), comment)
            let structure = FileStructure(copied.realm.bytes)
            #expect(try structure.gaps() == [], comment)
            let backlinks = try structure.backlinks().filter { !$0.value.isEmpty }
            #expect(
                try backlinks.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } } == copied.realm.links(),
                comment)
            return true
        } catch is InputError {
            return false
        }
    }
}
