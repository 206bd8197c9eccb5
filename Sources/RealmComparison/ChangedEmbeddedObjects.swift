import Columns
import RealmModel

/// The keys of embedded objects that are in both snapshots and differ, as runs: mostly none do, or all.
struct ChangedKeys: Equatable {
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
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].contains(key)
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
    /// - Returns: by the second snapshot's names of properties; none of those whose parts are all as they were.
    func changedParts(
        of name: String, isCancelled: @escaping () -> Bool
    ) throws -> [NameKey: ChangedKeys] {
        var parts: [NameKey: ChangedKeys] = [:]
        for property in to.declared[name]?.persistedProperties ?? [] where property.type == .object {
            guard let target = property.objectType, to.declared[target]?.isEmbedded == true else { continue }
            let changed = try changedEmbedded(target, isCancelled: isCancelled)
            if !changed.isEmpty { parts[NameKey(property.name)] = changed }
        }
        return parts
    }

    /// The objects of an embedded class that differ, or have parts that do.
    private func changedEmbedded(_ name: String, isCancelled: @escaping () -> Bool) throws -> ChangedKeys {
        if let known = embedded[name: name] { return known }
        embedded[NameKey(name)] = ChangedKeys()
        while true {
            var changed = ChangedKeys()
            _ = try compare(
                name, survey: nil,
                report: { difference in
                    if difference.kind == .changed { changed.append(difference.key) }
                    return true
                }, isCancelled: isCancelled)
            // Objects of a class that owns others of the same one differ with these.
            let isSettled = embedded[name: name] == changed
            embedded[NameKey(name)] = changed
            if isSettled { return changed }
        }
    }
}
