import RealmModel

/// A property and its place in its class.
struct Column: Hashable, Sendable {
    let index: Int
    let property: Property
}

/// The way over links from an object to others, with the places of its properties in a schema.
struct LinkChain: Hashable, Sendable {
    /// One step from objects to objects.
    struct Step: Hashable, Sendable {
        enum Way: Hashable, Sendable {
            /// A property that links: single, or a collection.
            case link(Column)
            /// Against the direction of links: a property of linking objects, `@links`.
            case origins(Origin)
        }

        let way: Way
        /// Which of a collection's links; nil for all.
        var element: PathSyntax.Element?

        /// Whether it may lead to several objects.
        var isPlural: Bool {
            switch way {
            case .link(let column): column.property.isCollection
            case .origins: true
            }
        }

        /// The collection that the links are in; nil against their direction.
        var collection: CollectionKind? {
            if case .link(let column) = way { column.property.collection } else { nil }
        }
    }

    /// A property by which objects of a class link.
    struct Origin: Hashable, Sendable {
        let className: String
        let property: String
    }

    private(set) var steps: [Step] = []
    /// The class that the chain leads to.
    private(set) var className: String
    /// The classes before each step.
    private var classNames: [String] = []

    init(from className: String) { self.className = className }

    /// Whether it may lead to several objects.
    var isPlural: Bool { steps.contains(where: \.isPlural) }

    mutating func append(_ way: Step.Way, to target: String) {
        steps.append(Step(way: way))
        classNames.append(className)
        className = target
    }

    @discardableResult
    mutating func removeLast() -> Step {
        className = classNames.removeLast()
        return steps.removeLast()
    }

    /// Takes an index for the last step; false where that has none.
    mutating func take(_ element: PathSyntax.Element) -> Bool {
        guard let last = steps.last, last.element == nil else { return false }
        switch (element, last.collection) {
        case (.all, _): return true
        case (.index, .list), (.key, .dictionary):
            steps[steps.count - 1].element = element
            return true
        default: return false
        }
    }

    // MARK: Following

    /// The objects that the chain leads to from one; links to nothing lead nowhere.
    ///
    /// - Parameter once: whether an object that several ways lead to may come once, where they are many.
    /// - Throws: `QueryError` where they are more than `QueryLimits.reach`.
    func objects<Source: QuerySource>(
        from object: Source.Object, in source: Source, once: Bool
    ) throws -> [Source.Object] {
        var objects = [object]
        for step in steps {
            var next: [Source.Object] = []
            for object in objects {
                let targets = try step.targets(of: object, in: source)
                try source.spend(targets.count * 16)
                next += targets
                guard next.count <= QueryLimits.reach else { throw LinkChain.tooMany }
            }
            objects = once && next.count > 256 ? Array(Set(next)) : next
        }
        return objects
    }

    static let tooMany = QueryError("a path leads from one object to more than \(QueryLimits.reach) others")
}

extension LinkChain.Step {
    func targets<Source: QuerySource>(of object: Source.Object, in source: Source) throws -> [Source.Object] {
        switch way {
        case .origins(let origin): return try source.origins(of: object, from: origin.className, by: origin.property)
        case .link(let column):
            let links = try source.value(column.index, of: object)
            return links.elements(element).compactMap {
                source.target(of: $0, objectType: column.property.objectType)
            }
        }
    }
}

extension Value {
    /// The value itself, or the elements of a collection: all, or those that an index or a key names.
    func elements(_ element: PathSyntax.Element? = nil) -> [Value] {
        switch (self, element) {
        case (.list(let elements), .index(let index)):
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? [elements[place]] : []
        case (.list(let elements), _): return elements
        case (.dictionary(let entries), .key(let key)):
            return entries.first { $0.key.hasSameBytes(as: key) }.map { [$0.value] } ?? []
        case (.dictionary(let entries), _): return entries.map(\.value)
        default: return [self]
        }
    }
}
