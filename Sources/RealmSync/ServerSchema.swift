import Columns
import RealmModel

/// The schema of a synced realm's server, and what it may become while clients of all declared versions go on as before.
public struct ServerSchema: Hashable, Sendable {
    /// The most that clients see.
    public let declared: Schema
    /// All that is stored, what an earlier schema had and clients see no more included.
    private let stored: Schema
    /// The embedded classes that have objects.
    private let filledEmbedded: Set<NameKey>

    /// The schema of a realm's current snapshot.
    public init(_ snapshot: Snapshot) {
        declared = snapshot.declared
        stored = snapshot.storedSchema
        filledEmbedded = Set(
            snapshot.classes.filter { $0.schema.isEmbedded && $0.objectCount > 0 }.map { NameKey($0.schema.name) })
    }

    /// Refuses a schema that the realm could not have: classes need a primary key `_id`, and what else Realm asks for.
    ///
    /// - Throws: `ServerSchemaError.invalid`.
    public static func validate(_ schema: Schema) throws(ServerSchemaError) {
        let errors = schema.validate(.flexibleSync)
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Refuses what breaks clients: anything but new classes, new properties and indexes.
    ///
    /// - Parameters:
    ///   - target: the schema that is to be the server's.
    ///   - renames: what the way there declares; each is refused.
    ///   - appliesDefaults: whether objects that are there get the target's defaults in what is added.
    /// - Throws: `ServerSchemaError`.
    public func requireAdditions(
        to target: Schema, renames: [SchemaRename] = [], appliesDefaults: Bool = false
    ) throws(ServerSchemaError) {
        try Self.validate(target)
        var breaking = SchemaChangeReport.compare(existing: declared, target: target, renames: renames)
            .filter { !$0.kind.keepsServing }
        // Properties that are stored and not declared come back as they are, or not at all.
        breaking += SchemaChangeReport.compare(existing: stored, target: target)
            .filter { !$0.kind.keepsServing && !$0.kind.isRemoval && !breaking.contains($0) }
        guard breaking.isEmpty else { throw .breaking(breaking) }
        try requireWholeEmbeddedObjects(target, appliesDefaults: appliesDefaults)
    }

    /// The schema with everything that a client's model has and it has not: what development mode makes of it.
    ///
    /// Classes and properties that the model does not have stay, as they do whenever a client's model is smaller.
    ///
    /// - Throws: `ServerSchemaError` where the model says something else of what there is.
    public func grown(by model: Schema) throws(ServerSchemaError) -> Schema {
        try Self.validate(model)
        let conflicts = SchemaChangeReport.compare(existing: declared, target: model)
            .filter { !$0.kind.keepsServing && !$0.kind.isRemoval }
        guard conflicts.isEmpty else { throw .breaking(conflicts) }
        var grown = declared
        for index in grown.classes.indices {
            guard let more = model[grown.classes[index].name] else { continue }
            let known = Set(grown.classes[index].properties.map { NameKey($0.name) })
            grown.classes[index].properties += more.properties.filter { !known.contains(NameKey($0.name)) }
        }
        grown.classes += model.classes.filter { declared[$0.name] == nil }
        try requireAdditions(to: grown)
        return grown
    }

    /// An embedded object is a part of its owner, which could not be left out for what the part lacks.
    private func requireWholeEmbeddedObjects(
        _ target: Schema, appliesDefaults: Bool
    ) throws(ServerSchemaError) {
        for added in target.classes where filledEmbedded.contains(NameKey(added.name)) {
            let missing = added.persistedProperties.first { property in
                property.requiresValue && stored[added.name]?.property(named: property.name) == nil
                    && !(appliesDefaults && property.defaultValue != nil)
            }
            if let missing { throw .embeddedWithoutValue(className: added.name, property: missing.name) }
        }
    }
}

/// Why a synced realm does not take a schema.
public enum ServerSchemaError: Error, Hashable, Sendable {
    /// No synced realm can have it; Realm's messages, all of them.
    case invalid([SchemaValidationError])
    /// It would break clients that are there.
    case breaking([SchemaChangeReport])
    /// It gives a class another primary key or another kind, or its embedded objects would lack a value: no value that is
    /// there could be kept or looked for by.
    case notReplaceable(className: String)
    /// It would leave embedded objects without a value that they need.
    case embeddedWithoutValue(className: String, property: String)
}
