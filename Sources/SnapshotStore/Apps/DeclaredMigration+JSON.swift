import RealmJSON

extension DeclaredMigration {
    /// The migration as clients see it, with the members that were declared.
    public var json: JSONValue {
        var members: [JSONMember] = []
        if let language { members.append(JSONMember("language", .string(language))) }
        if let source { members.append(JSONMember("source", .string(source))) }
        if !renames.isEmpty { members.append(JSONMember("renames", .array(renames.map(\.json)))) }
        if let nullability { members.append(JSONMember("nullability", .string(nullability.rawValue))) }
        if let applyDefaults { members.append(JSONMember("applyDefaults", .string(applyDefaults.rawValue))) }
        return .object(members)
    }
}

extension DeclaredMigration.Rename {
    var json: JSONValue { ["class": .string(className), "from": .string(from), "to": .string(to)] }
}
