import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The primary keys of both sides of a partner.
///
/// They are the same where both sides have one type. Else the functions lead from one to the other, and a pair has to stay one whatever else
/// changes: so a key follows from the other side's alone. It is what the function gives for an object that has its primary key
/// and nothing else, and the other function has to lead back from it.
package struct PartnerKeys {
    private let plan: PartnerPlan
    private let call: PartnerWriting.Call
    private let ahead: Output
    private let back: Output

    /// The primary key among what a function gives.
    private struct Output {
        /// Nil where it gives none.
        let place: Int?
        let type: ColumnType

        init(of function: ObjectFunction, to side: ObjectSchema) {
            let key = PartnerKeys.property(of: side)
            place = function.outputs.properties.firstIndex { $0.name.hasSameBytes(as: key.name) }
            type = ColumnType(key)
        }
    }

    /// The keys of a partner.
    ///
    /// - Parameter call: calls its functions.
    package init(_ plan: PartnerPlan, call: @escaping PartnerWriting.Call) {
        self.plan = plan
        self.call = call
        ahead = Output(of: plan.forward, to: plan.right)
        back = Output(of: plan.backward, to: plan.left)
    }

    /// Whether both sides have the same key.
    package var areSame: Bool { Self.property(of: plan.left).type == Self.property(of: plan.right).type }

    /// The primary key of a side.
    static func property(of side: ObjectSchema) -> Property { side.primaryKeyProperty ?? Property("_id", .objectId) }

    /// The keys of the other side.
    ///
    /// - Parameter function: leads from the side that has the given keys to the other one.
    /// - Returns: one a key; `EditingError` where there is none, which is said of the function.
    func others(of keys: [Value], by function: ObjectFunction) throws -> [Result<Value, EditingError>] {
        guard !areSame, !keys.isEmpty else { return keys.map { .success($0) } }
        let back = function == plan.forward ? plan.backward : plan.forward
        let there = try answers(function, keys)
        let found = there.enumerated().compactMap { place, answer in (try? answer.get()).map { (place, $0) } }
        let returned = try answers(back, found.map(\.1))
        var others = there
        for ((place, _), returned) in zip(found, returned) where (try? returned.get()) != keys[place] {
            others[place] = .failure(
                refusal("The other function does not lead back to the primary key.", of: function))
        }
        return others
    }

    /// The key of the other side for an object, which has to be the one that its own key alone leads to.
    ///
    /// - Parameter other: what `others` says of the object's key.
    /// - Throws: `EditingError`.
    func checked(
        _ other: Result<Value, EditingError>, _ answers: FunctionAnswers, _ row: Int, _ function: ObjectFunction
    ) throws -> Value {
        let other = try other.get()
        guard let given = try given(answers, row, function) else {
            guard areSame else { throw notGiven(function) }
            return other
        }
        guard given == other else {
            throw refusal(
                areSame
                    ? "The function changes the primary key, whose type is the same on both sides."
                    : "The function makes the primary key of more than the other side's: it has to follow from that alone, so that two objects stay partners whatever else changes.",
                of: function)
        }
        return other
    }

    /// Refuses functions that make keys of what changes, as far as some objects of the class show that.
    ///
    /// - Throws: `EditingError`.
    package func check(_ objects: FunctionObjects) throws {
        guard !areSame, let place = objects.primaryKey else { return }
        let type = ColumnType(plan.forward.inputs[place])
        let keys = try objects.keys.indices.map { try objects.columns[place].value(at: $0, as: type) }
        let (answers, _) = try call(plan.forward, nil, objects, .collects) {}
        let failed = Set(answers.failures.map(\.row))
        for (row, other) in try others(of: keys, by: plan.forward).enumerated() where !failed.contains(row) {
            _ = try checked(other, answers, row, plan.forward)
        }
    }

    /// Asks a function for the primary keys of objects that have nothing but their own.
    private func answers(_ function: ObjectFunction, _ keys: [Value]) throws -> [Result<Value, EditingError>] {
        guard !keys.isEmpty else { return [] }
        let side = function == plan.forward ? plan.left : plan.right
        let key = Self.property(of: side).name
        let columns = try function.inputs.map { property in
            property.name.hasSameBytes(as: key)
                ? try ColumnArray(keys, as: ColumnType(property))
                : try ColumnArray(repeating: property.initialValue, count: keys.count, as: ColumnType(property))
        }
        let objects = FunctionObjects(
            keys: keys.indices.map { ObjectKey(Int64($0)) }, columns: columns,
            primaryKey: function.inputs.firstIndex { $0.name.hasSameBytes(as: key) })
        let (answers, _) = try call(function, nil, objects, .collects) {}
        let failed = Dictionary(uniqueKeysWithValues: answers.failures.map { ($0.row, $0.error) })
        return try keys.indices.map { row in
            if let error = failed[row] {
                return .failure(
                    refusal(
                        "The function has to give the primary key of an object of which it knows nothing but the other side's, and fails: \(error.message)",
                        of: function))
            }
            return try given(answers, row, function).map { .success($0) } ?? .failure(notGiven(function))
        }
    }

    private func given(_ answers: FunctionAnswers, _ row: Int, _ function: ObjectFunction) throws -> Value? {
        let key = function == plan.forward ? ahead : back
        guard let place = key.place, answers.columns[place].isGiven(row) else { return nil }
        return try answers.columns[place].values.value(at: row, as: key.type)
    }

    private func notGiven(_ function: ObjectFunction) -> EditingError {
        refusal("The function gives no primary key of the other type.", of: function)
    }

    private func refusal(_ message: String, of function: ObjectFunction) -> EditingError {
        let target = function == plan.forward ? plan.right : plan.left
        return EditingError(
            .modifyPrimaryKey, message,
            details: [ProblemItem(message, className: target.name, property: Self.property(of: target).name)])
    }
}
