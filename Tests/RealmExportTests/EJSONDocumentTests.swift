import RealmJSON
import RealmModel
import Testing

@testable import RealmExport

/// Documents of Extended JSON.
struct EJSONDocumentTests {
    @Test func `keep a property that is called as the object key is`() throws {
        let note = ObjectSchema("Note", properties: [Property("_key", .int), Property("text", .string)])
        let object = try JSONValue.parse(Array(#"{"_key": 5, "_key_2": 77, "text": "a"}"#.utf8))
        var losses: [NameKey: Losses] = [:]
        let document = EJSONDocuments(Schema([note])).document(of: object, note, losses: &losses)
        let expected = #"{"_id":{"$numberLong":"5"},"_key":{"$numberLong":"77"},"text":"a"}"#
        #expect(String(decoding: document.encoded(), as: UTF8.self) == expected)
        #expect(losses.isEmpty)
    }
}
