import Columns
import RealmJSON
import RealmModel
import Testing

/// Documents as tests read, write and compare them.
enum Document {
    /// Reads a document of either format.
    static func read(
        _ bytes: [UInt8], _ layout: RealmJSONWriter.Layout = .document, into store: any SegmentStore,
        limits: RowGroupLimits = .standard, chunk: Int = 1 << 20
    ) throws -> Snapshot {
        let source = ByteArraySource(bytes)
        return switch layout {
        case .document: try RealmJSONReader(source, into: store, limits: limits, chunk: chunk).read()
        case .lines: try RealmNDJSONReader(source, into: store, limits: limits, chunk: chunk).read()
        }
    }

    /// Writes a snapshot as a whole.
    static func write(
        _ snapshot: Snapshot, from store: any SegmentStore, _ layout: RealmJSONWriter.Layout = .document,
        options: RealmJSONWriter.Options = .init()
    ) throws -> [UInt8] {
        var writer = RealmJSONWriter(snapshot, from: store, layout: layout, options: options)
        var text: [UInt8] = []
        while let chunk = try writer.next() { text += chunk }
        return text
    }

    /// A document in which only what has meaning differs: members by name, sets in order, empty classes left out.
    static func normalised(_ document: JSONValue) throws -> JSONValue {
        let schema = try SchemaJSON.decode(try #require(document["schema"]))
        let classes = try #require(document["objects"]?.members).filter { $0.value.elements != [] }
        let objects = classes.map { member in
            JSONMember(member.name, .array((member.value.elements ?? []).map { object($0, member.name, schema) }))
        }
        let properties = SchemaJSON.encode(schema).elements ?? []
        return [
            "schemaVersion": document["schemaVersion"] ?? .null, "schema": sorted(.array(sortedByText(properties))),
            "objects": sorted(.object(objects)),
        ]
    }

    private static func object(_ value: JSONValue, _ name: String, _ schema: Schema) -> JSONValue {
        guard let members = value.members, let objectSchema = schema[name] else { return value }
        return sorted(
            .object(
                members.map { member in
                    guard let property = objectSchema.properties.first(where: { $0.publicName == member.name }) else {
                        return member
                    }
                    return JSONMember(member.name, property.isSetOrEmbedded(in: schema)(member.value, schema))
                }))
    }

    fileprivate static func element(_ value: JSONValue, _ property: Property, _ schema: Schema) -> JSONValue {
        guard let target = property.objectType, schema[target]?.isEmbedded == true else { return sorted(value) }
        switch property.collection {
        case .none: return object(value, target, schema)
        case .list, .set: return .array((value.elements ?? []).map { object($0, target, schema) })
        case .dictionary:
            return .object((value.members ?? []).map { JSONMember($0.name, object($0.value, target, schema)) })
        }
    }

    fileprivate static func sortedByText(_ values: [JSONValue]) -> [JSONValue] {
        values.map { sorted($0) }.sorted { $0.encoded().lexicographicallyPrecedes($1.encoded()) }
    }

    /// A value whose objects have their members in the order of names.
    static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { sorted($0) })
        case .object(let members):
            return .object(
                members.map { JSONMember($0.name, sorted($0.value)) }
                    .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) })
        default: return value
        }
    }
}

extension Property {
    fileprivate func isSetOrEmbedded(in schema: Schema) -> (JSONValue, Schema) -> JSONValue {
        { value, schema in
            let value = Document.element(value, self, schema)
            return collection == .set ? .array(Document.sortedByText(value.elements ?? [])) : value
        }
    }
}
