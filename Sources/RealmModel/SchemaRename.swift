/// A rename that a migration declares, since two schemas alone do not show it.
public enum SchemaRename: Hashable, Sendable {
    /// A property of a class, by its stored names.
    case property(className: String, from: String, to: String)
    /// A class.
    case objectType(from: String, to: String)
}

extension Schema {
    /// The schema after the renames, in their order; those of names that are not there change nothing.
    ///
    /// A property that has the new name already is replaced, as Realm's `renameProperty` does.
    func renamed(_ renames: [SchemaRename]) -> Schema {
        renames.reduce(self) { $0.renamed($1) }
    }

    private func renamed(_ rename: SchemaRename) -> Schema {
        switch rename {
        case .property(let className, let from, let to):
            Schema(
                classes.map { object in
                    object.name.hasSameBytes(as: className) ? object.renamingProperty(from, to: to) : object
                })
        case .objectType(let from, let to):
            self[from] == nil || self[to] != nil ? self : Schema(classes.map { $0.renamingClass(from, to: to) })
        }
    }
}

extension ObjectSchema {
    fileprivate func renamingProperty(_ from: String, to: String) -> ObjectSchema {
        guard !from.hasSameBytes(as: to), property(named: from) != nil else { return self }
        var renamed = self
        renamed.properties.removeAll { $0.name.hasSameBytes(as: to) }
        renamed.properties = renamed.properties.map { property in
            var property = property
            if property.name.hasSameBytes(as: from) { property.name = to }
            return property
        }
        if let primaryKey, primaryKey.hasSameBytes(as: from) { renamed.primaryKey = to }
        return renamed
    }

    fileprivate func renamingClass(_ from: String, to: String) -> ObjectSchema {
        var renamed = self
        if name.hasSameBytes(as: from) { renamed.name = to }
        renamed.properties = properties.map { property in
            var property = property
            if let target = property.objectType, target.hasSameBytes(as: from) { property.objectType = to }
            return property
        }
        return renamed
    }
}
