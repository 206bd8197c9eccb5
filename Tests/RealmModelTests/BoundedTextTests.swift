import RealmModel
import Testing

@Suite("14: texts are bounded") struct BoundedTextTests {
    @Test(arguments: ["x", "é", "€", "😀", "e\u{301}"], 3...40)
    func `cuts between characters, to the bytes that are there`(character: String, limit: Int) {
        let text = String(repeating: character, count: 20)
        let bounded = text.bounded(toBytes: limit)
        #expect(bounded.utf8.count <= limit)
        #expect(!bounded.contains("\u{FFFD}"))
        if text.utf8.count <= limit {
            #expect(bounded == text)
        } else {
            #expect(bounded.hasSuffix("…"))
            #expect(text.unicodeScalars.starts(with: bounded.unicodeScalars.dropLast()))
            #expect(bounded.utf8.count > limit - 4)
        }
    }
}
