import Columns
import RealmEditing
import RealmModel
import RealmSync

/// The objects that a migration gives the defaults of what it adds: those of classes with such properties, and those in which objects
/// of such classes are embedded.
struct GivenDefaults {
    /// Some objects of a class.
    enum Objects {
        case all
        /// By their keys, ascending.
        case these([Int64])
    }

    private var objects: [NameKey: Objects] = [:]

    /// Finds them.
    ///
    /// - Parameter store: holds the segments of the realm.
    init(from source: Snapshot, to grown: Snapshot, in store: any SegmentStore) throws {
        let classes = grown.declared.classes.filter { declared in
            let known = source.declared[declared.name]
            return (grown[declared.name]?.objectCount ?? 0) > 0
                && declared.persistedProperties.contains {
                    $0.defaultValue != nil && known?.property(named: $0.name) == nil
                }
        }
        let realm = RealmEditor(editing: grown, in: store).view.realm
        var owners: [NameKey: Set<Int64>] = [:]
        for declared in classes where declared.isEmbedded {
            guard let stored = grown[declared.name] else { continue }
            for found in try realm.owners(linkingTo: Set(Self.keys(of: stored, in: store)), of: declared.name) {
                owners[NameKey(found.className), default: []].formUnion(found.keys)
            }
        }
        objects = owners.mapValues { .these($0.sorted()) }
        for declared in classes where !declared.isEmbedded { objects[NameKey(declared.name)] = .all }
    }

    /// Those of a class; nil where it has none.
    func objects(of className: String) -> Objects? { objects[name: className] }

    /// The keys of all objects of a class.
    static func keys(of stored: StoredClass, in store: any SegmentStore) throws -> [Int64] {
        let reader = try ClassReader(stored, store: store)
        return try reader.rowGroups.enumerated().flatMap { number, group in
            let keys = try reader.keys(inGroup: number)
            return keys.indices.filter { group.deleted?[$0] != true }.map { keys[$0] }
        }
    }
}
