import RealmJSON

extension DeclaredMigration: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        var renames: [Rename] = []
        var classRenames: [ClassRename] = []
        for rename in try json.storedIfAny("renames", \.elements) ?? [] {
            if rename["fromClass"] == nil {
                renames.append(try Rename(json: rename))
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
            language: try json.storedIfAny("language", \.string), source: try Self.source(json),
            renames: renames, classRenames: classRenames, primaryKeyPolicies: policies,
            nullability: try json.storedIfAny("nullability") { $0.string.flatMap(Nullability.init) },
            applyDefaults: try json.storedIfAny("applyDefaults") { $0.string.flatMap(ApplyDefaults.init) })
    }

    /// The members that say a Swift program, which is kept as one text: a document of them.
    private static let swiftMembers = ["sources", "stubs", "parameters", "block"]

    private static func source(_ json: JSONValue) throws(StoreError) -> String? {
        guard json["language"]?.string == "swift" else { return try json.storedIfAny("source", \.string) }
        let members = (json.members ?? []).filter { swiftMembers.contains($0.name) && !$0.value.isNull }
        return String(decoding: JSONValue.object(members).encoded(), as: UTF8.self)
    }

    private static func members(ofSource source: String, _ language: String?) -> [JSONMember] {
        guard language == "swift", let members = try? JSONValue.parse(Array(source.utf8)).members else {
            return [JSONMember("source", .string(source))]
        }
        return members
    }

    /// The migration as clients see it, with the members that were declared.
    public var json: JSONValue {
        var members: [JSONMember] = []
        if let language { members.append(JSONMember("language", .string(language))) }
        if let source { members += Self.members(ofSource: source, language) }
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

extension DeclaredMigration.PrimaryKeyPolicy: StoredDocument {
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

extension DeclaredMigration.ClassRename {
    fileprivate var json: JSONValue { ["fromClass": .string(from), "toClass": .string(to)] }
}

extension DeclaredMigration.Rename: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        self.init(
            className: try json.stored("class", \.string), from: try json.stored("from", \.string),
            to: try json.stored("to", \.string))
    }

    var json: JSONValue { ["class": .string(className), "from": .string(from), "to": .string(to)] }
}
