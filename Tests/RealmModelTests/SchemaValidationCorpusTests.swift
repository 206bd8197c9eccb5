import RealmModel
import Testing

@Suite struct SchemaValidationCorpusTests {
    private static func validate(_ example: Corpus.Case) -> [SchemaValidationError] {
        example.target.validate(example.mode == "AdditiveExplicit" ? .rejectsUnreachableEmbedded : [])
    }

    @Test(arguments: Corpus.cases(failingWith: "SchemaValidationFailed"))
    func `what Realm refuses is refused in its words`(example: Corpus.Case) {
        #expect(SchemaValidationError.text(Self.validate(example)) == example.errorMessage)
    }

    @Test func `what Realm accepts is accepted`() {
        for example in Corpus.cases where example.errorCode != "SchemaValidationFailed" {
            #expect(Self.validate(example) == [], "\(example)")
        }
    }

    @Test(arguments: Corpus.cases(failingWith: "InvalidName"))
    func `names that are too long are found in what is added`(example: Corpus.Case) {
        let changes = SchemaDifference.compare(existing: example.stored, target: example.target)
        #expect(changes.lazy.compactMap(\.nameViolation).first == example.errorMessage)
    }

    @Test func `no other case has a name that is too long`() {
        for example in Corpus.cases where example.errorCode != "InvalidName" {
            let changes = SchemaDifference.compare(existing: example.stored, target: example.target)
            #expect(changes.compactMap(\.nameViolation) == [], "\(example)")
        }
    }
}
