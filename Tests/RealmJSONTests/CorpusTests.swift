import Columns
import RealmJSON
import RealmModel
import Testing

@Suite struct CorpusTests {
    @Test(arguments: [(RealmJSONWriter.Layout.document, 2), (.lines, 16_384)])
    func `writes every document of the corpus as it was read`(layout: RealmJSONWriter.Layout, rows: Int) throws {
        for (id, document) in try Corpus.documents() + Corpus.files() {
            let store = MemorySegmentStore()
            let limits = RowGroupLimits(rows: rows, bytes: 8 << 20)
            do {
                let snapshot = try Document.read(document.encoded(), into: store, limits: limits)
                let text = try Document.write(snapshot, from: store, layout)
                let again = MemorySegmentStore()
                let second = try Document.read(text, layout, into: again, limits: limits, chunk: 64)
                let written = try JSONValue.parse(try Document.write(second, from: again))
                let expected = try Document.normalised(document)
                let found = try Document.normalised(written)
                #expect(found.encoded() == expected.encoded(), "\(id)")
            } catch {
                Issue.record("\(id): \(error)")
            }
        }
    }
}
