import RealmFleet
import Testing

@Suite struct FailureCauseTests {
    private func cause(_ message: String, line: Int? = 7) -> String {
        FailureCause(code: "script_failed", message: message, line: line, isOfScript: true).text
    }

    @Test(arguments: [
        ("Error: no city for 17", "Error: no city for 4711"), ("Error: “Ada” has none", "Error: “Grace” has none"),
        ("Error: key 'a1' of 3 isn't there", "Error: key 'b22' of 14 isn't there"),
    ])
    func `is the same where the objects alone differ`(one: String, other: String) {
        #expect(cause(one) == cause(other))
    }

    @Test func `differs by line, by code and by words`() {
        let causes = [
            cause("Error: no city"), cause("Error: no city", line: 8), cause("Error: no town"),
            FailureCause(code: "schema_mismatch", message: "Error: no city", line: 7, isOfScript: false).text,
        ]
        #expect(Set(causes).count == causes.count)
    }

    @Test func `leaves the words of Realm as they are`() {
        let text = FailureCause(
            code: "duplicate_primary_keys", message: "Primary key property 'class_Dog.id1' has 2 duplicates.",
            line: nil,
            isOfScript: false
        ).text
        #expect(text == "duplicate_primary_keys: Primary key property 'class_Dog.id1' has 2 duplicates.")
    }

    @Test func `is bounded, names its line all the same, and has no U+0000`() {
        let text = cause("a\0" + String(repeating: "x", count: 10_000))
        #expect(text.count <= FailureCause.lengthLimit && text.hasSuffix(" (line 7)") && !text.contains("\0"))
    }
}
