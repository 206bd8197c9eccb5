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
            throw InputError(
                .schemaInvalid, SchemaValidationError.text(errors),
                details: errors.map { item($0.message, of: $0.className, $0.property, at: pointer) })
        }
        let details = nameViolations(at: pointer)
        guard let first = details.first else { return }
        throw InputError(.schemaInvalid, first.message, details: details)
    }

    private func item(
        _ message: String, of className: String, _ property: String?, at pointer: JSONPointer
    ) -> ProblemItem {
        let index = classes.firstIndex { $0.name.hasSameBytes(as: className) }
        let name = index.flatMap { index in property.map { classes[index].property(named: $0)?.publicName ?? $0 } }
        let place = index.map { index in
            let place = pointer.element(index)
            return name.map { place.member("properties").member($0) } ?? place
        }
        return ProblemItem(
            message, pointer: place?.description, className: className, property: name ?? property)
    }

    private func nameViolations(at pointer: JSONPointer) -> [ProblemItem] {
        classes.flatMap { objectSchema in
            let name = objectSchema.name
            let ofClass = NameLimit.violation(className: name).map {
                item($0, of: name, nil, at: pointer)
            }
            let ofProperties = objectSchema.persistedProperties.compactMap { property in
                violation(of: property, in: objectSchema).map {
                    item($0, of: name, property.name, at: pointer)
                }
            }
            return (ofClass.map { [$0] } ?? []) + ofProperties
        }
    }

    private func violation(of property: Property, in objectSchema: ObjectSchema) -> String? {
        if property.publicName.hasSameBytes(as: "_key"), objectSchema.primaryKey == nil, !objectSchema.isEmbedded {
            return "Property '\(objectSchema.name)._key' has the name of the object key in Realm JSON."
        }
        return NameLimit.violation(property: property.name)
    }
}
