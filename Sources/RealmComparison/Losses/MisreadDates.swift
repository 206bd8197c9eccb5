import Columns
import RealmModel

/// Dates that were made of numbers in another unit of time than they were taken for.
///
/// The seconds of the years 1973 to 2128, taken for milliseconds, are dates of the first two months of 1970; their milliseconds, taken for
/// seconds, are dates after the year 5100. Few real dates are there: times without a day are on the first day of 1970.
enum MisreadDates {
    /// Seconds since the epoch.
    private static let ranges: [Range<Int64>] = [100_000..<5_000_000, 100_000_000_000..<5_000_000_000_000]

    /// The dates of a class that are such in columns of which all are.
    ///
    /// - Parameter columns: those that did not have these dates before.
    static func losses(
        in columns: [Int], of stored: StoredClass, named className: String, _ store: any SegmentStore,
        _ isCancelled: () -> Bool
    ) throws -> [Rehearsal.Loss] {
        try columns.compactMap { column in
            let objects = try objects(in: stored, column, store, isCancelled)
            guard objects.count > 0 else { return nil }
            return Rehearsal.Loss(
                className: className, property: stored.schema.properties[column].name, kind: .wrongTimeUnit,
                objects: objects)
        }
    }

    /// Whether a class has such dates.
    static func areThere(in stored: StoredClass, _ store: any SegmentStore, _ isCancelled: () -> Bool) throws -> Bool {
        try stored.schema.properties.indices.contains {
            try objects(in: stored, $0, store, isCancelled).count > 0
        }
    }

    /// None where a date of the column is no such one.
    private static func objects(
        in stored: StoredClass, _ column: Int, _ store: any SegmentStore, _ isCancelled: () -> Bool
    ) throws -> NamedObjects {
        var objects = NamedObjects()
        var left = ranges
        let type = ColumnType(stored.schema.properties[column])
        guard type == ColumnType(.date) else { return objects }
        let reader = try ClassReader(stored, store: store)
        try ColumnPass(stored, column, store).run(isCancelled) { array, number, rows in
            guard case .date(let seconds, _) = array.values else { return true }
            let filled = try rows.filter { try !array.isEmpty(at: $0, as: type) }
            left = left.filter { range in filled.allSatisfy { range.contains(seconds[$0]) } }
            guard !filled.isEmpty, !left.isEmpty else { return !left.isEmpty }
            let keys = try reader.keys(inGroup: number)
            for row in filled { objects.add(keys[row]) }
            return true
        }
        return left.isEmpty ? NamedObjects() : objects
    }
}
