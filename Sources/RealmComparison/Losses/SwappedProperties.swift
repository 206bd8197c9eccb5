import Columns
import RealmModel

/// Pairs of properties of which each has the values that the other had, in every object in which one of them changed.
///
/// Nothing is lost by that, and it is seldom meant. Flags that are negated look the same, and say nothing.
struct SwappedProperties {
    /// Changed properties that are looked at, at most.
    private static let limit = 32
    /// The fewest objects: of two values that are both there, of one and none, and of numbers, which may be the same by chance.
    private static let fewest = (both: 1, values: 2, numbers: 5)

    /// The columns of two properties after.
    private struct Columns: Hashable {
        var first: Int
        var second: Int
    }

    fileprivate struct Swap {
        var count = 0
        /// Objects of which either property had a value.
        var bothCount = 0
        var isBroken = false
        var lost = (first: LostValues(), second: LostValues())
    }

    private var swaps: [Columns: Swap] = [:]
    /// The columns that changed so far.
    private var changed: Set<Int> = []

    /// Takes rows of the same objects, and the properties in which some differ.
    mutating func take(
        _ both: RowPairs, _ changes: [LossSurvey.Change], _ old: RowGroupCursor, _ new: RowGroupCursor
    ) throws {
        // One that changes alone is not one of two.
        let changing = Set(changes.map(\.pair.other))
        for columns in swaps.keys where changing.contains(columns.first) != changing.contains(columns.second) {
            swaps[columns]?.isBroken = true
        }
        let sought = changes.filter(\.mayBeSwapped).prefix(Self.limit)
        for (index, first) in sought.enumerated() {
            for second in sought.dropFirst(index + 1) where first.pair.newType == second.pair.newType {
                let columns = Columns(first: first.pair.other, second: second.pair.other)
                let isNew = !changed.contains(columns.first) && !changed.contains(columns.second)
                guard var swap = swaps[columns] ?? (isNew ? Swap() : nil), !swap.isBroken else { continue }
                try swap.take(both, first, second, old, new)
                swaps[columns] = swap
            }
        }
        changed.formUnion(changing)
    }

    /// The values of a property that another has, and whose values it has, and whether they are so many that this is told.
    func values(of column: Int, isNumber: Bool) -> (lost: LostValues, isTold: Bool)? {
        swaps.compactMap { columns, swap -> (lost: LostValues, isTold: Bool)? in
            guard !swap.isBroken, columns.first == column || columns.second == column else { return nil }
            let areEnough =
                isNumber
                ? swap.count >= Self.fewest.numbers
                : swap.bothCount >= Self.fewest.both || swap.count >= Self.fewest.values
            return (columns.first == column ? swap.lost.first : swap.lost.second, areEnough)
        }.max { !$0.isTold && $1.isTold }
    }
}

extension SwappedProperties.Swap {
    fileprivate mutating func take(
        _ both: RowPairs, _ first: LossSurvey.Change, _ second: LossSurvey.Change, _ old: RowGroupCursor,
        _ new: RowGroupCursor
    ) throws {
        let before = (try old.column(first.pair.property), try old.column(second.pair.property))
        let after = (try new.column(first.pair.other), try new.column(second.pair.other))
        let type = first.pair.newType
        guard first.places == second.places else {
            isBroken = true
            return
        }
        for place in first.places {
            let (row, other) = (both.rows[place], both.others[place])
            let values = (try before.0.value(at: row, as: type), try before.1.value(at: row, as: type))
            let now = (try after.0.value(at: other, as: type), try after.1.value(at: other, as: type))
            guard now.0.isSame(as: values.1), now.1.isSame(as: values.0) else {
                isBroken = true
                return
            }
            count += 1
            if !values.0.isEmptyOrZero, !values.1.isEmptyOrZero { bothCount += 1 }
            let key = try old.key(ofRow: row)
            if !values.0.isEmptyOrZero { lost.first.add(key, values.0, values.1) }
            if !values.1.isEmptyOrZero { lost.second.add(key, values.1, values.0) }
        }
    }
}

extension ColumnType {
    /// Whether values of the type may be the same by chance.
    var isNumber: Bool {
        switch element {
        case .int, .float, .double, .decimal128: true
        default: false
        }
    }
}

extension Value {
    /// Whether it is the same value, or there is none in either place.
    fileprivate func isSame(as other: Value) -> Bool { self == other || isEmptyOrZero && other.isEmptyOrZero }
}

extension LossSurvey.Change {
    fileprivate var mayBeSwapped: Bool {
        pair.hasSameType && pair.oldType.collection == .none && pair.oldType != ColumnType(.bool) && pair.parts == nil
    }
}
