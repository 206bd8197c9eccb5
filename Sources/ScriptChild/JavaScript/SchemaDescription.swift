import RealmModel

/// A schema for the prelude, as JSON: classes and properties by their numbers, in public names, with all members that the prelude keeps of
/// a property (`classes.js`).
enum SchemaDescription {
    static func json(_ schema: Schema) -> String {
        var json = "["
        for (index, objectSchema) in schema.classes.enumerated() {
            json += index == 0 ? "" : ","
            append(objectSchema, to: &json)
        }
        return json + "]"
    }

    /// The properties are a text of JSON of their own, which the prelude reads where it is asked for the class.
    private static func append(_ objectSchema: ObjectSchema, to json: inout String) {
        var properties = "["
        for (index, property) in objectSchema.properties.enumerated() {
            properties += index == 0 ? "" : ","
            append(
                property, index, isPrimary: objectSchema.primaryKey.hasSameBytes(as: property.name), to: &properties)
        }
        json += "{\"name\":\(quote(objectSchema.name)),\"kind\":\"\(objectSchema.kind.rawValue)\""
        json += ",\"properties\":\(quote(properties + "]"))}"
    }

    private static func append(_ property: Property, _ index: Int, isPrimary: Bool, to json: inout String) {
        let isIndexed = property.index != .none || isPrimary
        json += "{\"name\":\(quote(property.publicName)),\"storedName\":\(quote(property.name)),\"index\":\(index)"
        json += ",\"type\":\"\(property.type.rawValue)\",\"collection\":\"\(property.collection.rawValue)\""
        json += ",\"objectType\":\(property.objectType.map(quote) ?? "null")"
        json += ",\"origin\":\(property.originProperty.map(quote) ?? "null")"
        json += ",\"optional\":\(property.isOptional),\"indexed\":"
        json += property.index == .fullText ? "\"full-text\"" : "\(isIndexed)"
        json += ",\"primary\":\(isPrimary),\"hasDefault\":\(property.defaultValue != nil)"
        json += ColumnAccess(property).json
        // The prelude gives these values.
        json += ",\"owner\":null,\"target\":null,\"isOwning\":false,\"fitting\":null,\"version\":0}"
    }

    /// A text as a literal of JSON, and of JavaScript.
    static func quote(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { return "\"" + text + "\"" }
        var quoted = [UInt8(ascii: "\"")]
        quoted.reserveCapacity(text.utf8.count + text.utf8.count / 4)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                quoted += Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}

/// How the prelude reads and writes a property by columns.
private struct ColumnAccess {
    private let property: Property

    init(_ property: Property) { self.property = property }

    private var isSingle: Bool { property.collection == .none }

    private var hasCells: Bool {
        switch property.type {
        case .string, .int, .double, .float, .bool, .date: true
        default: false
        }
    }

    private var hasWords: Bool { [.uuid, .objectId, .decimal128].contains(property.type) }

    /// The members of a property's description that tell it.
    var json: String {
        let isColumnar = isSingle && hasCells
        let isLink = isSingle && property.type == .object
        let isListed = property.collection == .list && (property.type == .object || hasCells)
        let isFixed = isSingle && hasWords
        let isData = isSingle && property.type == .data
        let isMixed = isSingle && property.type == .mixed
        // A collection that is read by columns, and written by them where it is one of the old side's as it stands.
        let isCopied = !isSingle && !isListed && (hasCells || hasWords || property.type == .data)
        let members = [
            ("isComputed", property.type == .linkingObjects), ("columnar", isColumnar), ("isLink", isLink),
            ("isListed", isListed), ("isFixed", isFixed), ("isData", isData), ("isMixed", isMixed),
            ("isCopied", isCopied),
            // A script may change the dates and the bytes that it is given.
            ("isGivenAnew", [.date, .data, .mixed].contains(property.type)),
            // A row that Swift was given by itself is marked, and those around it go on waiting.
            ("isMarked", isLink || isListed || isFixed || isData || isMixed || isCopied),
            // Values wait that are written to where links lead.
            ("isScattered", isColumnar || isLink || isFixed || isData || isMixed),
        ]
        return members.map { ",\"\($0)\":\($1)" }.joined()
    }
}
