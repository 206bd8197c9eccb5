/// The classes of a schema as a graph whose edges are the links.
struct SchemaGraph {
    private let classes: [ObjectSchema]
    private let byName: [NameKey: ObjectSchema]

    /// - Parameter classes: in the order in which findings are reported.
    init(_ classes: [ObjectSchema]) {
        self.classes = classes
        byName = Dictionary(classes.map { (NameKey($0.name), $0) }) { first, _ in first }
    }

    subscript(_ name: String) -> ObjectSchema? { byName[NameKey(name)] }

    /// The first cycle that each embedded class leads into: the class, and the path of properties that closes it.
    ///
    /// Links to classes that are not embedded end a path.
    func embeddedCycles() -> [(className: String, path: [String])] {
        var acyclic: Set<NameKey> = []
        var paths = Self.pathLimit
        return classes.filter(\.isEmbedded).compactMap { start in
            guard let cycle = anyCycle(from: start, acyclic: &acyclic) else { return nil }
            return (start.name, shortestCycle(from: start, limit: &paths) ?? cycle)
        }
    }

    /// How many paths are followed in search of shortest cycles; they can double with every class.
    private static let pathLimit = 16_384

    private struct Path {
        var end: ObjectSchema
        var names: [String]
        var visited: Set<NameKey>
    }

    /// The cycle that Realm names: the first that is found breadth first.
    ///
    /// - Parameter limit: the paths that may still be followed; nil is returned where there are none left.
    private func shortestCycle(from start: ObjectSchema, limit: inout Int) -> [String]? {
        var paths = [Path(end: start, names: [start.name], visited: [NameKey(start.name)])]
        var next = 0
        while next < paths.count, limit > 0 {
            let path = paths[next]
            next += 1
            limit -= 1
            for (property, target) in embeddedChildren(of: path.end) {
                let names = path.names + [property.name]
                guard !path.visited.contains(NameKey(target.name)) else { return names }
                paths.append(Path(end: target, names: names, visited: path.visited.union([NameKey(target.name)])))
            }
        }
        return nil
    }

    /// A cycle that the class leads into, in time proportional to the schema.
    ///
    /// - Parameter acyclic: classes that lead into none, and those that are found to be such.
    private func anyCycle(from start: ObjectSchema, acyclic: inout Set<NameKey>) -> [String]? {
        var stack = [(step: start.name, key: NameKey(start.name), children: embeddedChildren(of: start)[...])]
        var open: Set<NameKey> = [NameKey(start.name)]
        while let top = stack.last {
            guard let (property, child) = stack[stack.count - 1].children.popFirst() else {
                stack.removeLast()
                acyclic.insert(top.key)
                open.remove(top.key)
                continue
            }
            let key = NameKey(child.name)
            if open.contains(key) { return stack.map(\.step) + [property.name] }
            guard !acyclic.contains(key) else { continue }
            open.insert(key)
            stack.append((property.name, key, embeddedChildren(of: child)[...]))
        }
        return nil
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
