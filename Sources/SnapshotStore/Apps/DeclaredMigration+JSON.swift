import RealmJSON

extension DeclaredMigration: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        var renames: [Rename] = []
        for rename in try json.storedIfAny("renames", \.elements) ?? [] { renames.append(try Rename(json: rename)) }
        self.init(
            language: try json.storedIfAny("language", \.string), source: try json.storedIfAny("source", \.string),
            renames: renames,
            nullability: try json.storedIfAny("nullability") { $0.string.flatMap(Nullability.init) },
            applyDefaults: try json.storedIfAny("applyDefaults") { $0.string.flatMap(ApplyDefaults.init) })
    }

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

extension DeclaredMigration.Rename: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        self.init(
            className: try json.stored("class", \.string), from: try json.stored("from", \.string),
            to: try json.stored("to", \.string))
    }

    var json: JSONValue { ["class": .string(className), "from": .string(from), "to": .string(to)] }
}
