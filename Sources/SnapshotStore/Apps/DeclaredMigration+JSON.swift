import RealmJSON
import RealmMigration

extension DeclaredMigration: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        var renames: [PropertyRename] = []
        var classRenames: [ClassRename] = []
        for rename in try json.storedIfAny("renames", \.elements) ?? [] {
            if rename["fromClass"] == nil {
                renames.append(try PropertyRename(json: rename))
            } else {
                classRenames.append(
                    ClassRename(
                        from: try rename.stored("fromClass", \.string), to: try rename.stored("toClass", \.string)))
            }
        }
        var policies: [PrimaryKeyPolicy] = []
        for policy in try json.storedIfAny("primaryKeyPolicy", \.elements) ?? [] {
            policies.append(try PrimaryKeyPolicy(json: policy))
        }
        self.init(
            script: try Self.script(json), renames: renames, classRenames: classRenames, primaryKeyPolicies: policies,
            nullability: try json.storedIfAny("nullability") {
                $0.string.flatMap(DeclaredMigration.Nullability.init)
            },
            applyDefaults: try json.storedIfAny("applyDefaults") {
                $0.string.flatMap(DeclaredMigration.ApplyDefaults.init)
            })
    }

    /// The members that say a Swift program, which is kept as one text: a document of them.
    private static let swiftMembers = ["sources", "stubs", "parameters", "block"]

    private static func script(_ json: JSONValue) throws(StoreError) -> ScriptSource? {
        guard let language = try json.storedIfAny("language", { $0.string.flatMap(ScriptLanguage.init) }) else {
            return nil
        }
        guard language == .swift else { return ScriptSource(language, try json.stored("source", \.string)) }
        let members = (json.members ?? []).filter { swiftMembers.contains($0.name) && !$0.value.isNull }
        return ScriptSource(language, String(decoding: JSONValue.object(members).encoded(), as: UTF8.self))
    }

    private static func members(of script: ScriptSource) -> [JSONMember] {
        let language = JSONMember("language", .string(script.language.rawValue))
        guard script.language == .swift, let members = try? JSONValue.parse(Array(script.source.utf8)).members else {
            return [language, JSONMember("source", .string(script.source))]
        }
        return [language] + members
    }

    /// The migration as clients see it, with the members that were declared.
    public var json: JSONValue {
        var members: [JSONMember] = []
        if let script { members += Self.members(of: script) }
        let renamed = classRenames.map(\.json) + renames.map(\.json)
        if !renamed.isEmpty { members.append(JSONMember("renames", .array(renamed))) }
        if !primaryKeyPolicies.isEmpty {
            members.append(JSONMember("primaryKeyPolicy", .array(primaryKeyPolicies.map(\.json))))
        }
        if let nullability { members.append(JSONMember("nullability", .string(nullability.rawValue))) }
        if let applyDefaults { members.append(JSONMember("applyDefaults", .string(applyDefaults.rawValue))) }
        return .object(members)
    }
}

extension PrimaryKeyPolicy: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        self.init(
            className: try json.stored("class", \.string),
            onDuplicate: try json.stored("onDuplicate") { $0.string.flatMap(Choice.init) },
            merge: try json.storedIfAny("merge", \.string))
    }

    var json: JSONValue {
        .object(
            [JSONMember("class", .string(className)), JSONMember("onDuplicate", .string(onDuplicate.rawValue))]
                + [merge.map { JSONMember("merge", .string($0)) }].compactMap(\.self))
    }
}

extension ClassRename {
    fileprivate var json: JSONValue { ["fromClass": .string(from), "toClass": .string(to)] }
}

extension PropertyRename: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        self.init(
            className: try json.stored("class", \.string), from: try json.stored("from", \.string),
            to: try json.stored("to", \.string))
    }

    var json: JSONValue { ["class": .string(className), "from": .string(from), "to": .string(to)] }
}
