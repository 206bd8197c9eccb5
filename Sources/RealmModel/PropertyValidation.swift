/// The checks of one property, in Realm's order.
struct PropertyValidation {
    private let property: Property
    private let owner: ObjectSchema
    private let graph: SchemaGraph

    init(_ property: Property, of owner: ObjectSchema, in graph: SchemaGraph) {
        self.property = property
        self.owner = owner
        self.graph = graph
    }

    func errors() -> [SchemaValidationError] {
        [shapeError, optionalityError, primaryKeyError, indexError, originError, targetError].compactMap { $0 }
    }

    /// Linking objects are many by nature, so `none` and `list` both say that.
    private var shapeError: SchemaValidationError? {
        guard property.isComputed, property.collection == .set || property.collection == .dictionary else { return nil }
        return .linkingObjectsNotAnArray(property, in: owner.name)
    }

    private var optionalityError: SchemaValidationError? {
        if property.isOptional {
            return property.canBeOptional ? nil : .cannotBeNullable(property, in: owner.name)
        }
        if property.isLink, property.collection == .none || property.collection == .dictionary {
            return .linkMustBeNullable(property, in: owner.name)
        }
        if property.type == .mixed {
            return .mixedMustBeNullable(property, in: owner.name)
        }
        return nil
    }

    private var primaryKeyError: SchemaValidationError? {
        guard owner.isPrimaryKey(property) else { return nil }
        return property.canBePrimaryKey ? nil : .cannotBePrimaryKey(property, in: owner.name)
    }

    /// Realm looks at the general index alone; that a full-text index fits it sees when it makes it.
    private var indexError: SchemaValidationError? {
        // A list that is the primary key counts as one that asks for its index, whatever it says.
        let isIndexed = property.index == .general || (owner.isPrimaryKey(property) && property.collection == .list)
        return isIndexed && !property.supports(.general) ? .cannotBeIndexed(property, in: owner.name) : nil
    }

    private var originError: SchemaValidationError? {
        let hasOrigin = !(property.originProperty ?? "").isEmpty
        guard hasOrigin != property.isComputed else { return nil }
        return hasOrigin ? .unexpectedOrigin(property, in: owner.name) : .missingOrigin(property, in: owner.name)
    }

    private var targetError: SchemaValidationError? {
        guard property.isLink || property.isComputed else {
            let hasTarget = !(property.objectType ?? "").isEmpty
            return hasTarget ? .unexpectedObjectType(property, in: owner.name) : nil
        }
        guard let target = graph[property.objectType ?? ""] else {
            return .unknownObjectType(property, in: owner.name, among: graph.names)
        }
        if property.collection == .set, target.isEmbedded { return .setOfEmbedded(property, in: owner.name) }
        if target.kind == .asymmetric { return .linkToAsymmetric(property, in: owner.name) }
        return property.isComputed ? originLinkError(in: target) : nil
    }

    private func originLinkError(in target: ObjectSchema) -> SchemaValidationError? {
        guard let name = property.originProperty, let origin = target.property(named: name) else {
            return .originDoesNotExist(property, in: owner.name, among: target.properties.map(\.name))
        }
        guard origin.isLink else { return .originIsNoLink(property, in: owner.name) }
        let linked = origin.objectType ?? ""
        guard !linked.hasSameBytes(as: owner.name) else { return nil }
        return .originLinksElsewhere(property, in: owner.name, target: linked)
    }
}

extension Property {
    /// Whether Realm permits null: always but in collections of links without names, and for linking objects.
    public var canBeOptional: Bool {
        !isComputed && !(isLink && (collection == .list || collection == .set))
    }

    /// Whether Realm permits the property as a primary key: ints, strings, ObjectIds and UUIDs.
    ///
    /// It does not look at the collection here; the index that a primary key has is what most of them lack.
    public var canBePrimaryKey: Bool {
        switch type {
        case .int, .string, .objectId, .uuid: true
        default: false
        }
    }

    /// Whether Realm can make an index of a kind for values of the property's type.
    public func supports(_ index: PropertyIndex) -> Bool {
        switch (index, collection, type) {
        case (.none, _, _): true
        case (_, .none, .string), (_, .list, .string): true
        case (.general, .none, .int), (.general, .none, .bool), (.general, .none, .date): true
        case (.general, .none, .objectId), (.general, .none, .uuid), (.general, .none, .mixed): true
        default: false
        }
    }
}
