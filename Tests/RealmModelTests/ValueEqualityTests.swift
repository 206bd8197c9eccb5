import RealmModel
import Testing

@Suite struct ValueEqualityTests {
    @Test(arguments: [
        (Value.string("\u{e9}"), Value.string("e\u{301}")), (.double(0), .double(-0.0)), (.int(1), .double(1)),
        (.float(1), .double(1)), (.int(1), .bool(true)), (.list([]), .dictionary([])), (.null, .list([.null])),
        (.dictionary([DictionaryEntry("\u{e9}", .null)]), .dictionary([DictionaryEntry("e\u{301}", .null)])),
        (.typedLink(className: "A", ObjectKey(1)), .link(ObjectKey(1))), (.double(.nan), .double(-.nan)),
    ])
    func `what is stored differently differs`(lhs: Value, rhs: Value) {
        #expect(lhs != rhs)
        #expect(Set([lhs, rhs]).count == 2)
    }

    @Test(arguments: [
        Value.double(.nan), .float(.signalingNaN), .string("e\u{301}"), .data([1]), .objectId(.zero), .uuid(.zero),
        .list([.string("a"), .null]), .dictionary([DictionaryEntry("", .double(.nan))]), .decimal128(.notANumber),
    ])
    func `a value equals itself`(value: Value) {
        #expect(value == value)
        #expect(Set([value, value]).count == 1)
    }
}
