import RealmModel

/// A class as functions of one object see it: a link is the primary key of its target, an embedded object a dictionary.
public struct FunctionShape: Hashable, Sendable {
    /// The class's own properties that are stored, in its order.
    public let stored: [Property]
    /// Each of them as a function sees it; none is a link.
    public let properties: [Property]

    /// The shape of a class.
    ///
    /// - Parameter schema: has the classes that it links to.
    public init(_ objectSchema: ObjectSchema, in schema: Schema) {
        stored = objectSchema.persistedProperties
        properties = stored.map { property in
            guard property.type == .object, let target = property.objectType.flatMap({ schema[$0] }) else {
                return property
            }
            var shown = property
            shown.objectType = nil
            shown.index = .none
            shown.type = target.isEmbedded ? .mixed : target.primaryKeyProperty?.type ?? .int
            // Single links may be null, and so may those of dictionaries; elements of lists and sets may not.
            shown.isOptional = target.isEmbedded || property.collection == .none || property.collection == .dictionary
            if target.isEmbedded && property.collection == .set { shown.collection = .list }
            return shown
        }
    }
}
