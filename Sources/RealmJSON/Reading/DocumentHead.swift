import Columns
import RealmModel

/// The part of a document before its objects: `schemaVersion` and `schema`.
struct DocumentHead {
    let schemaVersion: UInt64?
    let schema: Schema

    /// Reads the head from what it consists of, and checks that Realm would take the schema.
    ///
    /// - Throws: `malformedDocument`, `schemaInvalid`.
    init(schemaVersion: JSONValue?, schema: JSONValue?) throws(InputError) {
        guard let schema else {
            throw .malformedDocument("schema is missing", at: JSONPointer("/schema"))
        }
        self.schemaVersion = try TargetJSON.version(schemaVersion ?? .null, at: JSONPointer("/schemaVersion"))
        self.schema = try SchemaJSON.decode(schema, at: "/schema")
        try self.schema.requireValid(at: JSONPointer("/schema"))
    }
}

extension Schema {
    /// Checks that a local realm can have the schema and that Realm JSON can tell its members apart.
    ///
    /// - Throws: `schemaInvalid` with Realm's own messages, all of them.
    func requireValid(at pointer: JSONPointer) throws(InputError) {
        // Asymmetric classes are checked where synced realms are: here they are no more than classes.
        let local = Schema(
            classes.map {
                var local = $0
                if local.kind == .asymmetric { local.kind = .topLevel }
                return local
            })
        let errors = local.validate()
        guard errors.isEmpty else {
            let places = SchemaPlaces(self, at: pointer)
            throw InputError(
                .schemaInvalid, SchemaValidationError.text(errors),
                details: errors.map { places.item($0.message, of: $0.className, $0.property, hint: $0.hint) })
        }
        let details = nameViolations(SchemaPlaces(self, at: pointer))
        guard let first = details.first else { return }
        throw InputError(.schemaInvalid, first.message, details: details)
    }

    private func nameViolations(_ places: SchemaPlaces) -> [ProblemItem] {
        classes.flatMap { objectSchema in
            let name = objectSchema.name
            let ofClass = NameLimit.violation(className: name).map { places.item($0, of: name, nil) }
            let ofProperties = objectSchema.persistedProperties.compactMap { property in
                violation(of: property, in: objectSchema).map { places.item($0, of: name, property.name) }
            }
            return (ofClass.map { [$0] } ?? []) + ofProperties
        }
    }

    private func violation(of property: Property, in objectSchema: ObjectSchema) -> String? {
        if property.publicName.hasSameBytes(as: "_key"), objectSchema.primaryKey == nil, !objectSchema.isEmbedded {
            return "Property '\(objectSchema.name)._key' has the name of the object key in Realm JSON."
        }
        return NameLimit.violation(property: property.name, of: objectSchema.name)
    }
}

/// Where the classes and properties of a schema stand in its document.
///
/// Every property may be wrong, so that each is found without looking at the others.
private struct SchemaPlaces {
    private let pointer: JSONPointer
    private let indexes: [NameKey: Int]
    private let publicNames: [[NameKey: String]]

    init(_ schema: Schema, at pointer: JSONPointer) {
        self.pointer = pointer
        indexes = Dictionary(
            schema.classes.enumerated().map { (NameKey($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        publicNames = schema.classes.map { objectSchema in
            Dictionary(
                objectSchema.properties.map { (NameKey($0.name), $0.publicName) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    func item(
        _ message: String, of className: String, _ property: String?, hint: String? = nil
    ) -> ProblemItem {
        let index = indexes[name: className]
        let name = index.flatMap { index in property.map { publicNames[index][name: $0] ?? $0 } }
        let place = index.map { index in
            let place = pointer.element(index)
            return name.map { place.member("properties").member($0) } ?? place
        }
        return ProblemItem(
            message, pointer: place?.description, className: className, property: name ?? property, hint: hint)
    }
}
