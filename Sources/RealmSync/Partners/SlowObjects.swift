import Columns
import RealmMigration
import RealmModel

/// The objects for which a function takes too long: a call that they would end counts them among the failures.
///
/// Each takes the time that a function has for one object, so that there may be but few of them.
package enum SlowObjects {
    /// The most of one call.
    private static let limit = 16

    /// A call of which such objects are failures where failures are collected.
    package static func collected(from call: @escaping PartnerWriting.Call) -> PartnerWriting.Call {
        { function, back, objects, policy, meanwhile in
            guard policy == .collects else { return try call(function, back, objects, policy, meanwhile) }
            var slow: [Int: MigrationError] = [:]
            while true {
                do {
                    guard let asked = try objects.replacing(slow, as: function.inputs) else {
                        return (try function.answers(slow, count: objects.keys.count), nil)
                    }
                    var (answers, back) = try call(function, back, asked, policy, meanwhile)
                    answers.fail(slow, of: objects.keys.count)
                    return (answers, slow.isEmpty ? back : nil)
                } catch let error as MigrationError where error.script == .timeLimit && slow.count < limit {
                    guard let row = error.objectsDone, objects.keys.indices.contains(row), slow[row] == nil else {
                        throw error
                    }
                    slow[row] = error
                }
            }
        }
    }
}

extension FunctionObjects {
    /// The objects with another one of them in the place of each of some; nil where these are all.
    fileprivate func replacing(_ rows: [Int: MigrationError], as properties: [Property]) throws -> FunctionObjects? {
        guard !rows.isEmpty else { return self }
        guard let other = keys.indices.first(where: { rows[$0] == nil }) else { return nil }
        var replaced = self
        for (place, property) in properties.enumerated() {
            let type = ColumnType(property)
            let values = try keys.indices.map { row in
                try columns[place].value(at: rows[row] == nil ? row : other, as: type)
            }
            replaced.columns[place] = try ColumnArray(values, as: type)
        }
        return replaced
    }
}

extension FunctionAnswers {
    /// Counts objects among the failures, whatever was answered in their place.
    fileprivate mutating func fail(_ rows: [Int: MigrationError], of count: Int) {
        guard !rows.isEmpty else { return }
        failures.removeAll { rows[$0.row] != nil }
        failures += rows.map { Failure(row: $0, error: $1) }
        failures.sort { $0.row < $1.row }
        for place in columns.indices { for row in rows.keys { columns[place].leaveOut(row, of: count) } }
    }
}

extension ObjectFunction {
    /// The answers where all objects fail.
    fileprivate func answers(_ failures: [Int: MigrationError], count: Int) throws -> FunctionAnswers {
        let columns = try outputs.properties.map { property in
            FunctionAnswers.Column(
                given: nil,
                values: try ColumnArray(repeating: property.initialValue, count: count, as: ColumnType(property)))
        }
        var answers = FunctionAnswers(columns: columns)
        answers.fail(failures, of: count)
        return answers
    }
}
