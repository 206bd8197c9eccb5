import RealmJSON

/// Brings a document into one form: members by name, sets by text, classes by name, computed properties left out.
enum CanonicalDocument {
    /// The text of every class's schema and of every object, each line with its place.
    static func lines(_ document: JSONValue) -> [String] {
        let schema = (document["schema"]?.elements ?? []).map { storedClass($0) }
        var lines = ["schemaVersion " + text(document["schemaVersion"] ?? .null)]
        lines += schema.map { text($0) }.sorted()
        for member in (document["objects"]?.members ?? []).sorted(by: { $0.name < $1.name }) {
            guard let objects = member.value.elements else { continue }
            lines += objects.enumerated().map {
                "\(member.name)[\($0)] " + text(object($1, of: member.name, in: schema))
            }
        }
        return lines
    }

    private static func storedClass(_ value: JSONValue) -> JSONValue {
        .object(
            (value.members ?? []).map { member in
                guard member.name == "properties" else { return member }
                let stored = (member.value.members ?? []).filter { $0.value["type"] != "linkingObjects" }
                return JSONMember("properties", .object(stored))
            })
    }

    private static func object(_ value: JSONValue, of className: String, in schema: [JSONValue]) -> JSONValue {
        guard let members = value.members,
            let properties = schema.first(where: { $0["name"]?.string == className })?["properties"]
        else { return value }
        return .object(
            members.map { member in
                guard let property = properties[member.name] else { return member }
                return JSONMember(member.name, self.value(member.value, of: property, in: schema))
            })
    }

    private static func value(_ value: JSONValue, of property: JSONValue, in schema: [JSONValue]) -> JSONValue {
        let className = property["objectType"]?.string ?? ""
        let isClass = schema.contains { $0["name"]?.string == className }
        func element(_ value: JSONValue) -> JSONValue { isClass ? object(value, of: className, in: schema) : value }
        switch (property["type"], value) {
        case ("set", .array(let elements)): return .array(elements.map(element).sorted { text($0) < text($1) })
        case ("list", .array(let elements)): return .array(elements.map(element))
        case ("dictionary", .object(let members)):
            return .object(members.map { JSONMember($0.name, element($0.value)) })
        default: return element(value)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: sorted(value).encoded(), as: UTF8.self)
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { sorted($0) })
        case .object(let members):
            .object(members.map { JSONMember($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
        default: value
        }
    }
}
