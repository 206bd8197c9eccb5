import RealmJSON
import RealmModel

extension DeclaredMigration {
    /// The members that say a Swift program, which a script in Swift keeps as one text: a document of them.
    public static let swiftMembers = ["sources", "stubs", "parameters", "block"]

    /// Reads a migration: `{"language", "source"` or, of Swift, `"sources", "stubs"?, "parameters"?, "block"?`, `"renames"?, "primaryKeyPolicy"?, "independent"?, "nullability"?, "applyDefaults"?}`.
    ///
    /// - Parameters:
    ///   - pointer: where the value stands in its document, for errors.
    ///   - swift: makes the text of a script of the members of a Swift program; nil where there is none.
    /// - Throws: `InputError` with the pointer of what is wrong.
    public init(
        _ value: JSONValue, at pointer: String = "",
        swift: (JSONBody) throws(InputError) -> String? = DeclaredMigration.program
    ) throws(InputError) {
        let members = try JSONBody(
            value, "A migration", at: pointer,
            members: ["language", "source", "renames", "primaryKeyPolicy", "independent"] + Self.choices.map(\.name)
                + Self.swiftMembers)
        let script = try Self.script(members, swift)
        let (renames, classRenames) = try Self.renames(members)
        let policies = try Self.policies(members)
        self.init(
            script: script, renames: renames, classRenames: classRenames, primaryKeyPolicies: policies,
            independent: try Self.independent(members, beside: policies))
        for choice in Self.choices { self[choice] = try members.choice(choice.name, among: choice.words) }
    }

    /// The text of a Swift program: a document of its members.
    public static func program(_ members: JSONBody) -> String? {
        let program = (members.value.members ?? []).filter { swiftMembers.contains($0.name) && !$0.value.isNull }
        return program.isEmpty ? nil : String(decoding: JSONValue.object(program).encoded(), as: UTF8.self)
    }

    private static func script(
        _ members: JSONBody, _ swift: (JSONBody) throws(InputError) -> String?
    ) throws(InputError) -> ScriptSource? {
        let said = try members.string("language")
        let language = [ScriptLanguage.javaScript, .swift].first { $0.rawValue == said }
        let source = try language == .swift ? swift(members) : members.script("source")
        if said != nil, language == nil {
            throw InputError(
                .scriptLanguageUnsupported,
                ProblemItem(
                    "Scripts are run in javascript and in swift, and in no other language.",
                    pointer: members.pointer(to: "language")))
        }
        if language != .swift, let name = swiftMembers.first(where: { members.member($0) != nil }) {
            throw members.invalid(name, "\(name) is of scripts in Swift.")
        }
        guard let language, let source else {
            guard language == nil, source == nil else {
                throw members.invalid(language == nil ? "language" : "source", "language and source go together.")
            }
            return nil
        }
        return ScriptSource(language, source)
    }

    private static func policies(_ members: JSONBody) throws(InputError) -> [PrimaryKeyPolicy] {
        let policies = try members.array("primaryKeyPolicy") ?? []
        guard policies.count <= SchemaLimit.renameCount else {
            let message =
                "A migration has at most \(SchemaLimit.renameCount) policies for primary keys, and this one \(policies.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: members.pointer(to: "primaryKeyPolicy")))
        }
        var named: Set<NameKey> = []
        return try policies.enumerated().map { index, value throws(InputError) in
            let policy = try JSONBody(
                value, "A policy", at: "\(members.pointer(to: "primaryKeyPolicy"))/\(index)",
                members: ["class", "onDuplicate", "merge"])
            let className = try policy.requiredString("class")
            guard named.insert(NameKey(className)).inserted else {
                throw policy.invalid("class", "The class '\(className)' has two policies for primary keys.")
            }
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

    private static func independent(
        _ members: JSONBody, beside policies: [PrimaryKeyPolicy]
    ) throws(InputError) -> [String] {
        let names = try members.array("independent") ?? []
        let pointer = members.pointer(to: "independent")
        guard names.count <= SchemaLimit.renameCount else {
            let message =
                "A migration has at most \(SchemaLimit.renameCount) independent classes, and this one \(names.count)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: pointer))
        }
        guard names.isEmpty || policies.allSatisfy({ $0.merge == nil }) else {
            throw members.invalid(
                "independent", "A function that merges objects sees all of them: it goes with no independent class.")
        }
        return try names.enumerated().map { index, name throws(InputError) in
            guard case .string(let name) = name else {
                throw InputError(
                    .malformedDocument,
                    ProblemItem("The name of a class was expected.", pointer: "\(pointer)/\(index)"))
            }
            return name
        }
    }

    private static func renames(
        _ members: JSONBody
    ) throws(InputError) -> ([PropertyRename], [ClassRename]) {
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

    private static func members(of script: ScriptSource) -> [JSONMember] {
        let language = JSONMember("language", .string(script.language.rawValue))
        guard script.language == .swift, let members = try? JSONValue.parse(Array(script.source.utf8)).members else {
            return [language, JSONMember("source", .string(script.source))]
        }
        return [language] + members
    }

    /// The migration as it was declared.
    public var json: JSONValue {
        var members: [JSONMember] = []
        if let script { members += Self.members(of: script) }
        let renamed = classRenames.map(\.json) + renames.map(\.json)
        if !renamed.isEmpty { members.append(JSONMember("renames", .array(renamed))) }
        if !primaryKeyPolicies.isEmpty {
            members.append(JSONMember("primaryKeyPolicy", .array(primaryKeyPolicies.map(\.json))))
        }
        if !independent.isEmpty { members.append(JSONMember("independent", .array(independent.map { .string($0) }))) }
        for choice in Self.choices {
            if let word = self[choice] { members.append(JSONMember(choice.name, .string(word))) }
        }
        return .object(members)
    }
}

extension PrimaryKeyPolicy {
    fileprivate var json: JSONValue {
        .object(
            [JSONMember("class", .string(className)), JSONMember("onDuplicate", .string(onDuplicate.rawValue))]
                + [merge.map { JSONMember("merge", .string($0)) }].compactMap(\.self))
    }
}

extension ClassRename {
    fileprivate var json: JSONValue { ["fromClass": .string(from), "toClass": .string(to)] }
}

extension PropertyRename {
    fileprivate var json: JSONValue { ["class": .string(className), "from": .string(from), "to": .string(to)] }
}
