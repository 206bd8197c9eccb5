import RealmJSON
import RealmModel
import SnapshotStore

/// Reads migrations as clients declare them: `{"language", "source", "renames"?, "nullability"?, "applyDefaults"?}`.
enum MigrationJSON {
    /// The languages that scripts are run in.
    static let languages: Set<String> = ["javascript"]
    /// Reads a member of a document; nil where it is left out or null.
    static func decode(_ body: JSONBody, _ name: String) throws -> DeclaredMigration? {
        guard let value = body.member(name) else { return nil }
        let members = try JSONBody(
            value, "A migration", at: body.pointer(to: name),
            members: ["language", "source", "renames", "nullability", "applyDefaults"])
        let language = try members.string("language")
        let source = try members.script("source")
        if let language, !languages.contains(language) {
            throw APIError.scriptLanguageUnsupported(pointer: members.pointer(to: "language"))
        }
        if (language == nil) != (source == nil) {
            throw members.invalid(language == nil ? "language" : "source", "language and source go together.")
        }
        return DeclaredMigration(
            language: language, source: source, renames: try renames(members),
            nullability: try members.choice("nullability", among: [DeclaredMigration.Nullability.reset, .keep]),
            applyDefaults: try members.choice("applyDefaults", among: [DeclaredMigration.ApplyDefaults.new, .existing]))
    }

    private static func renames(_ members: JSONBody) throws -> [DeclaredMigration.Rename] {
        let renames = try members.array("renames") ?? []
        guard renames.count <= SchemaLimit.renameCount else {
            let message = "A migration has at most \(SchemaLimit.renameCount) renames, and this one \(renames.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: members.pointer(to: "renames")))
        }
        return try renames.enumerated().map { index, value in
            let rename = try JSONBody(
                value, "A rename", at: "\(members.pointer(to: "renames"))/\(index)", members: ["class", "from", "to"])
            return DeclaredMigration.Rename(
                className: try rename.requiredString("class"), from: try rename.requiredString("from"),
                to: try rename.requiredString("to"))
        }
    }
}
