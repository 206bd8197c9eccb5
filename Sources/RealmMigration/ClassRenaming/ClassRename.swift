import Columns
import RealmEditing
import RealmModel

/// A class that gets another name and keeps its objects, their keys and the links to them; Realm has no such operation.
public struct ClassRename: Hashable, Sendable {
    /// The name before.
    public var from: String
    /// The name afterwards, which the target schema has.
    public var to: String

    /// Describes a rename.
    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    /// Refuses what can't be done.
    ///
    /// - Parameters:
    ///   - count: the objects that a class has; nil where there is none of the name.
    ///   - target: the schema that the migration leads to.
    func check(in target: Schema, count: (String) -> Int?) throws(MigrationError) {
        guard count(from) != nil else { throw .renameOfUnknownClass(self) }
        guard target[from] == nil else { throw .renameOfKeptClass(self) }
        guard target[to] != nil else { throw .renameToUnknownClass(self) }
        guard count(to) ?? 0 == 0 else { throw .renameToFilledClass(self) }
    }

    func isSame(as other: ClassRename) -> Bool { from.hasSameBytes(as: other.from) && to.hasSameBytes(as: other.to) }
}

extension Snapshot {
    /// The snapshot with a class under another name, and everything that links to it; what mixed values link to is left.
    fileprivate func renaming(_ rename: ClassRename) -> Snapshot {
        var renamed = self
        // One of the new name has no objects.
        renamed.classes.removeAll { $0.schema.name.hasSameBytes(as: rename.to) }
        for index in renamed.classes.indices {
            renamed.classes[index].schema = renamed.classes[index].schema.renaming(rename)
        }
        let declared = declared.classes.filter { !$0.name.hasSameBytes(as: rename.to) }
        renamed.declared = Schema(declared.map { $0.renaming(rename) })
        return renamed
    }
}

extension ObjectSchema {
    fileprivate func renaming(_ rename: ClassRename) -> ObjectSchema {
        var renamed = self
        if name.hasSameBytes(as: rename.from) { renamed.name = rename.to }
        for index in properties.indices where properties[index].objectType?.hasSameBytes(as: rename.from) == true {
            renamed.properties[index].objectType = rename.to
        }
        return renamed
    }
}

extension MigrationRequest {
    /// The source as the migration begins with it: its classes renamed.
    ///
    /// - Throws: `MigrationError` where a class can't be renamed.
    func renamedSource() throws(MigrationError) -> Snapshot {
        var renamed = source
        for rename in migration.classRenames {
            try rename.check(in: target) { renamed[$0]?.objectCount }
            renamed = renamed.renaming(rename)
        }
        return renamed
    }
}

extension WorkingRealm {
    /// Has mixed values link to renamed classes by their new names.
    func relink(_ renames: [ClassRename]) throws {
        for stored in classes {
            for column in stored.columns where column.property.type == .mixed && column.constant == nil {
                let holdsAny = try stored.contains(in: column) { value in renames.contains { value.links(to: $0.from) }
                }
                guard holdsAny else { continue }
                try stored.forEachObject { position, _ in
                    let value = try stored.value(column, at: position)
                    var relinked = renames.reduce(value) { $0.relinked($1) }
                    // Links to several classes are in the order of their names.
                    if column.property.collection == .set, case .list(let elements) = relinked {
                        relinked = .list(ValueOrder.sortedUnique(elements))
                    }
                    if relinked != value { try stored.set(relinked, in: column, at: position) }
                }
            }
        }
    }
}

extension Value {
    fileprivate func relinked(_ rename: ClassRename) -> Value {
        switch self {
        case .typedLink(let className, let key):
            className.hasSameBytes(as: rename.from) ? .typedLink(className: rename.to, key) : self
        case .list(let elements): .list(elements.map { $0.relinked(rename) })
        case .dictionary(let entries):
            .dictionary(entries.map { DictionaryEntry($0.key, $0.value.relinked(rename)) })
        default: self
        }
    }
}

/// A script asked for a rename of a class: the migration begins anew with it.
///
/// The target's classes and properties are prepared before a script runs, by their names.
struct ClassRenaming: Error {
    let rename: ClassRename
}
