import RealmModel

/// A path inside mixed values: keys of dictionaries, indexes of lists, properties of linked objects.
struct MixedPath {
    private let path: [PathSyntax.Element]
    private let isList: Bool

    /// - Parameter isList: whether what it ends at is a list in any case; else a single value is where all of its keys are.
    init(_ path: [PathSyntax.Element], isList: Bool) {
        self.path = path.isEmpty ? [.all] : path
        self.isList = isList || self.path.contains(.all) || path.last == .key("@keys")
    }

    /// One group for each collection, or value, that the path ends at.
    func groups<Source: QuerySource>(in roots: [Value], _ source: Source) throws -> [ValueGroup] {
        var found: [[Value]] = []
        for root in roots { try collect(root, path[...], source, &found) }
        guard !found.isEmpty else { return [.none] }
        return found.map { ValueGroup(values: $0, isList: isList || $0.isEmpty) }
    }

    private func collect<Source: QuerySource>(
        _ value: Value, _ path: ArraySlice<PathSyntax.Element>, _ source: Source, _ found: inout [[Value]]
    ) throws {
        guard let element = path.first else { return }
        let isLast = path.count == 1
        let next = try self.next(value, element, isLast: isLast, source)
        guard found.count <= QueryLimits.reach else { throw LinkChain.tooMany }
        if isLast {
            found.append(next)
        } else {
            for value in next { try collect(value, path.dropFirst(), source, &found) }
        }
    }

    private func next<Source: QuerySource>(
        _ value: Value, _ element: PathSyntax.Element, isLast: Bool, _ source: Source
    ) throws -> [Value] {
        switch (value, element) {
        case (.dictionary(let entries), .key(let key)):
            if let entry = entries.first(where: { $0.key.hasSameBytes(as: key) }) { return [entry.value] }
            if key == "@keys" { return entries.map { .string($0.key) } }
            // A key that a dictionary has not stands for null; an empty dictionary has nothing to say.
            return isLast && !entries.isEmpty ? [.null] : []
        case (.dictionary, .all), (.list, .all), (.list, .index): return value.elements(element)
        case (.typedLink, .key(let name)): return try source.value(named: name, ofLinked: value).map { [$0] } ?? []
        default: return []
        }
    }
}
