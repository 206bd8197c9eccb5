import RealmModel

/// Which embedded classes are columns of their owners, and what an owner has of them.
///
/// An embedded class is flattened where every property of it holds a single object and none leads back to the class itself.
struct Flattening {
    /// What an object has in its table or a table of its own: a property of it or, along the path, of an embedded object.
    struct Part {
        let path: [Property]
        let property: Property
        /// Whether the property is an embedded object, whose properties follow.
        let isPresence: Bool

        /// The names along the path.
        var name: String { (path + [property]).map(\.publicName).joined(separator: "_") }
    }

    private let schema: Schema
    private let flat: Set<NameKey>

    /// Flattens nothing.
    init(none schema: Schema) {
        self.schema = schema
        flat = []
    }

    /// Flattens what can be.
    init(_ schema: Schema) {
        self.schema = schema
        var flat = Set(schema.classes.filter(\.isEmbedded).map { NameKey($0.name) })
        for property in schema.classes.flatMap(\.persistedProperties) where property.isCollection {
            if let target = property.objectType { flat.remove(NameKey(target)) }
        }
        for object in schema.classes where flat.contains(name: object.name) {
            if Self.reaches(object.name, from: object, in: schema) { flat.remove(NameKey(object.name)) }
        }
        self.flat = flat
    }

    /// Whether a class has no table.
    func contains(_ object: ObjectSchema) -> Bool { flat.contains(name: object.name) }

    /// What the objects of a class have, in declared order; an embedded object is followed by what it has.
    func parts(of object: ObjectSchema) -> [Part] { parts(of: object, path: []) }

    private func parts(of object: ObjectSchema, path: [Property]) -> [Part] {
        object.persistedProperties.flatMap { property -> [Part] in
            guard let target = property.objectType.flatMap({ schema[$0] }), contains(target), !property.isCollection
            else { return [Part(path: path, property: property, isPresence: false)] }
            return [Part(path: path, property: property, isPresence: true)]
                + parts(of: target, path: path + [property])
        }
    }

    /// Whether single embedded objects lead from a class to one of a name.
    private static func reaches(_ name: String, from object: ObjectSchema, in schema: Schema) -> Bool {
        var (open, seen): ([ObjectSchema], Set<NameKey>) = ([object], [])
        while let next = open.popLast() {
            for property in next.persistedProperties {
                guard let target = property.objectType.flatMap({ schema[$0] }), target.isEmbedded else { continue }
                if target.name.hasSameBytes(as: name) { return true }
                if seen.insert(NameKey(target.name)).inserted { open.append(target) }
            }
        }
        return false
    }
}
