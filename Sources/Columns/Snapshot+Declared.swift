import RealmModel

extension Snapshot {
    /// The snapshot with what its declared schema shows, and nothing that is stored besides; and where that is.
    ///
    /// Embedded objects go with the hidden objects and properties that they are in; their keys are held meanwhile, and counted as memory of the
    /// request.
    package func declaredAlone(in store: any SegmentStore) throws -> (snapshot: Snapshot, store: any SegmentStore) {
        var shown = Snapshot(
            schemaVersion: schemaVersion, declared: declared,
            classes: classes.compactMap { stored in declared[stored.schema.name].map { stored.keeping($0) } })
        let hidden = try HiddenObjects(of: self, in: store).keys
        guard !hidden.isEmpty else { return (shown, store) }
        let own = SideStore(beside: store)
        for index in shown.classes.indices {
            guard let keys = hidden[NameKey(shown.classes[index].schema.name)] else { continue }
            shown.classes[index].patches.append(try own.write(patch: PatchContents(deleted: keys.sorted())))
            shown.classes[index].objectCount -= keys.count
        }
        return (shown, own)
    }
}

extension StoredClass {
    /// The class with the properties that a schema of it has; patches name theirs, so that those of others do no harm.
    fileprivate func keeping(_ shown: ObjectSchema) -> StoredClass {
        let places = schema.properties.indices.filter { shown.property(named: schema.properties[$0].name) != nil }
        var stored = self
        stored.schema.properties = places.map { schema.properties[$0] }
        stored.columns = places.map { columns[$0] }
        return stored
    }
}

/// The embedded objects that are in what a declared schema does not show.
private struct HiddenObjects {
    /// The memory that a key takes in a set, about.
    private static let keyBytes = 32

    /// Their keys, by class; each object is in exactly one.
    private(set) var keys: [NameKey: Set<Int64>] = [:]

    private let snapshot: Snapshot
    private let store: any SegmentStore

    init(of snapshot: Snapshot, in store: any SegmentStore) throws {
        (self.snapshot, self.store) = (snapshot, store)
        for stored in snapshot.classes where !stored.schema.isEmbedded {
            let shown = snapshot.declared[stored.schema.name]
            try add(from: stored, among: nil) { shown?.property(named: $0.name) == nil }
        }
        for stored in snapshot.classes where stored.schema.isEmbedded {
            guard let shown = snapshot.declared[stored.schema.name] else { continue }
            try add(from: stored, among: nil) { shown.property(named: $0.name) == nil }
        }
    }

    /// Takes the objects that some properties of a class lead to, and all that is in these.
    ///
    /// - Parameter owners: the keys of the objects that are meant; nil for all.
    private mutating func add(
        from stored: StoredClass, among owners: Set<Int64>?, _ isMeant: (Property) -> Bool
    ) throws {
        let places = stored.schema.properties.indices.filter { place in
            let property = stored.schema.properties[place]
            return isMeant(property) && target(of: property) != nil
        }
        guard !places.isEmpty else { return }
        let reader = try ClassReader(stored, store: store)
        var found: [NameKey: Set<Int64>] = [:]
        for group in reader.rowGroups.indices {
            let own = try reader.keys(inGroup: group)
            for place in places {
                let property = stored.schema.properties[place]
                guard let name = target(of: property)?.schema.name else { continue }
                let (column, type) = (try reader.column(place, inGroup: group), ColumnType(property))
                for row in reader.rowGroups[group].liveRows where owners?.contains(own[row]) ?? true {
                    let linked = try column.value(at: row, as: type).linkedKeys
                    try WorkBudget.current?.hold(linked.count * Self.keyBytes)
                    found[NameKey(name), default: []].formUnion(linked.map(\.value))
                }
            }
        }
        for (name, objects) in found where !objects.isEmpty {
            keys[name, default: []].formUnion(objects)
            if let inner = snapshot[name.name] { try add(from: inner, among: objects) { _ in true } }
        }
    }

    private func target(of property: Property) -> StoredClass? {
        guard property.isLink, let found = property.objectType.flatMap({ snapshot[$0] }), found.schema.isEmbedded else {
            return nil
        }
        return found
    }
}
