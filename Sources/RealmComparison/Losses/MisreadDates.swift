import Columns
import RealmModel

/// Dates that were made of numbers in another unit of time than they were taken for.
///
/// The seconds of the years 1973 to 2128, taken for milliseconds, are dates of the first two months of 1970; their milliseconds, taken for
/// seconds, are dates after the year 5100. Few real dates are there: times without a day are on the first day of 1970.
struct MisreadDates {
    /// Seconds since the epoch.
    fileprivate static let ranges: [Range<Int64>] = [100_000..<5_000_000, 100_000_000_000..<5_000_000_000_000]
    /// Dates that are compared with the numbers that they were made of.
    private static let sampleSize = 16

    /// The objects that have such dates.
    private var objects = NamedObjects()
    /// The first of such dates, and of the others.
    private var misread: [(key: Int64, date: Timestamp)] = []
    private var others: [(key: Int64, date: Timestamp)] = []

    private var areAll: Bool { objects.count > 0 && others.isEmpty }

    /// The dates of a class that are such in columns of which all are, or others were made of the same numbers in their own unit.
    ///
    /// - Parameters:
    ///   - columns: those that did not have these dates before.
    ///   - values: gives what an object had that may have been made dates, where others are asked for.
    static func losses(
        in columns: [Int], of stored: StoredClass, named className: String, _ store: any SegmentStore,
        _ isCancelled: () -> Bool, madeOf values: ((Int64) throws -> [Value])? = nil
    ) throws -> [Rehearsal.Loss] {
        try columns.compactMap { column in
            let dates = try MisreadDates(in: stored, column, store, isCancelled)
            guard try values.map({ try dates.areOfTwoUnits($0) }) ?? dates.areAll else { return nil }
            return Rehearsal.Loss(
                className: className, property: stored.schema.properties[column].name, kind: .wrongTimeUnit,
                objects: dates.objects)
        }
    }

    /// Whether a class has a column of such dates.
    static func areThere(in stored: StoredClass, _ store: any SegmentStore, _ isCancelled: () -> Bool) throws -> Bool {
        try stored.schema.properties.indices.contains { try MisreadDates(in: stored, $0, store, isCancelled).areAll }
    }

    private init(
        in stored: StoredClass, _ column: Int, _ store: any SegmentStore, _ isCancelled: () -> Bool
    ) throws {
        let type = ColumnType(stored.schema.properties[column])
        guard type == ColumnType(.date) else { return }
        let reader = try ClassReader(stored, store: store)
        try ColumnPass(stored, column, store).run(isCancelled) { array, number, rows in
            guard case .date(let seconds, let nanoseconds) = array.values else { return true }
            let keys = try reader.keys(inGroup: number)
            for row in rows where try !array.isEmpty(at: row, as: type) {
                note(Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]), of: keys[row])
            }
            return true
        }
    }

    private mutating func note(_ date: Timestamp, of key: Int64) {
        guard date.isHardlyMeant else {
            if others.count < Self.sampleSize { others.append((key, date)) }
            return
        }
        objects.add(key)
        if misread.count < Self.sampleSize { misread.append((key, date)) }
    }

    /// Whether such dates have a number of their objects for their seconds where others have it for their milliseconds, or the other way.
    private func areOfTwoUnits(_ values: (Int64) throws -> [Value]) throws -> Bool {
        func units(_ dates: [(key: Int64, date: Timestamp)]) throws -> [[Double?]] {
            try dates.map { key, date in try values(key).map { date.unit(of: $0) } }
        }
        guard objects.count > 0 else { return false }
        let (wrong, right) = (try units(misread), try units(others))
        return (0..<(wrong.map(\.count).min() ?? 0)).contains { number in
            guard let unit = wrong[0][number], wrong.allSatisfy({ $0[number] == unit }) else { return false }
            return right.contains { $0.count > number && $0[number].map { $0 != unit } == true }
        }
    }
}

extension Timestamp {
    /// How much of a number is a second where the date was made of it; nil where it was not.
    fileprivate func unit(of value: Value) -> Double? {
        let milliseconds = Double(milliseconds)
        return value.number == milliseconds ? 1_000 : value.number == milliseconds / 1_000 ? 1 : nil
    }
}

extension Timestamp {
    /// Whether it is a date as seconds and milliseconds make that are taken for each other.
    var isHardlyMeant: Bool { MisreadDates.ranges.contains { $0.contains(seconds) } }
}
