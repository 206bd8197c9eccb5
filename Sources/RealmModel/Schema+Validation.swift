extension Schema {
    /// Everything for which Realm refuses the schema, in Realm's order; empty where it accepts it.
    ///
    /// Classes are checked in bytewise order of their names. Cycles and unreachable classes are looked for only where
    /// all else is right. The length of names is no part of this: see `NameLimit`.
    public func validate(_ options: SchemaValidationOptions = []) -> [SchemaValidationError] {
        let classes = classes.sorted(byBytesOf: \.name)
        let graph = SchemaGraph(classes)
        var errors = zip(classes, classes.dropFirst())
            .filter { $0.name.hasSameBytes(as: $1.name) }
            .map { SchemaValidationError.duplicateType($0.0.name) }
        errors += classes.flatMap { $0.validate(in: graph, options) }
        guard errors.isEmpty else { return errors }
        errors += graph.embeddedCycles().map { SchemaValidationError.embeddedCycle($0.path, in: $0.className) }
        if options.contains(.rejectsUnreachableEmbedded) {
            errors += graph.unreachableEmbeddedClasses().map { SchemaValidationError.unreachableEmbedded($0) }
        }
        return errors
    }

    /// The embedded classes that no class which is not embedded leads to, in bytewise order.
    ///
    /// The mode `additiveExplicit` refuses them, `additiveDiscovered` does not create them.
    public var unreachableEmbeddedClasses: [String] {
        SchemaGraph(classes.sorted(byBytesOf: \.name)).unreachableEmbeddedClasses()
    }
}

extension ObjectSchema {
    /// The errors of one class in Realm's order: names, properties, primary key, kind.
    func validate(in graph: SchemaGraph, _ options: SchemaValidationOptions) -> [SchemaValidationError] {
        validateNames() + orderedForValidation.flatMap { PropertyValidation($0, of: self, in: graph).errors() }
            + validatePrimaryKey(options) + validateKind(options)
    }

    /// Realm looks at what is stored first, then at what is computed.
    private var orderedForValidation: [Property] {
        persistedProperties + properties.filter(\.isComputed)
    }

    private func validateNames() -> [SchemaValidationError] {
        let names = NameCounts(properties.map(\.name))
        let aliases = NameCounts(properties.compactMap { property in property.ownAlias })
        let stored = aliases.isEmpty ? [:] : storedNames
        return aliases.duplicates.map { .duplicateAlias($0, in: name, property: stored[NameKey($0)]) }
            + names.duplicates.map { .duplicateProperty($0, in: name) }
            + aliases.common(with: names).map { .aliasConflict($0, of: stored[NameKey($0)] ?? $0, in: name) }
    }

    /// The stored name of the first property of each public name.
    private var storedNames: [NameKey: String] {
        Dictionary(orderedForValidation.map { (NameKey($0.publicName), $0.name) }) { first, _ in first }
    }

    private func validatePrimaryKey(_ options: SchemaValidationOptions) -> [SchemaValidationError] {
        var errors: [SchemaValidationError] = []
        if primaryKey != nil, isEmbedded { errors.append(.embeddedPrimaryKey(in: name)) }
        if let primaryKey, primaryKeyProperty == nil {
            errors.append(.missingPrimaryKeyProperty(primaryKey, in: name, among: properties.map(\.name)))
        }
        guard options.isSynced, !isEmbedded else { return errors }
        if let primaryKey {
            if primaryKey != "_id" { errors.append(.syncedPrimaryKeyName(primaryKey, in: name)) }
        } else {
            errors.append(.syncedWithoutPrimaryKey(name))
        }
        return errors
    }

    private func validateKind(_ options: SchemaValidationOptions) -> [SchemaValidationError] {
        guard kind == .asymmetric, !options.contains(.flexibleSync) else { return [] }
        return [options.isSynced ? .asymmetricInPartitionSync(name) : .asymmetricInLocalRealm(name)]
    }
}

extension Property {
    /// The alias where it says something else than the name does.
    fileprivate var ownAlias: String? {
        guard let alias, !alias.isEmpty, !alias.hasSameBytes(as: name) else { return nil }
        return alias
    }
}

/// How often each name occurs, in bytewise order.
private struct NameCounts {
    private var counts: [(name: String, count: Int)] = []

    init(_ names: [String]) {
        for name in names.sorted(byBytesOf: { $0 }) {
            if let last = counts.last, last.name.hasSameBytes(as: name) {
                counts[counts.count - 1].count += 1
            } else {
                counts.append((name, 1))
            }
        }
    }

    var isEmpty: Bool { counts.isEmpty }

    /// A name for every pair of those that are alike.
    var duplicates: [String] {
        counts.flatMap { name, count in [String](repeating: name, count: count / 2) }
    }

    /// A name for every pair of which one is here and one is there.
    func common(with others: NameCounts) -> [String] {
        let theirs = [NameKey: Int](others.counts.map { (NameKey($0.name), $0.count) }) { first, _ in first }
        return counts.flatMap { name, count in
            [String](repeating: name, count: min(count, theirs[NameKey(name)] ?? 0))
        }
    }
}
