import RealmJSON
import RealmModel

/// Turns objects of Realm JSON into documents of Extended JSON.
final class EJSONDocuments {
    private let schema: Schema
    private var names: [NameKey: [String]] = [:]

    init(_ schema: Schema) { self.schema = schema }

    /// The names of the persisted properties of a class in its documents, in declared order.
    ///
    /// Extended JSON takes a member whose name begins with `$` for a mark of a type, and `_id` for what identifies the
    /// document, which is the primary key or the object key. BSON has no name with a NUL in it.
    func names(of objectSchema: ObjectSchema) -> [String] {
        if let names = names[name: objectSchema.name] { return names }
        var room = NameRoom(columnsOf: objectSchema.isEmbedded ? .columns : .documents)
        let made = objectSchema.persistedProperties.map { property -> String in
            let name = property.publicName
            if name.hasSameBytes(as: "_id"), objectSchema.isPrimaryKey(property) { return name }
            return room.take(name.beginsWithDollar ? "_" + name : name)
        }
        names[NameKey(objectSchema.name)] = made
        return made
    }

    /// The document of an object that stands for itself.
    func document(of object: JSONValue, _ objectSchema: ObjectSchema, losses: inout [NameKey: Losses]) -> JSONValue {
        var members: [JSONMember] = []
        let names = names(of: objectSchema)
        let hasOwnID = names.contains { $0.hasSameBytes(as: "_id") }
        if !hasOwnID, let id = id(of: object, objectSchema) { members.append(JSONMember("_id", id)) }
        var values = MembersInTurn(object)
        for (name, property) in zip(names, objectSchema.besideObjectKey.persistedProperties) {
            guard let value = values.take(property.publicName) else { continue }
            var found = losses[name: property.name] ?? Losses()
            members.append(JSONMember(name, self.value(value, property, losses: &found)))
            if !found.counts.isEmpty { losses[name: property.name] = found }
        }
        return .object(members)
    }

    /// The id of an object, with which links refer to it, too.
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
            let members = value.members ?? []
            return .object(
                zip(Self.names(ofKeys: members, losses: &losses), members).map { name, member in
                    JSONMember(name, element(member.value, property, &losses))
                })
        }
    }

    private func element(_ value: JSONValue, _ property: Property, _ losses: inout Losses) -> JSONValue {
        guard property.type == .object, let target = property.objectType.flatMap({ schema[$0] }) else {
            return property.type == .mixed ? mixed(value, &losses) : self.value(value, property.type, &losses)
        }
        if value.isNull { return .null }
        guard target.isEmbedded else { return link(value, target, &losses) }
        var values = MembersInTurn(value)
        return .object(
            zip(names(of: target), target.persistedProperties).compactMap { name, property in
                values.take(property.publicName).map { JSONMember(name, self.value($0, property, losses: &losses)) }
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
                zip(Self.names(ofKeys: members, losses: &losses), members).map { name, member in
                    JSONMember(name, mixed(member.value, &losses))
                })
        }
    }

    /// The keys of a dictionary as names of members, each its own.
    private static func names(ofKeys members: [JSONMember], losses: inout Losses) -> [String] {
        let kept = members.map { !$0.name.utf8.contains(0) && !$0.name.beginsWithDollar }
        guard kept.contains(false) else { return members.map(\.name) }
        var room = NameRoom(columnsOf: .columns)
        // A key that can stay has its name whatever others become.
        for (member, isKept) in zip(members, kept) where isKept { _ = room.take(member.name) }
        return zip(members, kept).map { member, isKept in
            if isKept { return member.name }
            if member.name.utf8.contains(0) { losses.count(.nulInText) }
            guard member.name.beginsWithDollar else { return room.take(member.name) }
            losses.count(.dollarInKey)
            return room.take("\u{ff04}" + String(member.name.unicodeScalars.dropFirst()))
        }
    }
}

/// The members of an object, asked for by their names, mostly in the order in which they stand.
private struct MembersInTurn {
    /// Members that are looked at before all are put into a table, which costs small objects more than it saves.
    private static let reach = 8
    private let members: [JSONMember]
    private var place = 0
    private var places: [NameKey: Int]?

    init(_ object: JSONValue) { members = object.members ?? [] }

    mutating func take(_ name: String) -> JSONValue? {
        let near = place..<min(members.count, place + Self.reach)
        guard let found = near.first(where: { members[$0].name.hasSameBytes(as: name) }) ?? find(name) else {
            return nil
        }
        place = found + 1
        return members[found].value
    }

    private mutating func find(_ name: String) -> Int? {
        let places =
            places
            ?? Dictionary(
                zip(members.lazy.map { NameKey($0.name) }, members.indices), uniquingKeysWith: { first, _ in first })
        self.places = places
        return places[name: name]
    }
}

extension String {
    fileprivate var beginsWithDollar: Bool { utf8.first == UInt8(ascii: "$") }
}
