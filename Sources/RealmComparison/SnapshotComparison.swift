import Columns
import RealmModel

/// Finds what differs between two snapshots of a realm, class by class.
///
/// Compared are the classes and properties that the snapshots declare, embedded classes like all others; an object differs with what
/// is embedded in it. A property that one snapshot alone has is a change of schema, not of objects. Memory is bounded: a row group of each snapshot is in memory at a
/// time. Belongs to one thread.
public final class SnapshotComparison {
    let from: Snapshot
    let to: Snapshot
    private let delta: SnapshotDelta?
    private let store: any SegmentStore
    let names: RenamedNames
    let linked: LinkedObjects
    /// The embedded objects that differ, of the classes that were asked for.
    var embedded: [NameKey: ChangedKeys] = [:]

    /// Opens two snapshots.
    ///
    /// - Parameters:
    ///   - renames: what the second has under another name; else that is one thing gone and another one added.
    ///   - delta: what changed from the first to the second, where that is known: other objects are not looked at.
    ///   - store: where the columns of both are.
    public init(
        _ from: Snapshot, _ to: Snapshot, renames: [SchemaRename] = [], delta: SnapshotDelta? = nil,
        store: any SegmentStore
    ) {
        self.from = from
        self.to = to
        self.delta = delta
        self.store = store
        let names = RenamedNames(renames)
        self.names = names
        let newNames = names.newClasses
        let gone = from.declared.classes.map { NameKey($0.name) }.filter { to.declared[newNames[$0] ?? $0.name] == nil }
        linked = LinkedObjects(
            old: ObjectContents(from, gone: Set(gone), newNames: newNames, store: store),
            new: ObjectContents(to, store: store), targets: LinkTargets(in: to, newNames: newNames, store: store))
    }

    /// The classes that either snapshot declares: those of the second in their order, then those of the first alone.
    public var classNames: [String] {
        let names = to.declared.classes.map(\.name)
        let known = Set(names.map(NameKey.init))
        return names
            + from.declared.classes.map(\.name).filter { name in
                !known.contains(NameKey(name)) && self.names.newClasses[NameKey(name)] == nil
            }
    }

    /// The name that a class of `classNames` has in the first snapshot.
    func oldName(of className: String) -> String { names.oldClass(className) }

    /// Compares the objects of a class.
    ///
    /// - Parameters:
    ///   - name: one of `classNames`. Objects of a class that one snapshot alone declares are in that one alone.
    ///   - report: takes each object that differs, in the order of the keys; says whether it wants more. Where it does not,
    ///     the counts are of a part.
    ///   - isCancelled: asked for every row group; true ends it.
    /// - Throws: `Rehearsal.Cancelled`; what the store and `report` throw.
    public func compare(
        _ name: String, report: @escaping (ObjectDifference) throws -> Bool = { _ in true },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ClassDifference {
        try compare(name, survey: nil, report: report, isCancelled: isCancelled)
    }

    /// As above.
    ///
    /// - Parameter survey: notes what values lose; nil where that is not asked.
    func compare(
        _ name: String, survey: LossSurvey?, report: @escaping (ObjectDifference) throws -> Bool = { _ in true },
        isCancelled: @escaping () -> Bool
    ) throws -> ClassDifference {
        let (old, new) = (declared(oldName(of: name), in: from), declared(name, in: to))
        guard let stored = new ?? old else { return ClassDifference(name) }
        // The other half of a class that one snapshot alone has.
        let lone = StoredClass(empty: stored.schema)
        let properties = old == nil || new == nil ? [] : sharedProperties(name)
        let parts = try changedParts(of: name, others: survey != nil, isCancelled: isCancelled)
        if survey?.readsAllRows != true, parts.isEmpty,
            ClassComparison.areSame(old ?? lone, new ?? lone, properties: properties)
        {
            return ClassDifference(name)
        }
        var comparison = try ClassComparison(
            old ?? lone, new ?? lone, properties: properties, parts: parts,
            suspects: suspects(of: name), store: store, survey: survey,
            isCancelled: isCancelled, report: report)
        return try comparison.run()
    }

    /// Notes the losses of a class that both snapshots declare; nil for any other.
    func survey(of name: String) -> LossSurvey? {
        guard let old = declared(oldName(of: name), in: from), let new = declared(name, in: to) else { return nil }
        let (gone, carried) = droppedProperties(name, old, new)
        let all = sharedProperties(name)
        let shared = all.filter { !isLinkedNow($0, of: name) }
        let relinked = all.filter { isLinkedNow($0, of: name) }
        let known = Set((shared.map(\.to) + carried).map { NameKey($0) })
        let added = (to.declared[name]?.persistedProperties ?? []).map(\.name).filter { !known.contains(NameKey($0)) }
        return LossSurvey(
            old, new, dropped: gone, added: added, shared: shared, relinked: relinked, linked: linked, store: store)
    }

    /// The properties that are gone, and those that have the columns of some under another name.
    private func droppedProperties(
        _ name: String, _ old: StoredClass, _ new: StoredClass
    ) -> (dropped: [String], carried: [String]) {
        let kept = Set(new.schema.properties.map { NameKey($0.name) })
        let before = Set(old.schema.properties.map { NameKey($0.name) })
        let renamed = new.schema.properties.indices.filter { !before.contains(NameKey(new.schema.properties[$0].name)) }
        var carried: [String] = []
        let dropped = (from.declared[oldName(of: name)]?.persistedProperties ?? []).map(\.name).filter { property in
            guard names.newProperty(property, of: name) == nil, let column = old.index(of: property) else {
                return false
            }
            // A name that another property was renamed to has the values of that.
            let isReplaced = !names.oldProperty(property, of: name).hasSameBytes(as: property)
            guard !kept.contains(NameKey(property)) || isReplaced else { return false }
            guard case .segments = old.columns[column],
                let other = renamed.first(where: { new.columns[$0] == old.columns[column] })
            else { return true }
            carried.append(new.schema.properties[other].name)
            return false
        }
        return (dropped, carried)
    }

    /// Whether a property has links to another class now, or links in place of values, or values in place of links: what it had is
    /// elsewhere, as that of a property that is gone.
    private func isLinkedNow(_ property: PropertyName, of name: String) -> Bool {
        if let other = otherClass(property, of: name) { return to.declared[other]?.isEmbedded == false }
        guard let (old, new) = both(property, of: name), old.type != new.type, ![old.type, new.type].contains(.mixed)
        else { return false }
        return old.linkTarget.map { from.declared[$0]?.isEmbedded == false }
            ?? new.linkTarget.map { to.declared[$0]?.isEmbedded == false } ?? false
    }

    /// The class of a property's objects where they were of another one.
    func otherClass(_ property: PropertyName, of name: String) -> String? {
        guard let (old, new) = both(property, of: name), let target = old.linkTarget, let other = new.linkTarget else {
            return nil
        }
        return oldName(of: other).hasSameBytes(as: target) ? nil : other
    }

    /// A property as it is declared on both sides.
    private func both(_ name: PropertyName, of className: String) -> (old: Property, new: Property)? {
        let old = from.declared[oldName(of: className)]?.properties.first { $0.name.hasSameBytes(as: name.from) }
        let new = to.declared[className]?.properties.first { $0.name.hasSameBytes(as: name.to) }
        return old.flatMap { old in new.map { (old, $0) } }
    }

    private func declared(_ name: String, in snapshot: Snapshot) -> StoredClass? {
        snapshot.declared[name] == nil ? nil : snapshot[name]
    }

    /// The properties that both declarations have.
    private func sharedProperties(_ name: String) -> [PropertyName] {
        let known = Set(from.declared[oldName(of: name)]?.persistedProperties.map { NameKey($0.name) } ?? [])
        return (to.declared[name]?.persistedProperties ?? []).compactMap { property in
            let old = names.oldProperty(property.name, of: name)
            return known.contains(NameKey(old)) ? PropertyName(from: old, to: property.name) : nil
        }
    }

    /// The keys of the objects that may differ, ascending; nil where any may.
    private func suspects(of name: String) -> [Int64]? {
        // Deltas leave embedded objects out.
        guard let delta, !delta.changesSchema, to.declared[name]?.isEmbedded == false else { return nil }
        guard let changed = delta[name] else { return [] }
        return changed.isWhole ? nil : (changed.upserted + changed.deleted.map(\.key)).sorted()
    }
}
