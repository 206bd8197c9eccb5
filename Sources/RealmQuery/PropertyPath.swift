import RealmModel

/// A path over links, in their direction or against it, to a property, with the places of its properties in a schema.
struct PropertyPath: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// A property by its place in its class.
        case property(Int, Property)
        /// The objects that link by one of these properties: a property of linking objects, or `@links`.
        case origins([Origin])

        fileprivate var isPlural: Bool {
            switch self {
            case .property(_, let property): property.isCollection
            case .origins: true
            }
        }
    }

    /// A property by which objects of a class link.
    struct Origin: Hashable, Sendable {
        let className: String
        let property: String
    }

    let steps: [Step]
    /// Whether the number of elements is asked for: `@count`, `@size`.
    let counts: Bool
    /// The type of what the path leads to.
    let type: PropertyType

    /// Whether there may be several values.
    var isPlural: Bool { !counts && steps.contains(where: \.isPlural) }

    /// - Parameter names: public names of properties, stored ones where there is no such.
    init(_ names: [String], of className: String, in schema: Schema) throws(QueryError) {
        counts = names.count > 1 && ["@count", "@size"].contains(names[names.count - 1].lowercased())
        var rest = (counts ? names.dropLast() : names[...])
        let path = rest.joined(separator: ".")
        var steps: [Step] = []
        var current = className
        var last = PropertyType.object
        while let name = rest.popFirst() {
            let step =
                name.lowercased() == "@links"
                ? try Self.origins(&rest, of: current, in: schema) : try Self.step(name, of: current, in: schema)
            steps.append(step)
            switch step {
            case .origins(let origins):
                guard !rest.isEmpty || counts else {
                    throw QueryError("'\(path)' leads to objects: a property of theirs, or @count, has to follow")
                }
                current = origins.first?.className ?? current
            case .property(_, let property):
                last = property.type
                guard !rest.isEmpty else { break }
                guard property.isLink, let target = property.objectType else {
                    throw QueryError("Property '\(name)' in '\(current)' is not a link")
                }
                current = target
            }
        }
        self.steps = steps
        type = counts ? .int : last
        if counts, let step = steps.last, !step.isPlural {
            throw QueryError("'\(path)' is no collection: it has no count")
        }
    }

    /// What stands behind `@links`: a class and a property of it that links here, or nothing for all that do.
    private static func origins(
        _ rest: inout ArraySlice<String>, of className: String, in schema: Schema
    ) throws(QueryError) -> Step {
        guard let from = rest.popFirst() else {
            return .origins(
                schema.classes.flatMap { origin in
                    origin.properties.filter { $0.isLink && $0.objectType?.hasSameBytes(as: className) == true }
                        .map { Origin(className: origin.name, property: $0.name) }
                })
        }
        guard let origin = schema[from] else { throw QueryError("There is no class '\(from)' behind '@links'") }
        guard let name = rest.popFirst() else { throw QueryError("'@links.\(from)' names no property that links") }
        guard case .property(_, let property) = try step(name, of: from, in: schema), property.isLink,
            property.objectType?.hasSameBytes(as: className) == true
        else { throw QueryError("'\(from).\(name)' is no link to '\(className)'") }
        return .origins([Origin(className: origin.name, property: property.name)])
    }

    private static func step(_ name: String, of className: String, in schema: Schema) throws(QueryError) -> Step {
        let properties = schema[className]?.properties ?? []
        guard
            let index = properties.firstIndex(where: { $0.publicName.hasSameBytes(as: name) })
                ?? properties.firstIndex(where: { $0.name.hasSameBytes(as: name) })
        else {
            let nearest = NearestName.find(name, among: properties.map(\.publicName)).map { "; did you mean '\($0)'?" }
            throw QueryError("'\(className)' has no property '\(name)'\(nearest ?? "")")
        }
        let property = properties[index]
        guard property.isComputed else { return .property(index, property) }
        guard let from = property.objectType, let by = property.originProperty else {
            throw QueryError("'\(className).\(name)' is computed, which a query here can't ask for")
        }
        return .origins([Origin(className: from, property: by)])
    }

    /// The values that the path leads to from an object; null where a link on its way is.
    func values<Source: QuerySource>(of object: Source.Object, in source: Source) throws -> [Value] {
        var objects: [Source.Object?] = [object]
        for step in steps.dropLast() {
            objects = try objects.flatMap { object -> [Source.Object?] in
                guard let object else { return [nil] }
                switch step {
                case .origins(let origins): return try Self.objects(origins, object, source)
                case .property(let index, let property):
                    return try Self.elements(index, property, object, source).map {
                        source.target(of: $0, objectType: property.objectType)
                    }
                }
            }
        }
        guard let last = steps.last else { return [] }
        if counts { return try objects.map { try count(last, $0, source) } }
        guard case .property(let index, let property) = last else { return [] }
        return try objects.flatMap { object -> [Value] in
            guard let object else { return [.null] }
            return try Self.elements(index, property, object, source).map { value in
                guard case .link(let key) = value, let target = property.objectType else { return value }
                return .typedLink(className: target, key)
            }
        }
    }

    private func count<Source: QuerySource>(_ step: Step, _ object: Source.Object?, _ source: Source) throws -> Value {
        guard let object else { return .null }
        switch step {
        case .origins(let origins): return .int(Int64(try Self.objects(origins, object, source).count))
        case .property(let index, let property):
            return .int(Int64(try Self.elements(index, property, object, source).count))
        }
    }

    private static func objects<Source: QuerySource>(
        _ origins: [Origin], _ object: Source.Object, _ source: Source
    ) throws -> [Source.Object] {
        try origins.flatMap { try source.origins(of: object, from: $0.className, by: $0.property) }
    }

    private static func elements<Source: QuerySource>(
        _ index: Int, _ property: Property, _ object: Source.Object, _ source: Source
    ) throws -> [Value] {
        let value = try source.value(index, of: object)
        guard property.isCollection else { return [value] }
        switch value {
        case .list(let elements): return elements
        case .dictionary(let entries): return entries.map(\.value)
        default: return []
        }
    }
}
