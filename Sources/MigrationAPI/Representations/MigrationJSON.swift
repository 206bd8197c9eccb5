import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import SwiftScripts

/// Reads migrations as clients declare them: `{"language", "source"` or, of Swift, `"sources", "stubs"?, "parameters"?, "block"?`, `"renames"?, "primaryKeyPolicy"?, "nullability"?, "applyDefaults"?}`.
enum MigrationJSON {
    /// The languages that scripts are written in.
    private static let languages: [ScriptLanguage] = [.javaScript, .swift]

    /// Reads a member of a document; nil where it is left out or null.
    static func decode(_ body: JSONBody, _ name: String) throws -> DeclaredMigration? {
        guard let value = body.member(name) else { return nil }
        let members = try JSONBody(
            value, "A migration", at: body.pointer(to: name),
            members: ["language", "source", "renames", "primaryKeyPolicy", "nullability", "applyDefaults"]
                + SwiftProgram.members)
        let said = try members.string("language")
        let language = languages.first { $0.rawValue == said }
        let source = try language == .swift ? SwiftMembers.script(members, in: body) : members.script("source")
        if said != nil, language == nil {
            throw APIError.scriptLanguageUnsupported(pointer: members.pointer(to: "language"))
        }
        if language != .swift, let name = SwiftProgram.members.first(where: { members.member($0) != nil }) {
            throw members.invalid(name, "\(name) is of scripts in Swift.")
        }
        if (language == nil) != (source == nil) {
            throw members.invalid(language == nil ? "language" : "source", "language and source go together.")
        }
        let (renames, classRenames) = try renames(members)
        return DeclaredMigration(
            script: language.flatMap { language in source.map { ScriptSource(language, $0) } }, renames: renames,
            classRenames: classRenames,
            primaryKeyPolicies: try policies(members),
            nullability: try members.choice("nullability", among: DeclaredMigration.Nullability.allCases),
            applyDefaults: try members.choice("applyDefaults", among: DeclaredMigration.ApplyDefaults.allCases))
    }

    private static func policies(_ members: JSONBody) throws -> [PrimaryKeyPolicy] {
        let policies = try members.array("primaryKeyPolicy") ?? []
        guard policies.count <= SchemaLimit.renameCount else {
            let message =
                "A migration has at most \(SchemaLimit.renameCount) policies for primary keys, and this one \(policies.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: members.pointer(to: "primaryKeyPolicy")))
        }
        return try policies.enumerated().map { index, value in
            let policy = try JSONBody(
                value, "A policy", at: "\(members.pointer(to: "primaryKeyPolicy"))/\(index)",
                members: ["class", "onDuplicate", "merge"])
            let className = try policy.requiredString("class")
            let choice = try policy.choice(
                "onDuplicate", among: PrimaryKeyPolicy.Choice.allCases)
            let merge = try policy.script("merge")
            guard let choice else { throw policy.invalid("onDuplicate", "onDuplicate is missing.") }
            guard (choice == .merge) == (merge != nil) else {
                throw policy.invalid("merge", "merge is the function of onDuplicate “merge”, and of that alone.")
            }
            return PrimaryKeyPolicy(className: className, onDuplicate: choice, merge: merge)
        }
    }

    private static func renames(
        _ members: JSONBody
    ) throws -> ([PropertyRename], [ClassRename]) {
        let renames = try members.array("renames") ?? []
        guard renames.count <= SchemaLimit.renameCount else {
            let message = "A migration has at most \(SchemaLimit.renameCount) renames, and this one \(renames.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: members.pointer(to: "renames")))
        }
        var properties: [PropertyRename] = []
        var classes: [ClassRename] = []
        for (index, value) in renames.enumerated() {
            let isOfClass = value["fromClass"] != nil || value["toClass"] != nil
            let rename = try JSONBody(
                value, "A rename", at: "\(members.pointer(to: "renames"))/\(index)",
                members: isOfClass ? ["fromClass", "toClass"] : ["class", "from", "to"])
            if isOfClass {
                classes.append(
                    ClassRename(
                        from: try rename.requiredString("fromClass"), to: try rename.requiredString("toClass")))
            } else {
                properties.append(
                    PropertyRename(
                        className: try rename.requiredString("class"), from: try rename.requiredString("from"),
                        to: try rename.requiredString("to")))
            }
        }
        return (properties, classes)
    }
}
