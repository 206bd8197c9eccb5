/// The classes of a schema as a graph whose edges are the links.
struct SchemaGraph {
    private let classes: [ObjectSchema]
    private let byName: [NameKey: ObjectSchema]

    /// - Parameter classes: in the order in which findings are reported.
    init(_ classes: [ObjectSchema]) {
        self.classes = classes
        byName = Dictionary(classes.map { (NameKey($0.name), $0) }) { first, _ in first }
    }

    /// The names of the classes.
    var names: [String] { classes.map(\.name) }

    subscript(_ name: String) -> ObjectSchema? { byName[NameKey(name)] }

    /// The shortest path of links that leads from each embedded class back to itself, where there is one: the class,
    /// and the path of properties.
    ///
    /// Among equally short paths it is the first, in order of the properties. Links to classes that are not embedded end a
    /// path. Classes that only lead into a cycle are none of it.
    func embeddedCycles() -> [(className: String, path: [String])] {
        let components = embeddedComponents()
        var effort = Self.effortLimit
        var cycles: [(className: String, path: [String])] = []
        for start in classes where start.isEmbedded && (effort > 0 || cycles.isEmpty) {
            guard let path = cycle(from: start, in: components, effort: &effort) else { continue }
            cycles.append((start.name, path))
        }
        return cycles
    }

    /// How many links are followed in search of cycles, with the lengths of those that were found.
    ///
    /// In a ring of many classes each has a path through all of them. The cycles of further classes go unnamed.
    private static let effortLimit = 1 << 20

    /// A link of a path, and the place of the one before it.
    private struct Step {
        var property: String
        var end: ObjectSchema
        var previous: Int
    }

    /// Looks breadth first, and sees each class once; a path back leads through classes of the same component alone.
    private func cycle(
        from start: ObjectSchema, in components: [NameKey: Int], effort: inout Int
    ) -> [String]? {
        let component = components[NameKey(start.name)]
        var steps = [Step(property: start.name, end: start, previous: -1)]
        var seen: Set<NameKey> = []
        var next = 0
        while next < steps.count {
            for (property, target) in embeddedChildren(of: steps[next].end) {
                effort -= 1
                let key = NameKey(target.name)
                guard components[key] == component, seen.insert(key).inserted else { continue }
                steps.append(Step(property: property.name, end: target, previous: next))
                guard target.name.hasSameBytes(as: start.name) else { continue }
                let path = path(to: steps.count - 1, of: steps)
                effort -= path.count
                return path
            }
            next += 1
        }
        return nil
    }

    private func path(to last: Int, of steps: [Step]) -> [String] {
        var path: [String] = []
        var index = last
        while index >= 0 {
            path.append(steps[index].property)
            index = steps[index].previous
        }
        return path.reversed()
    }

    /// A number for each embedded class, the same for those that lead to each other.
    private func embeddedComponents() -> [NameKey: Int] {
        var search = ComponentSearch()
        for start in classes where start.isEmbedded && !search.hasSeen(start) {
            search.enter(start, embeddedChildren(of: start).map(\.target))
            while let child = search.nextChild() {
                if let child { search.enter(child, embeddedChildren(of: child).map(\.target)) }
            }
        }
        return search.components
    }

    /// The embedded classes that no path of links from a class of another kind leads to.
    func unreachableEmbeddedClasses() -> [String] {
        var waiting = classes.filter { !$0.isEmbedded }
        var reached: Set<NameKey> = []
        while let next = waiting.popLast() {
            for (_, target) in embeddedChildren(of: next) where reached.insert(NameKey(target.name)).inserted {
                waiting.append(target)
            }
        }
        return classes.filter { $0.isEmbedded && !reached.contains(NameKey($0.name)) }.map(\.name)
    }

    private func embeddedChildren(of parent: ObjectSchema) -> [(property: Property, target: ObjectSchema)] {
        parent.properties.compactMap { property in
            guard property.isLink, let target = self[property.objectType ?? ""], target.isEmbedded else { return nil }
            return (property, target)
        }
    }
}
