import RealmModel

/// The descriptions of the schemas that a machine's worlds had last: the realms of an app mostly have one of a few.
struct KnownSchemas {
    /// So many are kept, of so many bytes each at most.
    private static let limits = (count: 8, bytes: 256 << 10)

    /// The latest last.
    private var known: [(schema: Schema, json: JavaScriptString)] = []

    /// The description of a schema, as JSON.
    mutating func json(_ schema: Schema) -> JavaScriptString {
        if let index = known.lastIndex(where: { $0.schema == schema }) { return known[index].json }
        let text = SchemaDescription.json(schema)
        let json = JavaScriptString(text)
        guard text.utf8.count <= Self.limits.bytes else { return json }
        if known.count == Self.limits.count { known.removeFirst() }
        known.append((schema, json))
        return json
    }
}
