import Columns
import RealmModel

/// The keys of embedded objects that are in both snapshots and differ, as runs: mostly none do, or all.
struct ChangedKeys: Equatable {
    /// Those of all objects.
    static let all = ChangedKeys(runs: [.min ... .max])

    private var runs: [ClosedRange<Int64>] = []

    var isEmpty: Bool { runs.isEmpty }

    /// Adds a key behind all others.
    mutating func append(_ key: Int64) {
        if let last = runs.last, last.upperBound + 1 == key {
            runs[runs.count - 1] = last.lowerBound...key
        } else {
            runs.append(key...key)
        }
    }

    func contains(_ key: Int64) -> Bool {
        let place = runs.partitioningIndex { $0.upperBound >= key }
        return place < runs.count && runs[place].contains(key)
    }
}

extension ColumnArray {
    /// Whether a cell links to one of some objects.
    ///
    /// - Parameter row: of a column of links to one class, or of collections of such.
    func links(_ row: Int, toAnyOf keys: ChangedKeys) -> Bool {
        guard !isNull(row) else { return false }
        switch values {
        case .int(let cells): return keys.contains(cells[row])
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            return (Int(offsets[row])..<Int(offsets[row + 1])).contains { elements.links($0, toAnyOf: keys) }
        default: return false
        }
    }
}

extension SnapshotComparison {
    /// The embedded objects that differ, of those that a class's objects own: an owner differs with its parts.
    ///
    /// - Parameter others: whether only those are asked for that are of another class now, and are compared nowhere else.
    /// - Returns: by the second snapshot's names of properties; none of those whose parts are all as they were.
    func changedParts(
        of name: String, others: Bool = false, isCancelled: @escaping () -> Bool
    ) throws -> [NameKey: ChangedKeys] {
        var parts: [NameKey: ChangedKeys] = [:]
        for (property, target) in embeddedParts(of: name) {
            if otherClass(PropertyName(from: names.oldProperty(property, of: name), to: property), of: name) != nil {
                // Keys of two classes have nothing to do with each other.
                parts[NameKey(property)] = .all
                continue
            }
            guard !others else { continue }
            try settle(target, isCancelled: isCancelled)
            if let changed = embedded[name: target], !changed.isEmpty { parts[NameKey(property)] = changed }
        }
        return parts
    }

    /// The properties of a class that own embedded objects, with the classes of these.
    private func embeddedParts(of name: String) -> [(property: String, target: String)] {
        (to.declared[name]?.persistedProperties ?? []).compactMap { property in
            guard property.type == .object, let target = property.objectType, to.declared[target]?.isEmbedded == true
            else { return nil }
            return (property.name, target)
        }
    }

    /// Finds the objects that differ of an embedded class, and of all that its objects own.
    private func settle(_ name: String, isCancelled: @escaping () -> Bool) throws {
        guard embedded[name: name] == nil else { return }
        let (owned, hasCycle) = ownedFirst(name)
        for className in owned { embedded[NameKey(className)] = ChangedKeys() }
        var isSettled = false
        while !isSettled {
            // In a cycle an object may differ because one does that is looked at after it.
            isSettled = !hasCycle
            var hasChanged = false
            for className in owned {
                let changed = try changedEmbedded(className, isCancelled: isCancelled)
                if embedded[name: className] != changed { hasChanged = true }
                embedded[NameKey(className)] = changed
            }
            if !hasChanged { isSettled = true }
        }
    }

    /// An embedded class and those below it that are not looked at yet, each behind all that it owns, except in cycles.
    ///
    /// By a list and not by calls: classes may be embedded in each other as deep as there are classes.
    private func ownedFirst(_ name: String) -> (classes: [String], hasCycle: Bool) {
        var classes: [String] = []
        var hasCycle = false
        var isDone: [NameKey: Bool] = [NameKey(name): false]
        var open = [(name: name, parts: embeddedParts(of: name)[...])]
        while let last = open.indices.last {
            guard let target = open[last].parts.popFirst()?.target else {
                classes.append(open[last].name)
                isDone[NameKey(open[last].name)] = true
                open.removeLast()
                continue
            }
            if let isDone = isDone[NameKey(target)] {
                if !isDone { hasCycle = true }
            } else if embedded[name: target] == nil {
                isDone[NameKey(target)] = false
                open.append((target, embeddedParts(of: target)[...]))
            }
        }
        return (classes, hasCycle)
    }

    /// The objects of an embedded class that differ, or have parts that do, as far as these are known.
    private func changedEmbedded(_ name: String, isCancelled: @escaping () -> Bool) throws -> ChangedKeys {
        var changed = ChangedKeys()
        _ = try compare(
            name, survey: nil,
            report: { difference in
                if difference.kind == .changed { changed.append(difference.key) }
                return true
            }, isCancelled: isCancelled)
        return changed
    }
}
