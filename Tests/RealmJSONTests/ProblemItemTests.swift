import RealmJSON
import RealmModel
import Testing

@Suite struct ProblemItemTests {
    private static let primaryKeys: [Value?] = [
        nil, .null, .int(.max), .int(.min), .string(""), .string("Ada \u{0}\"\u{1f600}"),
        ObjectId(bytes: Array(1...12)).map { .objectId($0) }, RealmModel.UUID(bytes: Array(1...16)).map { .uuid($0) },
    ]

    @Test(arguments: primaryKeys)
    func `reads an item back as it was written`(primaryKey: Value?) throws {
        let whole = ProblemItem(
            "m", pointer: "/a/0", className: "A", property: "p", key: ObjectKey(-1), primaryKey: primaryKey, step: 7,
            line: 1, column: 2, offset: 3)
        for item in [whole, ProblemItem("", primaryKey: primaryKey)] {
            #expect(try ProblemItem(json: JSONValue.parse(item.json.encoded())) == item)
        }
    }

    @Test func `writes what is known and nothing else`() {
        #expect(ProblemItem("m").json == ["message": "m"])
        let item = ProblemItem("m", className: "A", key: ObjectKey(4), primaryKey: .string("Ada"), step: 2, line: 9)
        #expect(
            item.json == ["class": "A", "key": 4, "primaryKey": "Ada", "step": 2, "line": 9, "message": "m"])
    }

    @Test func `refuses an item without a message`() {
        #expect(throws: InputError.self) { try ProblemItem(json: ["class": "A"]) }
    }
}
