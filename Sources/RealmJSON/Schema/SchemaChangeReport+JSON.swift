import RealmModel

extension SchemaChangeReport {
    /// The change as clients see it.
    public var json: JSONValue {
        var members = [JSONMember("kind", .string(kind.rawValue)), JSONMember("class", .string(className))]
        if let property { members.append(JSONMember("property", .string(property))) }
        if let from { members.append(JSONMember("from", .string(from))) }
        if let to { members.append(JSONMember("to", .string(to))) }
        members += [
            JSONMember("message", .string(message)), JSONMember("serverSide", .string(serverSide.rawValue)),
            JSONMember("client", .string(client.rawValue)),
            JSONMember("requires", .array(requires.map { .string($0) })), JSONMember("handling", .string(handling)),
        ]
        if let suggests {
            members.append(
                JSONMember(
                    "suggests",
                    [
                        "kind": .string(suggests.kind.rawValue), "from": .string(suggests.from),
                        "to": .string(suggests.to),
                    ]))
        }
        return .object(members)
    }
}

extension [SchemaChangeReport] {
    /// `{"changes": [Change]}`.
    public var json: JSONValue { ["changes": .array(map(\.json))] }
}
