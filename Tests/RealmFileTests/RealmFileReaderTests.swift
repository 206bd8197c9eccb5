import Columns
import Foundation
import RealmFile
import RealmJSON
import RealmModel
import Testing

struct RealmFileReaderTests {
    @Test(arguments: SharedFiles.fixtures + SharedFiles.decoderCorpus + SharedFiles.cases)
    func `reads what Realm Core wrote`(_ pair: SharedFiles.Pair) throws {
        let realm = try ReadRealm(try SharedFiles.bytes(pair.realm))
        let file = try JSONValue.parse(try SharedFiles.bytes(pair.document))
        let document = try #require(pair.member.map { file[$0] } ?? file)
        let expected = CanonicalDocument.lines(document)
        let read = CanonicalDocument.lines(RealmDocument(realm).json)
        #expect(read.count == expected.count)
        let difference = zip(read, expected).first { $0 != $1 }
        #expect(difference == nil, "\(difference?.0.prefix(400) ?? "")\n\(difference?.1.prefix(400) ?? "")")
    }

    @Test(arguments: SharedFiles.fixtures, [1, 3, 100, 300])
    func `reads the same whatever the size of row groups`(_ pair: SharedFiles.Pair, rows: Int) throws {
        let bytes = try SharedFiles.bytes(pair.realm)
        let limits = RowGroupLimits(rows: rows, bytes: 1000)
        let document = RealmDocument(try ReadRealm(bytes, limits: limits)).json
        #expect(document == RealmDocument(try ReadRealm(bytes)).json)
    }

    @Test(.enabled(if: SharedFiles.root != nil, "shared files are missing"))
    func `reads three hundred thousand objects`() throws {
        let folder = try #require(SharedFiles.root).appending(path: "cases/files")
        let realm = try ReadRealm(try SharedFiles.bytes(folder.appending(path: "big_300k.realm")))
        let digest = try JSONValue.parse(try SharedFiles.bytes(folder.appending(path: "big_300k.json")))["digest"]
        let objects = try #require(realm.objects["Reading"])
        #expect(objects.count == 299_700)
        let document = RealmDocument(realm)
        let schema = try #require(realm.snapshot["Reading"]?.schema)
        for (part, name) in [(objects.prefix(3), "first"), (objects.suffix(3), "last")] {
            let expected = try #require(digest?["Reading"]?[name]?.elements)
            #expect(part.map { document.object($0, of: schema, isInline: false) } == expected)
        }
    }
}
