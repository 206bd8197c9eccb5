import RealmModel

extension ProblemItem {
    /// The item as problem documents have it; the primary key in the form that the object's JSON has it.
    public var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(name, value)) }
        }
        add("pointer", pointer.map { .string($0) })
        add("class", className.map { .string($0) })
        add("property", property.map { .string($0) })
        add("key", key.map { .int($0.value) })
        add("primaryKey", primaryKey.map { DefaultJSON.encode($0) })
        add("step", step.map { .int(Int64(clamping: $0)) })
        add("line", line.map { .int(Int64($0)) })
        add("column", column.map { .int(Int64($0)) })
        add("offset", offset.map { .int(Int64($0)) })
        add("message", .string(message))
        add("hint", hint.map { .string($0) })
        return .object(members)
    }

    /// Reads an item back; members that an older program did not write are nil.
    ///
    /// - Throws: `malformedDocument` where it is none, or its primary key is no value of Realm JSON.
    public init(json: JSONValue) throws(InputError) {
        guard let message = json["message"]?.string else {
            throw .malformedDocument("An item of a problem needs a message", at: JSONPointer(""))
        }
        self.init(
            message, pointer: json["pointer"]?.string, className: json["class"]?.string,
            property: json["property"]?.string, key: json["key"]?.int.map { ObjectKey($0) },
            primaryKey: try Self.primaryKey(json["primaryKey"]),
            step: json["step"]?.int.flatMap { UInt64(exactly: $0) }, line: json["line"]?.int.map { Int($0) },
            column: json["column"]?.int.map { Int($0) },
            offset: json["offset"]?.int.map { Int($0) }, hint: json["hint"]?.string)
    }

    private static func primaryKey(_ json: JSONValue?) throws(InputError) -> Value? {
        guard let json else { return nil }
        return try DefaultJSON.decode(
            json, for: Property("primaryKey", .mixed, isOptional: true), at: JSONPointer("/primaryKey"),
            as: "The primary key")
    }
}
