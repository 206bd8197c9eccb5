import Columns
import Foundation
import RealmModel
import Testing

@testable import RealmFile

struct RealmFileWriterTests {
    private static let upstream: [URL] =
        SharedFiles.realms(in: "realms/upstream") + SharedFiles.realms(in: "realms/generated")

    @Test(arguments: SharedFiles.fixtures + SharedFiles.decoderCorpus + SharedFiles.cases)
    func `writes what it read`(_ pair: SharedFiles.Pair) throws {
        let realm = try WrittenRealm(rewriting: try SharedFiles.bytes(pair.realm))
        let differences = try realm.differences()
        #expect(differences == [])
    }

    @Test(arguments: upstream)
    func `writes what the files of other projects hold`(_ file: URL) throws {
        let bytes = try SharedFiles.bytes(file)
        guard let realm = try? ReadRealm(bytes) else { return }
        let written = try WrittenRealm(rewriting: bytes)
        let differences = try written.differences()
        #expect(differences == [])
        #expect(written.snapshot.classes.count == realm.snapshot.classes.count)
    }

    @Test(arguments: SharedFiles.fixtures, [1, 2, 3, 256, 257])
    func `writes the same objects whatever the size of row groups`(_ pair: SharedFiles.Pair, rows: Int) throws {
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let realm = try WrittenRealm(rewriting: try SharedFiles.bytes(pair.realm), limits: limits)
        let differences = try realm.differences()
        #expect(differences == [])
    }
}
