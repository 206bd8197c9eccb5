import RealmMigration
import RealmModel

/// The properties that a batch gives objects; all of those that partners' functions make of what it gives their other sides.
package struct CompletedObjects {
    /// The properties by classes and primary keys; of objects that the batch does not name as well.
    package private(set) var given: [NameKey: [Value: Set<NameKey>]]

    /// Begins with what a batch gives.
    package init(_ given: [NameKey: [Value: Set<NameKey>]]) { self.given = given }

    /// Adds the objects that a function makes of those of one side of which all is given that it needs.
    mutating func lead(_ plan: PartnerPlan, by function: ObjectFunction, call: @escaping PartnerWriting.Call) throws {
        let isForward = function == plan.forward
        let (origin, target) = isForward ? (plan.left, plan.right) : (plan.right, plan.left)
        guard !plan.isWithinClass, let known = given[name: origin.name] else { return }
        let primaryKeys = Array(known.keys)
        let others = try PartnerKeys(plan, call: call).others(of: primaryKeys, by: function)
        for (primaryKey, other) in zip(primaryKeys, others) {
            guard let other = try? other.get() else { continue }
            guard !function.given(for: origin.properties, known[primaryKey] ?? []).isEmpty else { continue }
            // Properties that the function gives no value are as in all objects that it makes.
            given[NameKey(target.name), default: [:]][other] = Set(target.properties.map { NameKey($0.name) })
        }
    }
}
