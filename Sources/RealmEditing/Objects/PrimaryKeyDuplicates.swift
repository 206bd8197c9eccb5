import Columns
import RealmModel

/// Objects of a class whose primary keys other objects have.
package struct PrimaryKeyDuplicates {
    /// An object and the first one of the same primary key.
    package struct Pair {
        package var first: ObjectKey
        package var second: ObjectKey
        package var value: Value
    }

    /// The first pairs in order of the second objects, as many as were asked for.
    package private(set) var pairs: [Pair] = []
    /// All objects that have a value in common with another.
    package private(set) var objectCount = 0

    /// Looks through a column that is the primary key, or is to be.
    ///
    /// - Parameter limit: how many pairs are named.
    package init(in stored: WorkingClass, _ column: WorkingColumn, limit: Int) throws {
        let starts = try stored.firstRows()
        var found: [(second: Int64, first: Int64)] = []
        try PrimaryKeyIndex(of: stored, column).forEachSharedHash { rows in
            let positions = rows.map { RowPosition(ofRow: $0, startsOfGroups: starts) }
            for keys in try Self.keysOfOneValue(positions, stored, column) {
                objectCount += keys.count
                found += keys.dropFirst().map { ($0, keys[0]) }
            }
        }
        for pair in found.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) }).prefix(limit) {
            guard let position = try stored.position(of: pair.first) else { continue }
            pairs.append(
                Pair(
                    first: ObjectKey(pair.first), second: ObjectKey(pair.second),
                    value: try stored.value(column, at: position)))
        }
    }

    /// The keys, ascending, of each value of a column that several objects have; the values in the order of the first keys.
    package static func groups(in stored: WorkingClass, _ column: WorkingColumn) throws -> [[Int64]] {
        let starts = try stored.firstRows()
        var groups: [[Int64]] = []
        try PrimaryKeyIndex(of: stored, column).forEachSharedHash { rows in
            groups += try keysOfOneValue(
                rows.map { RowPosition(ofRow: $0, startsOfGroups: starts) }, stored, column)
        }
        return groups.sorted { $0[0] < $1[0] }
    }

    /// The keys, ascending, of each value that several objects have.
    private static func keysOfOneValue(
        _ positions: [RowPosition], _ stored: WorkingClass, _ column: WorkingColumn
    ) throws -> [[Int64]] {
        var byValue: [Value: [Int64]] = [:]
        for position in positions {
            byValue[try stored.value(column, at: position), default: []].append(try stored.key(at: position))
        }
        return byValue.values.filter { $0.count > 1 }.map { $0.sorted() }
    }
}
