import RealmEditing
import RealmMigration
import RealmModel

/// The other side of objects as it is, which is read while functions run.
extension PartnerWriting {
    /// The objects of the other side that some have the primary keys of.
    struct LookedUp {
        fileprivate let keys: [ObjectKey]
        fileprivate let classIndex: Int
        /// One a key; nil where there is none.
        let objects: [ObjectReference?]
        /// Their values, one object a row; nil where one of them is not there.
        let held: FunctionObjects?
    }

    /// Looks up the other side of objects; where the primary keys have another type there, only the functions tell them.
    ///
    /// - Parameters:
    ///   - side: as what the objects are seen.
    ///   - other: as what those of the other side are.
    func lookUp(
        _ objects: FunctionObjects, seenAs side: FunctionRows, on other: FunctionRows, in classIndex: Int
    ) throws {
        lookedUp = nil
        guard hasSameKeyType, objects.primaryKey != nil else { return }
        let values = try objects.keys.indices.map { try primaryKey(of: objects, $0, seenAs: side) }
        try derived.editor.view.willLookUp(values, in: classIndex)
        let found = try values.map { try derived.editor.object(in: classIndex, of: $0) }
        let there = found.compactMap { $0?.key.value }
        lookedUp = LookedUp(
            keys: objects.keys, classIndex: classIndex, objects: found,
            held: there.count == found.count && other.isStoredAsShown ? try other.objects(there) : nil)
    }

    /// Takes the other side of some objects as it was looked up, nothing having been written there since.
    func takeLookedUp(of objects: FunctionObjects, in classIndex: Int) -> LookedUp? {
        defer { lookedUp = nil }
        return lookedUp.flatMap { $0.classIndex == classIndex && $0.keys == objects.keys ? $0 : nil }
    }
}
