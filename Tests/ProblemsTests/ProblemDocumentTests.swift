import Columns
import Problems
import RealmJSON
import RealmMigration
import RealmModel
import Testing

@Suite struct ProblemDocumentTests {
    @Test(arguments: InputError.Code.allCases)
    func `bad input keeps its code and its places`(code: InputError.Code) {
        let problem = ProblemDocument(InputError(code, ProblemItem("m", pointer: "/a", line: 3)))
        #expect(problem.code == code.rawValue)
        #expect((400...422).contains(problem.status))
        var item = ProblemItem("m", pointer: "/a", line: 3)
        item.hint = problem.errors.first?.hint
        #expect(problem.errors == [item])
        #expect(item.hint == nil || item.hint == ProblemCode(rawValue: problem.code)?.remedy)
    }

    @Test(arguments: [
        (MigrationError(.schemaValidationFailed, "m"), "schema_invalid", 422),
        (MigrationError(.crossTableLinkTarget, "m"), "cross_table_link_target", 422),
        (MigrationError(nil, "m"), "migration_refused", 422),
        (MigrationError(.typeMismatch, "m", script: .exception), "script_failed", 422),
        (MigrationError(nil, "m", script: .timeLimit), "script_timeout", 422),
        (MigrationError(nil, "m", script: .crash), "script_host_crashed", 500),
    ])
    func `a migration's error has one code and one status`(error: MigrationError, code: String, status: Int) {
        let problem = ProblemDocument(error)
        #expect(problem.code == code && problem.status == status)
        #expect(problem.realmCode == error.code?.rawValue)
    }

    @Test func `is read back as it was written`() throws {
        let problem = ProblemDocument(
            MigrationError(
                .typeMismatch, "m", script: .exception,
                details: [ProblemItem("d", className: "A", key: ObjectKey(1), primaryKey: .int(7), step: 2, line: 1)],
                stack: ["f (1:2)"], objectsDone: 3))
        let bytes = problem.json(instance: "/v1/jobs").encoded()
        #expect(try ProblemDocument(json: JSONValue.parse(bytes)) == problem)
        #expect(problem.title == "Script failed")
    }

    @Test(arguments: [("internal_error", 500), ("database_unavailable", 503), ("app_not_found", 404), ("other", 422)])
    func `has the status that an older program meant`(code: String, status: Int) throws {
        #expect(try ProblemDocument(json: ["code": .string(code), "detail": "d"]).status == status)
    }
}
