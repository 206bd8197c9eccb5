import Columns
import RealmModel

/// Some objects of a class side by side, whose properties can be had as columns.
public protocol QueryColumns: QuerySource {
    /// One property of all rows, by its place in the schema that the query was bound to.
    func column(_ property: Int) throws -> ColumnArray

    /// The object of a row.
    func object(atRow row: Int) throws -> Object
}

extension Query {
    /// The rows whose objects fit; a column is decoded only where the parts before it leave rows.
    ///
    /// Comparisons of a property of the object itself with values go by the cells of its column; paths over links and
    /// collections are followed object by object.
    ///
    /// - Parameter rows: those that are asked, ascending.
    public func rows<Source: QueryColumns>(_ rows: [Int], of source: Source) throws -> [Int] {
        try Self.rows(rows, predicate, source)
    }

    private static func rows<Source: QueryColumns>(
        _ rows: [Int], _ predicate: BoundPredicate, _ source: Source
    ) throws -> [Int] {
        guard !rows.isEmpty else { return [] }
        switch predicate {
        case .constant(let value): return value ? rows : []
        case .and(let parts): return try parts.reduce(rows) { try Self.rows($0, $1, source) }
        case .or(let parts):
            var rest = rows
            var found: [Int] = []
            for part in parts {
                let fitting = try Self.rows(rest, part, source)
                rest = Self.removing(fitting, from: rest)
                found += fitting
            }
            return found.sorted()
        case .not(let part): return Self.removing(try Self.rows(rows, part, source), from: rows)
        case .comparison(let comparison):
            if let test = comparison.columnTest {
                return try test.rows(rows, of: try source.column(test.property), spend: source.spend) { bytes, body in
                    try source.releasingValues {
                        try source.hold(bytes)
                        return try body()
                    }
                }
            }
            return try rows.filter { row in
                try source.releasingValues { try comparison.matches(try source.object(atRow: row), source) }
            }
        }
    }

    /// - Parameter removed: some of the rows, ascending as they are.
    private static func removing(_ removed: [Int], from rows: [Int]) -> [Int] {
        guard !removed.isEmpty else { return rows }
        var next = removed[...]
        return rows.filter { row in
            guard next.first == row else { return true }
            next.removeFirst()
            return false
        }
    }
}
