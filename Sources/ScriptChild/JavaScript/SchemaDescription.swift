import RealmModel

/// A schema for the prelude, as JSON: classes and properties by their numbers, in public names.
enum SchemaDescription {
    static func json(_ schema: Schema) -> String {
        "[" + schema.classes.map(json).joined(separator: ",") + "]"
    }

    private static func json(_ objectSchema: ObjectSchema) -> String {
        let properties = objectSchema.properties.map {
            json($0, isPrimary: objectSchema.primaryKey.hasSameBytes(as: $0.name))
        }
        return object([
            ("name", quote(objectSchema.name)), ("kind", quote(objectSchema.kind.rawValue)),
            ("properties", "[" + properties.joined(separator: ",") + "]"),
        ])
    }

    private static func json(_ property: Property, isPrimary: Bool) -> String {
        object([
            ("name", quote(property.publicName)), ("storedName", quote(property.name)),
            ("type", quote(property.type.rawValue)), ("collection", quote(property.collection.rawValue)),
            ("objectType", property.objectType.map(quote) ?? "null"),
            ("origin", property.originProperty.map(quote) ?? "null"), ("optional", "\(property.isOptional)"),
            ("indexed", property.index == .fullText ? quote("full-text") : "\(property.index != .none || isPrimary)"),
            ("primary", "\(isPrimary)"), ("hasDefault", "\(property.defaultValue != nil)"),
        ])
    }

    private static func object(_ members: [(name: String, json: String)]) -> String {
        "{" + members.map { quote($0.name) + ":" + $0.json }.joined(separator: ",") + "}"
    }

    /// A text as a literal of JSON, and of JavaScript.
    static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
