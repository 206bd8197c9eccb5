extension SchemaChangeReport {
    /// The changes that lead from one declared schema to another.
    ///
    /// - Parameters:
    ///   - existing: the earlier schema.
    ///   - target: the later schema.
    ///   - renames: what the migration declares; a rename that it does not declare is a removal and an addition, which
    ///     suggest it where no other rename is possible.
    /// - Returns: the renames in their order, then the other changes in Realm's.
    public static func compare(
        existing: Schema, target: Schema, renames: [SchemaRename] = []
    ) -> [SchemaChangeReport] {
        let renames = renames.composed()
        let renamed = existing.renamed(renames)
        let changes = SchemaDifference.compare(existing: renamed, target: target, includesTableRemovals: true)
        let suggestions = RenameSuggestions(changes)
        let (before, after) = (PrimaryKeys(renamed), PrimaryKeys(target))
        return reports(of: renames, from: existing, to: target)
            + changes.enumerated().compactMap { index, change in
                guard !change.isOfPrimaryKeyIndex(before, after) else { return nil }
                var report = SchemaChangeReport(change)
                report?.suggests = suggestions[index]
                return report
            }
    }

    /// The renames that had something to rename and lead to something that is there.
    private static func reports(
        of renames: [SchemaRename], from existing: Schema, to target: Schema
    ) -> [SchemaChangeReport] {
        var current = existing
        return renames.indices.compactMap { index in
            let before = current
            current = before.renamed([renames[index]])
            guard before != current else { return nil }
            return report(of: renames[index], then: renames[(index + 1)...])
        }.filter { report in
            let renamed = target[report.className]
            return report.property.map { renamed?.property(named: $0) != nil } ?? (renamed != nil)
        }
    }

    private static func report(of rename: SchemaRename, then later: ArraySlice<SchemaRename>) -> SchemaChangeReport {
        switch rename {
        case .property(let className, let from, let to):
            SchemaChangeReport(
                .changePropertyName, later.className(className), to, from: from, to: to,
                message: "Property '\(className).\(from)' has been renamed to '\(to)'.")
        case .objectType(let from, let to):
            SchemaChangeReport(
                .changeObjectTypeName, to, from: from, to: to, message: "Class '\(from)' has been renamed to '\(to)'.")
        }
    }

    /// The report of one change; nil for the properties of a new class, which are not told one by one.
    private init?(_ change: SchemaChange) {
        guard let message = change.message else { return nil }
        let name = change.className
        switch change {
        case .addTable: self.init(.addObjectType, name, message: message)
        case .addInitialProperties: return nil
        case .removeTable: self.init(.removeObjectType, name, message: message)
        case .changeTableType(_, let from, let to):
            self.init(.changeEmbedded, name, from: from.rawValue, to: to.rawValue, message: message)
        case .addProperty(_, let property):
            let kind: Kind = property.isOptional ? .addOptionalProperty : .addRequiredProperty
            self.init(kind, name, property.name, to: property.typeName, message: message)
        case .removeProperty(_, let property):
            let kind: Kind = property.isOptional ? .removeOptionalProperty : .removeRequiredProperty
            self.init(kind, name, property.name, from: property.typeName, message: message)
        case .changePropertyType(_, let from, let to):
            self.init(.changePropertyType, name, to.name, from: from.typeName, to: to.typeName, message: message)
        case .makePropertyNullable(_, let property):
            self.init(
                .changePropertyRequiredToOptional, name, property.name, from: "required", to: "optional",
                message: message)
        case .makePropertyRequired(_, let property):
            self.init(
                .changePropertyOptionalToRequired, name, property.name, from: "optional", to: "required",
                message: message)
        case .addIndex(_, let property, _): self.init(.addIndex, name, property.name, message: message)
        case .removeIndex(_, let property): self.init(.removeIndex, name, property.name, message: message)
        case .changePrimaryKey(_, let from, let to):
            self.init(.changePrimaryKey, name, change.propertyName, from: from, to: to, message: message)
        }
    }
}

/// The primary keys of a schema's classes.
private struct PrimaryKeys {
    private let byClass: [NameKey: NameKey]

    init(_ schema: Schema) {
        let keys = schema.classes.compactMap { object in
            object.primaryKey.map { (NameKey(object.name), NameKey($0)) }
        }
        byClass = Dictionary(keys) { first, _ in first }
    }

    func contains(_ property: Property, of className: String) -> Bool {
        byClass[NameKey(className)] == NameKey(property.name)
    }
}

extension SchemaChange {
    /// Whether the change is of the index that comes and goes with a primary key, which needs no telling.
    fileprivate func isOfPrimaryKeyIndex(_ existing: PrimaryKeys, _ target: PrimaryKeys) -> Bool {
        switch self {
        case .addIndex(let name, let property, .general): target.contains(property, of: name)
        case .removeIndex(let name, let property): existing.contains(property, of: name)
        default: false
        }
    }
}

extension Sequence<SchemaRename> {
    /// The renames with those that are renamed on as one, from the first name to the last.
    fileprivate func composed() -> [SchemaRename] {
        reduce(into: [SchemaRename]()) { composed, rename in
            if let index = composed.firstIndex(where: { $0.then(rename) != nil }),
                let longer = composed[index].then(rename)
            {
                composed[index] = longer
            } else {
                composed.append(rename)
            }
        }
    }

    /// The name that a class has after the renames.
    fileprivate func className(_ name: String) -> String {
        reduce(name) { name, rename in
            if case .objectType(let from, let to) = rename, from.hasSameBytes(as: name) { to } else { name }
        }
    }
}

extension SchemaRename {
    /// Both renames as one where the other goes on with what this one renamed.
    fileprivate func then(_ other: SchemaRename) -> SchemaRename? {
        switch (self, other) {
        case (.property(let name, let from, let middle), .property(let otherName, let next, let to))
        where name.hasSameBytes(as: otherName) && middle.hasSameBytes(as: next):
            .property(className: name, from: from, to: to)
        case (.objectType(let from, let middle), .objectType(let next, let to)) where middle.hasSameBytes(as: next):
            .objectType(from: from, to: to)
        default: nil
        }
    }
}
