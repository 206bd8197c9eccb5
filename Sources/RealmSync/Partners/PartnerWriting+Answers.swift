import Columns
import RealmMigration
import RealmModel

/// Answers of functions ahead of the writing, and parts of them.
extension PartnerWriting {
    /// The functions' answers for objects of the class: what partners are to hold, and what comes back of that.
    package struct Answered: Sendable {
        var objects: FunctionObjects
        var answers: FunctionAnswers
        var returned: FunctionAnswers?
        var areNew: Bool
        /// Those objects that the functions can't be given, which have no partner.
        var unseen: [PartnerFinding] = []
    }

    /// The answers for some of the objects that the functions were asked about; nil where they were not asked about all of them.
    ///
    /// - Parameter keys: ascending, as those were.
    package func answers(_ answered: Answered, for keys: [Int64]) throws -> Answered? {
        let asked = answered.objects.keys
        let sought = Set(keys)
        let unseen = answered.unseen.filter { sought.contains($0.key) }
        let unseenKeys = Set(unseen.map(\.key))
        let keys = unseen.isEmpty ? keys : keys.filter { !unseenKeys.contains($0) }
        guard keys.count != asked.count || unseen.count != answered.unseen.count else {
            return zip(keys, asked).allSatisfy { $0 == $1.value } ? answered : nil
        }
        var rows: [Int] = []
        for (row, key) in asked.enumerated() where rows.count < keys.count && keys[rows.count] == key.value {
            rows.append(row)
        }
        guard rows.count == keys.count else { return nil }
        var part = answered
        part.unseen = unseen
        part.objects.keys = keys.map { ObjectKey($0) }
        part.objects.columns = try zip(answered.objects.columns, left.properties).map { try $0.rows(rows, of: $1) }
        part.answers = try answered.answers.rows(rows, of: plan.forward)
        part.returned = try answered.returned?.rows(rows, of: plan.backward)
        return part
    }
}

extension FunctionAnswers {
    /// The answers for some of the objects.
    fileprivate func rows(_ rows: [Int], of function: ObjectFunction) throws -> FunctionAnswers {
        let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0.element, $0.offset) })
        let columns = try zip(columns, function.outputs.properties).map { column, property in
            var given = column.given.map { _ in Bitmap(count: rows.count) }
            for (place, row) in rows.enumerated() where given != nil { given?[place] = column.isGiven(row) }
            return Column(given: given, values: try column.values.rows(rows, of: property))
        }
        return FunctionAnswers(
            columns: columns,
            failures: failures.compactMap { failure in
                places[failure.row].map { Failure(row: $0, error: failure.error) }
            })
    }
}

extension ColumnArray {
    fileprivate func rows(_ rows: [Int], of property: Property) throws -> ColumnArray {
        let builder = ColumnBuilder(ColumnType(property))
        var run = 0..<0
        for row in rows {
            if row == run.upperBound, !run.isEmpty {
                run = run.lowerBound..<row + 1
            } else {
                try builder.append(run, of: self)
                run = row..<row + 1
            }
        }
        try builder.append(run, of: self)
        return builder.finish()
    }
}
