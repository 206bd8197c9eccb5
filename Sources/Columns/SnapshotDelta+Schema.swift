import RealmModel

extension SnapshotDelta {
    /// The delta of another declared schema: the schema, and all objects of the classes that it shows otherwise.
    ///
    /// For changes of the schema alone: no object came or went.
    ///
    /// - Parameter appliesDefaults: whether objects that are there were given the defaults of what was added.
    public init(schemaOf before: Snapshot, to after: Snapshot, appliesDefaults: Bool = false) {
        // Links to objects that clients are not shown for what they lack are not shown, either; and embedded objects change with
        // what owns them.
        let shownAnew = Set(
            after.classes.filter { stored in
                let name = stored.schema.name
                let isOther = before.declared[name]?.persistedProperties != after.declared[name]?.persistedProperties
                return stored.unsyncedCount != before[name]?.unsyncedCount ?? 0 || stored.schema.isEmbedded && isOther
            }.map { NameKey($0.schema.name) })
        let changed = after.declared.classes.filter { declared in
            guard !declared.isEmbedded, let stored = before[declared.name], stored.objectCount > 0 else { return false }
            return before.declared[declared.name]?.persistedProperties != declared.persistedProperties
                || !shownAnew.isEmpty && after.declared.mayLink(declared, to: shownAnew)
        }
        self.init(
            changesSchema: before.declared != after.declared,
            classes: changed.map { declared in
                let givesDefaults = appliesDefaults && after.declared.hasDefaults(declared, notIn: before.declared)
                return ClassDelta(declared.name, isWhole: true, keepsValues: !givesDefaults)
            })
    }
}

extension Schema {
    /// Whether a class, or one that is embedded in it, has a default in a property that another schema has not.
    fileprivate func hasDefaults(
        _ objectSchema: ObjectSchema, notIn before: Schema, seen: Set<NameKey> = []
    ) -> Bool {
        var seen = seen
        guard seen.insert(NameKey(objectSchema.name)).inserted else { return false }
        let known = before[objectSchema.name]
        return objectSchema.persistedProperties.contains { property in
            if property.defaultValue != nil, known?.property(named: property.name) == nil { return true }
            guard let target = property.objectType.flatMap({ self[$0] }), target.isEmbedded else { return false }
            return hasDefaults(target, notIn: before, seen: seen)
        }
    }

    /// Whether objects of a class may link to those of some classes, or have embedded ones that may.
    fileprivate func mayLink(_ objectSchema: ObjectSchema, to targets: Set<NameKey>, seen: Set<NameKey> = []) -> Bool {
        var seen = seen
        guard seen.insert(NameKey(objectSchema.name)).inserted else { return false }
        return objectSchema.persistedProperties.contains { property in
            guard property.type == .object, let name = property.objectType else { return property.type == .mixed }
            if targets.contains(NameKey(name)) { return true }
            guard let target = self[name], target.isEmbedded else { return false }
            return mayLink(target, to: targets, seen: seen)
        }
    }
}
