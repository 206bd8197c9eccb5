import Columns
import RealmModel

/// The values of some properties: whether another one is among them, its elements in their order and its entries at their keys.
struct NamedWords {
    private var values: [Value] = []
    private var words = ValueWords()
    private var named = ValueWords()
    private var flags = FlagCounts()

    /// Adds a value.
    ///
    /// - Parameter key: the one in a dictionary at which the object is that has it.
    mutating func add(_ value: Value, named name: String, at key: String? = nil) {
        values.append(value)
        flags.add(value, named: name)
        words.add(value)
        for name in [name, key] {
            guard let name else { continue }
            named.add(text: name.utf8)
            named.add(value)
        }
    }

    func have(_ value: Value, _ type: ColumnType, hasParts: Bool) -> Bool {
        if values.contains(value) { return true }
        // Flags that are not set have no words.
        if type == ColumnType(.bool, .list) { return values.contains { $0.hasFlags(of: value) } }
        // The keys of a list of pairs may be names now.
        let isKeyed = hasParts && type.collection == .list && named.contain(value, exactDates: true)
        guard isKeyed || words.contain(value, exactDates: true) else { return false }
        if words.keepOrder(of: value, type, hasParts: hasParts) { return true }
        // Pairs of a list have no order in a dictionary.
        if hasParts, case .list(let pairs) = value, values.contains(where: { $0.hasEntries(pairs) }) { return true }
        return (isKeyed || value.entries != nil) && named.keepOrder(of: value, type, hasParts: hasParts)
    }

    /// Whether the collections of embedded objects are among them, and as many flags of each kind as they have.
    func have(_ columns: PartColumns) -> Bool {
        columns.collections.allSatisfy { have($0.value, $0.type, hasParts: false) } && flags.have(columns.flags)
    }
}

/// The values of embedded objects that have no words or an order: flags by the names of their properties, and collections.
struct PartColumns {
    private(set) var flags = FlagCounts()
    private(set) var collections: [(value: Value, type: ColumnType)] = []

    init(_ value: Value, _ property: Property, _ schema: ObjectSchema) {
        let objects: [Value] =
            switch (value, property.collection) {
            case (.list(let elements), _): elements
            case (.dictionary(let entries), .dictionary): entries.map(\.value)
            default: [value]
            }
        for object in objects {
            for (entry, property) in zip(object.entries ?? [], schema.properties) {
                if property.type == .bool, property.collection == .none {
                    flags.add(entry.value, named: property.name)
                } else if property.collection != .none, property.type != .object, !entry.value.isHollow {
                    collections.append((entry.value, ColumnType(property)))
                }
            }
        }
    }
}

/// How many flags of a name are set, and how many are not.
struct FlagCounts {
    private var counts: [NameKey: (set: Int, unset: Int)] = [:]

    mutating func add(_ value: Value, named name: String) {
        guard value != .null, let isSet = value.said else { return }
        let key = NameKey(name)
        if isSet { counts[key, default: (0, 0)].set += 1 } else { counts[key, default: (0, 0)].unset += 1 }
    }

    /// Whether there are as many as others: those of one name where it is there, else of all names.
    func have(_ others: FlagCounts) -> Bool {
        let all = counts.values.reduce((set: 0, unset: 0)) { ($0.set + $1.set, $0.unset + $1.unset) }
        return others.counts.allSatisfy { name, flags in
            let own = counts[name] ?? all
            return own.set >= flags.set && own.unset >= flags.unset
        }
    }
}

extension Value {
    /// Whether it is a dictionary that has a member of each object as a key, with another one as its value.
    fileprivate func hasEntries(_ objects: [Value]) -> Bool {
        guard let entries, objects.count <= entries.count else { return false }
        let values = Dictionary(entries.map { (Value.string($0.key), $0.value) }) { first, _ in first }
        return objects.allSatisfy { object in
            let leaves = object.leaves
            return leaves.contains { key in values[key].map { $0 != key && leaves.contains($0) } ?? false }
        }
    }

    /// Whether it is a list of the same flags, perhaps in words or as numbers.
    fileprivate func hasFlags(of other: Value) -> Bool {
        guard case (.list(let elements), .list(let flags)) = (self, other), elements.count == flags.count else {
            return false
        }
        return zip(elements, flags).allSatisfy { element, flag in element.said.map { .bool($0) == flag } ?? false }
    }
}
