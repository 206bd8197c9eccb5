import RealmModel

/// Schemas as JSON: arrays of the ObjectSchema of Realm's JavaScript SDK.
///
/// Read in its canonical form and in its shorthands (`"int?[]"`, `"Dog"`), written in the canonical form alone. The
/// order of classes and properties is kept. Only the form is checked here; `Schema.validate` checks the rest.
public enum SchemaJSON {
    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - value: an array of classes.
    ///   - pointer: where it stands in its document, for errors.
    /// - Throws: `malformedDocument`, `unknownMember` or `schemaInvalid`, with the JSON pointer of the member that is
    ///   wrong; `tooLarge` before anything is read of a schema that `SchemaLimit` does not permit.
    public static func decode(_ value: JSONValue, at pointer: String = "") throws(InputError) -> Schema {
        let place = JSONPointer(pointer)
        guard let elements = value.elements else {
            throw .malformedDocument("A schema has to be an array of classes", at: place)
        }
        try checkSize(elements, at: place)
        var classes: [ObjectSchema] = []
        for (index, element) in elements.enumerated() {
            classes.append(try ObjectSchemaJSON.decode(element, at: place.element(index)))
        }
        return Schema(resolvingOrigins(classes))
    }

    /// Reads one class.
    ///
    /// - Throws: as `decode` of a whole schema.
    public static func decodeClass(_ value: JSONValue, at pointer: String = "") throws(InputError) -> ObjectSchema {
        try ObjectSchemaJSON.decode(value, at: JSONPointer(pointer))
    }

    /// The canonical form of a schema.
    ///
    /// `optional` and `indexed` stand in every property; a primary key is indexed.
    public static func encode(_ schema: Schema) -> JSONValue {
        let classes = schema.classes.map(\.besideObjectKey)
        let names = PropertyNames(classes, from: \.name, to: \.publicName)
        return .array(classes.map { ObjectSchemaJSON.encode($0, origins: names) })
    }

    /// The canonical form of one class.
    ///
    /// - Parameter schema: the class's own, where linking objects find the public name of their origin.
    public static func encode(_ objectSchema: ObjectSchema, in schema: Schema) -> JSONValue {
        ObjectSchemaJSON.encode(
            objectSchema.besideObjectKey,
            origins: PropertyNames(schema.classes.map(\.besideObjectKey), from: \.name, to: \.publicName))
    }

    private static func checkSize(_ classes: [JSONValue], at pointer: JSONPointer) throws(InputError) {
        let properties = classes.lazy.prefix(SchemaLimit.classCount).map { $0["properties"]?.members?.count ?? 0 }
        let violation = SchemaLimit.violation(
            classCount: classes.count, propertyCount: properties.reduce(0, +))
        if let violation { throw InputError(.tooLarge, ProblemItem(violation, pointer: pointer.description)) }
    }

    /// Linking objects name their origin as programs do; the model wants the stored name.
    private static func resolvingOrigins(_ classes: [ObjectSchema]) -> [ObjectSchema] {
        guard let names = PropertyNames(classes, from: \.publicName, to: \.name) else { return classes }
        return classes.map { objectSchema in
            var resolved = objectSchema
            for index in resolved.properties.indices where resolved.properties[index].isComputed {
                let origin = names.origin(of: resolved.properties[index])
                resolved.properties[index].originProperty = origin
            }
            return resolved
        }
    }
}

extension InputError {
    /// A document of another shape than it has to be.
    static func malformedDocument(_ what: String, at pointer: JSONPointer) -> InputError {
        refusal(.malformedDocument, what, at: pointer)
    }

    /// A schema that Realm would not accept either.
    static func schemaInvalid(_ what: String, at pointer: JSONPointer) -> InputError {
        refusal(.schemaInvalid, what, at: pointer)
    }

    private static func refusal(_ code: Code, _ what: String, at pointer: JSONPointer) -> InputError {
        let place = pointer.description.isEmpty ? "" : ": \(pointer)"
        return InputError(code, ProblemItem("\(what)\(place).", pointer: pointer.description))
    }
}
