import RealmModel

/// A path over links to a property, with the places of its properties in a schema.
struct PropertyPath: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        let index: Int
        let property: Property
    }

    let steps: [Step]
    /// Whether the number of elements is asked for: `@count`, `@size`.
    let counts: Bool

    /// Whether there may be several values.
    var isPlural: Bool { !counts && steps.contains { $0.property.isCollection } }

    /// The type of what the path leads to.
    var type: PropertyType { counts ? .int : steps[steps.count - 1].property.type }

    /// - Parameter names: public names of properties, stored ones where there is no such.
    init(_ names: [String], of className: String, in schema: Schema) throws(QueryError) {
        var names = names
        counts = names.count > 1 && ["@count", "@size"].contains(names[names.count - 1].lowercased())
        if counts { names.removeLast() }
        var steps: [Step] = []
        var current = className
        for (place, name) in names.enumerated() {
            let properties = schema[current]?.properties ?? []
            guard
                let index = properties.firstIndex(where: { $0.publicName.hasSameBytes(as: name) })
                    ?? properties.firstIndex(where: { $0.name.hasSameBytes(as: name) })
            else {
                let nearest = NearestName.find(name, among: properties.map(\.publicName)).map {
                    "; did you mean '\($0)'?"
                }
                throw QueryError("'\(current)' has no property '\(name)'\(nearest ?? "")")
            }
            let property = properties[index]
            guard !property.isComputed else {
                throw QueryError("'\(current).\(name)' is computed, which a query here can't ask for")
            }
            steps.append(Step(index: index, property: property))
            guard place < names.count - 1 else { break }
            guard property.isLink, let target = property.objectType else {
                throw QueryError("Property '\(name)' in '\(current)' is not a link")
            }
            current = target
        }
        self.steps = steps
        if counts, !steps[steps.count - 1].property.isCollection {
            throw QueryError("'\(names.joined(separator: "."))' is no collection: it has no count")
        }
    }

    /// The values that the path leads to from an object; null where a link on its way is.
    func values<Source: QuerySource>(of object: Source.Object, in source: Source) throws -> [Value] {
        var objects: [Source.Object?] = [object]
        for step in steps.dropLast() {
            objects = try objects.flatMap { object -> [Source.Object?] in
                guard let object else { return [nil] }
                return try elements(of: step, object, source).map {
                    source.target(of: $0, objectType: step.property.objectType)
                }
            }
        }
        let last = steps[steps.count - 1]
        if counts {
            return try objects.map { object in
                guard let object else { return .null }
                return .int(Int64(try elements(of: last, object, source).count))
            }
        }
        return try objects.flatMap { object -> [Value] in
            guard let object else { return [.null] }
            return try elements(of: last, object, source).map { value in
                guard case .link(let key) = value, let target = last.property.objectType else { return value }
                return .typedLink(className: target, key)
            }
        }
    }

    private func elements<Source: QuerySource>(
        of step: Step, _ object: Source.Object, _ source: Source
    ) throws -> [Value] {
        let value = try source.value(step.index, of: object)
        guard step.property.isCollection else { return [value] }
        switch value {
        case .list(let elements): return elements
        case .dictionary(let entries): return entries.map(\.value)
        default: return []
        }
    }
}
