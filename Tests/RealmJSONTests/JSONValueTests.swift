import RealmJSON
import RealmModel
import Testing

@Suite struct JSONValueTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "-9223372036854775808",
        "1.0", "-0.0", "1e-05",
        "1.7976931348623157e+308", "5e-324", #""""#, #""\u0000\u001f\b\f\n\r\t\"\\ é 😀""#, "[]", "{}",
        #"{"b":1,"a":[null,{"":{}}],"c":"x"}"#,
    ])
    func `writes what it read, byte for byte`(text: String) throws {
        #expect(String(decoding: try parse(text).encoded(), as: UTF8.self) == text)
        #expect(try JSONValue.parse(try parse(text).encoded(pretty: true)) == parse(text))
    }

    @Test(arguments: [
        ("9223372036854775808", JSONValue.unsigned(1 << 63)), ("18446744073709551615", .unsigned(.max)),
        ("18446744073709551616", .double(18_446_744_073_709_551_616)),
        ("100000000000000000000000", .double(1e23)),
        ("1E2", .double(100)),
        (#""\ud83d\ude00\/""#, .string("😀/")),
        ("\u{feff} 1 ", .int(1)),
    ])
    func `reads numbers and strings by their form`(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test(arguments: [
        ("", "the end is missing", 1, 1), ("[1,\n 2,]", "a value has to stand here", 2, 4),
        ("{\"a\" 1}", "a colon has to stand here", 1, 6), ("[1 2]", "a comma or ] has to stand here", 1, 4),
        ("01", "something follows the value", 1, 2), ("1e999", "a number that no double holds", 1, 1),
        ("[\"\\ud800\"]", "half of a surrogate pair", 1, 3), ("[\"\\udc00\"]", "half of a surrogate pair", 1, 3),
        ("\"\u{1}\"", "a control character has to be escaped in a string", 1, 2),
        ("{\"a\":1,\n\"\\u0061\":2}", "a member that stands twice in its object", 2, 1),
        ("nul", "the end is missing", 1, 4), ("+1", "a value has to stand here", 1, 1),
    ])
    func `says what is wrong and where`(text: String, reason: String, line: Int, column: Int) throws {
        let error = try #require(#expect(throws: InputError.self) { try parse(text) })
        let offset = try #require(error.details.first?.offset)
        #expect(error.code == .malformedJSON)
        #expect(error.message == "Malformed JSON: \(reason), at line \(line), column \(column) (byte \(offset)).")
        #expect(offset <= text.utf8.count)
    }

    @Test func `refuses strings that are not UTF-8`() throws {
        let error = try #require(
            #expect(throws: InputError.self) { try JSONValue.parse([0x5b, 0x22, 0xff, 0x22, 0x5d]) })
        #expect(error.message == "Malformed JSON: a string is not UTF-8, at line 1, column 2 (byte 1).")
    }

    @Test func `limits the depth of nesting`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        }
        #expect(throws: Never.self) { try JSONValue.parse(nested(500)) }
        let error = try #require(#expect(throws: InputError.self) { try JSONValue.parse(nested(501)) })
        #expect(
            error.message == "Malformed JSON: values nest deeper than 500 levels, at line 1, column 501 (byte 500).")
    }
}
