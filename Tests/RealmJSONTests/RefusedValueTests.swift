import RealmModel
import Testing

@testable import RealmJSON

/// Faults of a value outside any object, or of a batch of a client's version, are told in a sentence.
struct RefusedValueTests {
    private static let schema = Schema([
        ObjectSchema("Note", primaryKey: "_id", properties: [Property("_id", .int), Property("title", .string)])
    ])

    private func message(of batch: String, version: UInt64?) -> String? {
        #expect(throws: InputError.self) {
            try ChangeBatchReader(Self.schema, version: version, limit: 10).read(Array(batch.utf8))
        }?.message
    }

    @Test func `a property that the client's version has not is named with the version`() {
        let batch = #"{"upserts": [{"class": "Note", "object": {"_id": 1, "titel": "x"}}]}"#
        #expect(
            message(of: batch, version: 1)?.hasPrefix(
                "The class Note of schema version 1 has no property “titel”: “title” is the nearest") == true)
        #expect(message(of: batch, version: nil)?.hasPrefix("The class Note has no property “titel”") == true)
    }

    @Test func `a class that the client's version has not is named with the version`() {
        let batch = #"{"upserts": [{"class": "Cat", "object": {"_id": 1}}]}"#
        #expect(message(of: batch, version: 1)?.contains("is no class of schema version 1") == true)
        #expect(message(of: batch, version: nil)?.contains("is no class of the schema") == true)
    }

    private static let wrong: [(Property, JSONValue, String)] = [
        (Property("size", .int), "x", "The value of size has to be an int: /value."),
        (Property("tags", .string, collection: .list), ["a", 1], "The value of tags has to be a string: /value."),
        (
            Property("owner", .object, objectType: "Note", isOptional: true), 1,
            "The value of owner has to be null: links have no other: /value."
        ),
    ]

    @Test(arguments: wrong)
    func `a value says what it has to be, and is called no default`(
        property: Property, value: JSONValue, message: String
    ) {
        let error = #expect(throws: InputError.self) { try value.value(of: property, at: "/value") }
        #expect(error?.message == message)
    }
}
