import RealmModel

/// One name of each property by the other, in schemas with linking objects, which name properties of other classes.
struct PropertyNames {
    private let byClass: [NameKey: [NameKey: String]]

    /// - Returns: nil for classes without linking objects.
    init?(_ classes: [ObjectSchema], from: KeyPath<Property, String>, to: KeyPath<Property, String>) {
        guard classes.contains(where: { $0.properties.contains(where: \.isComputed) }) else { return nil }
        let names = classes.map { objectSchema in
            let names = objectSchema.properties.map { (NameKey($0[keyPath: from]), $0[keyPath: to]) }
            return (NameKey(objectSchema.name), Dictionary(names) { first, _ in first })
        }
        byClass = Dictionary(names) { first, _ in first }
    }

    /// The other name of the property that linking objects come from; the one they say where there is no such property.
    func origin(of linkingObjects: Property) -> String? {
        guard let origin = linkingObjects.originProperty, let target = linkingObjects.objectType else {
            return linkingObjects.originProperty
        }
        return byClass[NameKey(target)]?[NameKey(origin)] ?? origin
    }
}
