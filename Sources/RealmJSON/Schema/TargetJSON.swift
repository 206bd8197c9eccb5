import RealmModel

/// The schema that a realm is migrated to, as the program's `TARGET.json` says it: `{"schemaVersion"?, "schema"}`.
public struct TargetJSON: Hashable, Sendable {
    /// The version; nil where the document leaves it to the command line.
    public var schemaVersion: UInt64?
    /// The classes.
    public var schema: Schema

    /// Puts a target together.
    public init(schemaVersion: UInt64?, schema: Schema) {
        self.schemaVersion = schemaVersion
        self.schema = schema
    }

    /// Reads a target from its bytes.
    ///
    /// - Throws: `malformedJSON`, `malformedDocument` or `schemaInvalid`; the schema's form is checked and no more.
    public init(_ bytes: [UInt8]) throws(InputError) {
        try self.init(try JSONValue.parse(bytes))
    }

    /// Reads a target.
    ///
    /// - Parameter pointer: where the value stands in its document, for errors.
    /// - Throws: `malformedDocument` or `schemaInvalid`.
    public init(_ value: JSONValue, at pointer: String = "") throws(InputError) {
        let place = JSONPointer(pointer)
        _ = try JSONBody(value, "A target", members: ["schemaVersion", "schema"], at: place)
        guard let classes = value["schema"] else {
            throw .malformedDocument("schema is missing", at: place.member("schema"))
        }
        schemaVersion = try Self.version(value["schemaVersion"] ?? .null, at: place.member("schemaVersion"))
        schema = try SchemaJSON.decode(classes, at: place.member("schema").description)
    }

    /// The document.
    public var json: JSONValue {
        ["schemaVersion": schemaVersion.map { JSONValue($0) } ?? .null, "schema": SchemaJSON.encode(schema)]
    }

    /// A schema version, 0 up to 2⁶⁴ − 2; null is none, which files say by 2⁶⁴ − 1.
    static func version(_ value: JSONValue, at pointer: JSONPointer) throws(InputError) -> UInt64? {
        if value.isNull { return nil }
        guard let number = value.unsigned, number < .max else {
            throw .malformedDocument("schemaVersion has to be an integer from 0, or null", at: pointer)
        }
        return number
    }
}
