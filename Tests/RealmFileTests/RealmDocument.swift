import RealmJSON
import RealmModel

/// Writes what was read as the corpus does, so that both can be compared.
///
/// Written for these tests alone, so that the reader is not judged by another part of the program.
struct RealmDocument {
    private let realm: ReadRealm
    private let rows: [String: [Int64: Int]]

    init(_ realm: ReadRealm) {
        self.realm = realm
        rows = realm.objects.mapValues { objects in
            Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($1.key, $0) })
        }
    }

    /// The whole document.
    var json: JSONValue {
        let classes = realm.snapshot.classes.map(\.schema)
        return .object([
            JSONMember("schemaVersion", realm.snapshot.schemaVersion.map { .int(Int64($0)) } ?? .null),
            JSONMember("schema", SchemaJSON.encode(realm.snapshot.declared)),
            JSONMember(
                "objects",
                .object(
                    classes.filter { !$0.isEmbedded }.map { schema in
                        JSONMember(
                            schema.name,
                            .array((realm.objects[schema.name] ?? []).map { object($0, of: schema, isInline: false) }))
                    })),
        ])
    }

    func object(_ object: ReadRealm.Object, of schema: ObjectSchema, isInline: Bool) -> JSONValue {
        var members: [JSONMember] = []
        if schema.primaryKey == nil, !isInline { members.append(JSONMember("_key", .int(object.key))) }
        for (property, value) in zip(schema.properties, object.values) {
            members.append(JSONMember(property.name, render(value, of: property)))
        }
        return .object(members)
    }

    private func render(_ value: Value, of property: Property) -> JSONValue {
        switch value {
        case .list(let elements) where property.isCollection:
            return .array(elements.map { render($0, of: property) })
        case .dictionary(let entries) where property.isCollection:
            return .object(entries.map { JSONMember($0.key, render($0.value, of: property)) })
        case .link(let key): return link(key, to: property.objectType ?? "")
        default: return property.type == .mixed ? mixed(value) : scalar(value)
        }
    }

    private func link(_ key: ObjectKey, to className: String) -> JSONValue {
        guard let schema = realm.snapshot[className]?.schema, let row = rows[className]?[key.value],
            let target = realm.objects[className]?[row]
        else { return .string("no object") }
        if schema.isEmbedded { return object(target, of: schema, isInline: true) }
        guard let index = schema.properties.firstIndex(where: { $0.name == schema.primaryKey }) else {
            return .int(key.value)
        }
        return scalar(target.values[index])
    }

    private func mixed(_ value: Value) -> JSONValue {
        switch value {
        case .float(let number): return ["$float": Self.number(Double(number), isFloat: true)]
        case .typedLink(let className, let key): return ["$ref": .string(className), "$id": link(key, to: className)]
        case .list(let elements): return .array(elements.map { mixed($0) })
        case .dictionary(let entries): return .object(entries.map { JSONMember($0.key, mixed($0.value)) })
        default: return scalar(value)
        }
    }

    private func scalar(_ value: Value) -> JSONValue {
        switch value {
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        case .float(let number): Self.number(Double(number))
        case .double(let number): Self.number(number)
        case .string(let text): .string(text)
        case .data(let bytes): ["$binary": ["base64": .string(Base64.encode(bytes)), "subType": "00"]]
        case .date(let date): ["$date": .string(date.description)]
        case .decimal128(let number): ["$numberDecimal": .string(number.description)]
        case .objectId(let id): ["$oid": .string(id.description)]
        case .uuid(let id): ["$uuid": .string(id.description)]
        case .link, .typedLink, .list, .dictionary: .string("not a scalar")
        }
    }

    private static func number(_ number: Double, isFloat: Bool = false) -> JSONValue {
        guard !number.isFinite else { return .double(number) }
        let name: JSONValue = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
        return isFloat ? name : ["$numberDouble": name]
    }
}
