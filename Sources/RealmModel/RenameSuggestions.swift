/// The removals and additions that can only belong to one another, if they are a rename.
struct RenameSuggestions {
    /// By the place of a change among the changes.
    private var suggestions: [Int: SchemaChangeReport.Suggestion] = [:]

    /// Pairs the one removal of a property with the one addition of the same type in its class, and the one class that
    /// is removed with the one of the same properties that is added; in time proportional to the changes.
    init(_ changes: [SchemaChange]) {
        pair(changes, as: .changePropertyName, Self.property)
        pair(changes, as: .changeObjectTypeName, Self.objectType)
    }

    /// The rename that the change at a place among the changes may be a half of.
    subscript(_ index: Int) -> SchemaChangeReport.Suggestion? { suggestions[index] }

    /// One half of what may be a rename: what it has in common with the other, and its name.
    private struct Half<Shape: Hashable> {
        let shape: Shape
        let name: String
        let isAddition: Bool
    }

    private struct ValueType: Hashable {
        let type: PropertyType
        let collection: CollectionKind
        let objectType: NameKey

        init(_ property: Property) {
            type = property.type
            collection = property.collection
            objectType = NameKey(property.objectType ?? "")
        }
    }

    private struct PropertyPlace: Hashable {
        let className: NameKey
        let type: ValueType
    }

    private static func property(_ change: SchemaChange) -> Half<PropertyPlace>? {
        switch change {
        case .addProperty(let className, let property), .removeProperty(let className, let property):
            let place = PropertyPlace(className: NameKey(className), type: ValueType(property))
            if case .addProperty = change { return Half(shape: place, name: property.name, isAddition: true) }
            return Half(shape: place, name: property.name, isAddition: false)
        default: return nil
        }
    }

    private static func objectType(_ change: SchemaChange) -> Half<[NameKey: ValueType]>? {
        switch change {
        case .addTable(let object), .removeTable(let object):
            let properties = object.persistedProperties.map { (NameKey($0.name), ValueType($0)) }
            let shape = Dictionary(properties) { first, _ in first }
            if case .addTable = change { return Half(shape: shape, name: object.name, isAddition: true) }
            return Half(shape: shape, name: object.name, isAddition: false)
        default: return nil
        }
    }

    private mutating func pair<Shape>(
        _ changes: [SchemaChange], as kind: SchemaChangeReport.Kind, _ half: (SchemaChange) -> Half<Shape>?
    ) {
        var byShape: [Shape: [(index: Int, half: Half<Shape>)]] = [:]
        for (index, change) in changes.enumerated() {
            if let half = half(change) { byShape[half.shape, default: []].append((index, half)) }
        }
        for halves in byShape.values where halves.count == 2 {
            guard let removal = halves.first(where: { !$0.half.isAddition }),
                let addition = halves.first(where: \.half.isAddition)
            else { continue }
            let suggestion = SchemaChangeReport.Suggestion(
                kind: kind, from: removal.half.name, to: addition.half.name)
            suggestions[removal.index] = suggestion
            suggestions[addition.index] = suggestion
        }
    }
}
