import RealmModel

/// The objects of a class by the hash of their primary key, 16 bytes an object.
///
/// It may hold keys of objects that have another primary key by now or are deleted: whoever looks up checks.
struct PrimaryKeyIndex {
    private var entries: [(hash: Int, key: Int64)] = []
    private var recent: [Int: [Int64]] = [:]

    init(of stored: WorkingClass, column: WorkingColumn) throws {
        entries.reserveCapacity(stored.objectCount)
        let groups = try stored.groups()
        for group in groups.indices {
            let keys = try stored.keys(inGroup: group)
            let array = try stored.array(column, group: group)
            for row in 0..<min(keys.count, array.count) where !groups[group].isDeleted(row) {
                let value = try array.value(at: row, as: column.type)
                // Of a list, which may be the key of a class that has hardly any use for it, the entries would count.
                if case .list(let elements) = value, elements.isEmpty { continue }
                entries.append((value.hashValue, keys[row]))
            }
        }
        entries.sort { ($0.hash, $0.key) < ($1.hash, $1.key) }
    }

    /// Notes the primary key of an object that was created or changed.
    mutating func add(_ value: Value, key: Int64) {
        recent[value.hashValue, default: []].append(key)
    }

    /// The keys that may have a primary key, ascending.
    func candidates(for value: Value) -> [Int64] {
        let hash = value.hashValue
        let known = entries[entries.partitioningIndex { $0.hash >= hash }...].prefix { $0.hash == hash }.map(\.key)
        return (known + (recent[hash] ?? [])).sorted()
    }

    /// Objects whose primary keys other objects have.
    struct Duplicates {
        /// An object and the first one of the same primary key, in order of the objects.
        struct Pair {
            var first: ObjectKey
            var second: ObjectKey
            var value: Value
        }

        /// The first pairs, as many as were asked for.
        var pairs: [Pair] = []
        /// All objects that have a value in common with another.
        var objectCount = 0
    }

    /// The objects of a class that are not alone with their value.
    ///
    /// - Parameter limit: how many pairs are named.
    func duplicates(in stored: WorkingClass, column: WorkingColumn, limit: Int) throws -> Duplicates {
        var found = Duplicates()
        var pairs: [(second: Int64, first: Int64)] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
            if end - start > 1 {
                for keys in try sharedKeys(entries[start..<end].map(\.key), stored, column) {
                    found.objectCount += keys.count
                    pairs += keys.dropFirst().map { ($0, keys[0]) }
                }
            }
            start = end
        }
        for pair in pairs.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) }).prefix(limit) {
            guard let position = try stored.position(of: pair.first) else { continue }
            found.pairs.append(
                Duplicates.Pair(
                    first: ObjectKey(pair.first), second: ObjectKey(pair.second),
                    value: try stored.value(column, at: position)))
        }
        return found
    }

    /// The keys, ascending, of each value that several objects have.
    private func sharedKeys(_ keys: [Int64], _ stored: WorkingClass, _ column: WorkingColumn) throws -> [[Int64]] {
        var byValue: [Value: [Int64]] = [:]
        for key in keys {
            guard let position = try stored.position(of: key) else { continue }
            byValue[try stored.value(column, at: position), default: []].append(key)
        }
        return byValue.values.filter { $0.count > 1 }
    }
}
