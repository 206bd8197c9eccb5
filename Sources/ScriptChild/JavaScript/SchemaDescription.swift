import RealmModel

/// A schema for the prelude, as JSON: classes and properties by their numbers, in public names.
enum SchemaDescription {
    static func json(_ schema: Schema) -> String {
        var json = "["
        for (index, objectSchema) in schema.classes.enumerated() {
            json += index == 0 ? "" : ","
            append(objectSchema, to: &json)
        }
        return json + "]"
    }

    private static func append(_ objectSchema: ObjectSchema, to json: inout String) {
        json += "{\"name\":\(quote(objectSchema.name)),\"kind\":\"\(objectSchema.kind.rawValue)\",\"properties\":["
        for (index, property) in objectSchema.properties.enumerated() {
            json += index == 0 ? "" : ","
            append(property, isPrimary: objectSchema.primaryKey.hasSameBytes(as: property.name), to: &json)
        }
        json += "]}"
    }

    private static func append(_ property: Property, isPrimary: Bool, to json: inout String) {
        let isIndexed = property.index != .none || isPrimary
        json += "{\"name\":\(quote(property.publicName)),\"storedName\":\(quote(property.name))"
        json += ",\"type\":\"\(property.type.rawValue)\",\"collection\":\"\(property.collection.rawValue)\""
        json += ",\"objectType\":\(property.objectType.map(quote) ?? "null")"
        json += ",\"origin\":\(property.originProperty.map(quote) ?? "null")"
        json += ",\"optional\":\(property.isOptional),\"indexed\":"
        json += property.index == .fullText ? "\"full-text\"" : "\(isIndexed)"
        json += ",\"primary\":\(isPrimary),\"hasDefault\":\(property.defaultValue != nil)}"
    }

    /// A text as a literal of JSON, and of JavaScript.
    static func quote(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { return "\"" + text + "\"" }
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
