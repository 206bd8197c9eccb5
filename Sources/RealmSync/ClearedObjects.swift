import Columns
import RealmEditing
import RealmModel

/// The objects that a batch changed without naming them: a link of theirs, or of an object embedded in them, led to what it
/// deleted.
package struct ClearedObjects {
    private var keys: [NameKey: Set<Int64>] = [:]

    /// None.
    package init() {}

    /// Some.
    init(_ links: [WorkingRealm.Owners]) {
        for link in links { keys[NameKey(link.className), default: []].formUnion(link.keys) }
    }

    mutating func merge(_ others: ClearedObjects) { keys.merge(others.keys) { $0.union($1) } }

    /// The keys of a class's objects.
    func keys(of className: String) -> Set<Int64> { keys[name: className] ?? [] }

    /// Whether a class has any.
    func have(_ className: String) -> Bool { keys[name: className] != nil }

    /// The delta of these changes.
    var delta: SnapshotDelta {
        SnapshotDelta(
            classes: keys.keys.sorted { $0.name < $1.name }.map {
                SnapshotDelta.ClassDelta($0.name, upserted: keys(of: $0.name).sorted())
            })
    }
}
