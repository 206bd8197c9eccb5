import RealmModel

/// Which embedded classes are columns of their owners, and what an owner has of them.
///
/// An embedded class is flattened where every property of it holds a single object and none leads back to the class itself.
struct Flattening {
    /// A part of an object, in its table or a table of its own: a property of it or, along the path, of an embedded object.
    struct Part {
        let path: [Property]
        let property: Property
        /// Whether the property is an embedded object, whose properties follow.
        let isPresence: Bool

        /// The names along the path.
        var name: String { (path + [property]).map(\.publicName).joined(separator: "_") }
    }

    /// The classes that may be flattened, by name.
    private let embedded: [NameKey: ObjectSchema]
    private let flat: Set<NameKey>

    /// Flattens nothing.
    init(none schema: Schema) {
        embedded = [:]
        flat = []
    }

    /// Flattens what can be.
    init(_ schema: Schema) {
        let embedded = Dictionary(
            schema.classes.filter(\.isEmbedded).map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        self.embedded = embedded
        var flat = Set(embedded.keys)
        for property in schema.classes.flatMap(\.persistedProperties) where property.isCollection {
            if let target = property.objectType { flat.remove(NameKey(target)) }
        }
        self.flat = flat.subtracting(Self.cyclic(embedded))
    }

    /// Whether a class has no table.
    func contains(_ object: ObjectSchema) -> Bool { flat.contains(name: object.name) }

    /// The parts of a class's objects, in declared order; an embedded object is followed by its parts.
    func parts(of object: ObjectSchema) -> [Part] { parts(of: object, path: []) }

    private func parts(of object: ObjectSchema, path: [Property]) -> [Part] {
        object.persistedProperties.flatMap { property -> [Part] in
            guard let target = property.objectType.flatMap({ embedded[name: $0] }), contains(target),
                !property.isCollection
            else { return [Part(path: path, property: property, isPresence: false)] }
            return [Part(path: path, property: property, isPresence: true)]
                + parts(of: target, path: path + [property])
        }
    }
    /// The embedded classes that hold themselves, or stand between such.
    ///
    /// Those that hold none of the others are put aside until none is left that does, and then those that none of the others
    /// hold: each link is followed twice.
    private static func cyclic(_ classes: [NameKey: ObjectSchema]) -> Set<NameKey> {
        var targets: [NameKey: [NameKey]] = [:]
        for (name, object) in classes {
            targets[name] = object.persistedProperties.compactMap { property in
                property.objectType.map { NameKey($0) }.flatMap { classes[$0] == nil ? nil : $0 }
            }
        }
        let holding = withoutEnds(targets)
        var owners: [NameKey: [NameKey]] = holding.mapValues { _ in [] }
        for (name, held) in holding { for each in held { owners[each]?.append(name) } }
        return Set(withoutEnds(owners).keys)
    }

    /// The nodes of a graph from which edges go on for ever, with their edges to such.
    private static func withoutEnds(_ edges: [NameKey: [NameKey]]) -> [NameKey: [NameKey]] {
        var counts = edges.mapValues(\.count)
        var origins: [NameKey: [NameKey]] = [:]
        for (name, ends) in edges { for end in ends { origins[end, default: []].append(name) } }
        var open = counts.filter { $0.value == 0 }.map(\.key)
        while let end = open.popLast() {
            counts[end] = nil
            for origin in origins[end] ?? [] {
                counts[origin, default: 0] -= 1
                if counts[origin] == 0 { open.append(origin) }
            }
        }
        return edges.filter { counts[$0.key] != nil }.mapValues { $0.filter { counts[$0] != nil } }
    }
}
