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
                entries.append((try array.value(at: row, as: column.type).hashValue, keys[row]))
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

    /// The first keys whose primary key another object has as well.
    ///
    /// - Parameter limit: how many keys to find at the most.
    func duplicates(in stored: WorkingClass, column: WorkingColumn, limit: Int) throws -> [ObjectKey] {
        var found: Set<Int64> = []
        var start = 0
        while start < entries.count, found.count < limit {
            var end = start + 1
            while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
            if end - start > 1 { found.formUnion(try sharedKeys(entries[start..<end].map(\.key), stored, column)) }
            start = end
        }
        return found.sorted().prefix(limit).map { ObjectKey($0) }
    }

    private func sharedKeys(_ keys: [Int64], _ stored: WorkingClass, _ column: WorkingColumn) throws -> [Int64] {
        var byValue: [Value: [Int64]] = [:]
        for key in keys {
            guard let position = try stored.position(of: key) else { continue }
            byValue[try stored.value(column, at: position), default: []].append(key)
        }
        return byValue.values.filter { $0.count > 1 }.flatMap { $0 }
    }
}
