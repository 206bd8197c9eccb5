import RealmModel
import Testing

@Suite struct SchemaDifferenceCorpusTests {
    /// A mode's refusal of a difference, from nothing but the permissions of the changes.
    private static func refusal(_ example: Corpus.Case) -> String? {
        let changes = SchemaDifference.compare(existing: example.stored, target: example.target)
        let isBumped = example.targetVersion != example.storedVersion
        let (header, isPermitted): (SchemaMessageHeader, (SchemaChange) -> Bool) =
            switch example.mode {
            case "Automatic": (.migrationRequired, { $0.isPermittedAtSameVersion || isBumped })
            case "AdditiveDiscovered", "AdditiveExplicit": (.additiveOnly, { $0.isPermittedInAdditiveMode })
            case "Immutable", "ReadOnly": (.readOnly, { $0.isPermittedReadOnly })
            case "Manual": (.migrationRequired, { $0.message == nil })
            default: (.migrationRequired, { _ in true })
            }
        let refused = changes.filter { !isPermitted($0) }
        return refused.isEmpty ? nil : header.text(refused)
    }

    @Test(arguments: ["SchemaMismatch", "InvalidSchemaChange"])
    func `what Realm refuses is refused in its words`(code: String) {
        for example in Corpus.cases(failingWith: code) {
            #expect(Self.refusal(example) == example.errorMessage, "\(example)")
        }
    }

    @Test func `what Realm accepts is accepted`() {
        let refusals: Set = ["SchemaMismatch", "InvalidSchemaChange", "InvalidSchemaVersion", "SchemaValidationFailed"]
        for example in Corpus.cases where !refusals.contains(example.errorCode ?? "") {
            #expect(Self.refusal(example) == nil, "\(example)")
        }
    }

    @Test func `a schema does not differ from itself`() {
        for example in Corpus.cases {
            for schema in [example.stored, example.target] {
                #expect(SchemaDifference.compare(existing: schema, target: schema) == [], "\(example)")
            }
        }
    }
}
