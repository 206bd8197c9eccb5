import RealmJSON
import RealmModel

/// Turns objects of Realm JSON into documents of Extended JSON.
struct EJSONDocuments {
    private let schema: Schema

    init(_ schema: Schema) { self.schema = schema }

    /// The document of an object that stands for itself.
    func document(of object: JSONValue, _ objectSchema: ObjectSchema, losses: inout [NameKey: Losses]) -> JSONValue {
        var members: [JSONMember] = []
        let hasOwnID = objectSchema.persistedProperties.contains { $0.publicName.hasSameBytes(as: "_id") }
        if !hasOwnID, let id = id(of: object, objectSchema) { members.append(JSONMember("_id", id)) }
        for property in objectSchema.persistedProperties {
            guard let value = object[property.publicName] else { continue }
            var found = losses[name: property.name] ?? Losses()
            let name = Self.name(property.publicName, losses: &found)
            members.append(JSONMember(name, self.value(value, property, losses: &found)))
            if !found.counts.isEmpty { losses[name: property.name] = found }
        }
        return .object(members)
    }

    /// What a link to the object is, too.
    private func id(of object: JSONValue, _ objectSchema: ObjectSchema) -> JSONValue? {
        var none = Losses()
        guard let key = objectSchema.primaryKeyProperty else { return object["_key"].map { value($0, .int, &none) } }
        return object[key.publicName].map { value($0, key.type, &none) }
    }

    private func value(_ value: JSONValue, _ property: Property, losses: inout Losses) -> JSONValue {
        switch property.collection {
        case .none: return element(value, property, &losses)
        case .list, .set: return .array((value.elements ?? []).map { element($0, property, &losses) })
        case .dictionary:
            return .object(
                (value.members ?? []).map {
                    JSONMember(Self.name($0.name, losses: &losses), element($0.value, property, &losses))
                })
        }
    }

    private func element(_ value: JSONValue, _ property: Property, _ losses: inout Losses) -> JSONValue {
        guard property.type == .object, let target = property.objectType.flatMap({ schema[$0] }) else {
            return property.type == .mixed ? mixed(value, &losses) : self.value(value, property.type, &losses)
        }
        if value.isNull { return .null }
        guard target.isEmbedded else { return link(value, target, &losses) }
        return .object(
            target.persistedProperties.compactMap { property in
                value[property.publicName].map {
                    JSONMember(
                        Self.name(property.publicName, losses: &losses), self.value($0, property, losses: &losses))
                }
            })
    }

    /// The `_id` of the target; null for one whose primary key is null.
    private func link(_ value: JSONValue, _ target: ObjectSchema, _ losses: inout Losses) -> JSONValue {
        if value["$key"] != nil {
            losses.count(.linkToNullKey)
            return .null
        }
        return self.value(value, target.primaryKeyProperty?.type ?? .int, &losses)
    }

    private func value(_ value: JSONValue, _ type: PropertyType, _ losses: inout Losses) -> JSONValue {
        switch (type, value) {
        case (_, .null): .null
        case (.float, _), (.double, _): number(value)
        case (.date, _): date(value, &losses)
        case (.uuid, _): uuid(value)
        case (_, .int(let number)): ["$numberLong": .string(String(number))]
        default: value
        }
    }

    private func number(_ value: JSONValue) -> JSONValue {
        value.double.map { ["$numberDouble": .string($0.description)] } ?? value
    }

    private func date(_ value: JSONValue, _ losses: inout Losses) -> JSONValue {
        guard let date = value["$date"]?.string.flatMap({ Timestamp($0) }) else { return value }
        let (milliseconds, isExact) = date.floored(unitsPerSecond: 1000)
        if !isExact { losses.count(milliseconds == nil ? .dateRange : .dateFraction) }
        return milliseconds.map { ["$date": ["$numberLong": .string(String($0))]] } ?? .null
    }

    private func uuid(_ value: JSONValue) -> JSONValue {
        guard let id = value["$uuid"]?.string.flatMap({ UUID($0) }) else { return value }
        return ["$binary": ["base64": .string(Base64.encode(id.bytes)), "subType": "04"]]
    }

    private func mixed(_ value: JSONValue, _ losses: inout Losses) -> JSONValue {
        switch value {
        case .int(let number): return ["$numberLong": .string(String(number))]
        case .double: return number(value)
        case .array(let elements): return .array(elements.map { mixed($0, &losses) })
        case .object(let members): return mixed(members, value, &losses)
        case .null, .bool, .string, .unsigned: return value
        }
    }

    private func mixed(_ members: [JSONMember], _ value: JSONValue, _ losses: inout Losses) -> JSONValue {
        switch members.first?.name ?? "" {  // no name
        case "$date": return date(value, &losses)
        case "$uuid": return uuid(value)
        case "$float":
            guard let number = members.first?.value else { return value }
            return number.double.map { ["$numberDouble": .string($0.description)] } ?? ["$numberDouble": number]
        case "$ref":
            guard let name = value["$ref"]?.string, let target = schema[name], let key = value["$id"] else {
                return value
            }
            return ["$ref": .string(name), "$id": link(key, target, &losses)]
        case "$numberDouble", "$numberDecimal", "$oid", "$binary": return value
        default:
            return .object(
                members.map { JSONMember(Self.name($0.name, losses: &losses), mixed($0.value, &losses)) })
        }
    }

    /// A name of a member: in BSON none has a NUL.
    private static func name(_ name: String, losses: inout Losses) -> String {
        guard name.utf8.contains(0) else { return name }
        losses.count(.nulInText)
        return String(name.unicodeScalars.map { $0 == "\0" ? "\u{fffd}" : Character($0) })
    }
}
