import Testing

/// Texts that the library reads are refused where they stand, before anything runs.
struct CheckedTextTests {
    @Test(arguments: [
        ("String(format: \"%s\", 1)", "‘%s’ in a format is not understood"),
        ("String(format: \"%y\", 1)", "‘%y’ in a format is not understood"),
        ("String(format: \"%d %d\", 1)", "The format has more places than values."),
        ("String(format: \"%2$d\", 1)", "The format has more places than values."),
        ("DateFormatter().dateFormat = \"YYYY-ww\"", "‘YYYY’ in the format of a date is not understood."),
        ("Locale(identifier: \"de_DE\")", "The locale ‘de_DE’ is not known here"),
        ("TimeZone(identifier: \"Europe/Berlin\")", "The time zone ‘Europe/Berlin’ is not known here"),
        (
            "\"a\".replacingOccurrences(of: \"(?<n>a)\", with: \"\", options: .regularExpression)",
            "The regular expression ‘(?<n>a)’ is not understood here"
        ),
        (
            "\"a\".range(of: \"a\".lowercased(), options: [.regularExpression])",
            "A regular expression is understood here where it is a literal, or a constant with the value of one."
        ),
    ])
    func `are refused with their line`(expression: String, message: String) throws {
        let statement =
            expression.contains(" = ") ? "let f = DateFormatter(); f\(expression.dropFirst(15))" : "_ = " + expression
        let source = "func migrate(migration: Migration, old: UInt64) {\n    \(statement)\n}\n"
        let script = try TemporaryFolder.shared.file(source, "Migration.swift")
        let outcome = try BuiltProgram.run(["script", "check", script])
        #expect(outcome.code == 1)
        #expect((outcome.output + outcome.errors).contains("Migration.swift:2:"), "\(outcome.errors)")
        #expect((outcome.output + outcome.errors).contains(message), "\(outcome.output)\(outcome.errors)")
    }
}
