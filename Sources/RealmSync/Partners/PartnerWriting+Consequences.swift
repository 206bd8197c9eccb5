import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The other side of objects that nobody named, and that a change of something else changed: a link that a deletion cleared, a
/// default that a migration gave.
///
/// A function gives all properties of an object; only those that it gives otherwise than before are consequences. The rest may be
/// values of the other side alone, which are listed as violations or divergent: nobody meant to change them, and they stay listed.
extension PartnerWriting {
    /// Writes the other side of objects that were changed otherwise than by a batch.
    ///
    /// - Parameters:
    ///   - keys: ascending.
    ///   - className: of a side.
    package func follow(_ keys: [Int64], of className: String) throws -> PartnerEffects {
        guard plan.isWithinClass || className.hasSameBytes(as: plan.left.name) else { return try follow([], and: keys) }
        return try follow(try ready(Set(keys)).sorted(), and: [])
    }

    /// Writes both sides of objects of the class that were changed, as their partners were, otherwise than by a batch.
    package func followBoth(_ keys: [Int64]) throws -> PartnerEffects {
        guard !plan.isWithinClass else { return try follow(keys, of: plan.left.name) }
        let partners = try partners(of: keys).compactMap { $0 }
        return try follow(try ready(Set(keys)).sorted(), and: partners.sorted())
    }

    /// The keys of the partners of objects of the class; nil of one that has none.
    func partners(of keys: [Int64]) throws -> [Int64?] {
        let objects = try left.objects(keys)
        let primaryKeys = try objects.keys.indices.map { try primaryKey(of: objects, $0, seenAs: left) }
        return try self.keys.others(of: primaryKeys, by: plan.forward).map { other in
            try (try? other.get()).flatMap { try derived.editor.object(in: rightClass, of: $0)?.key.value }
        }
    }

    /// Writes what follows from objects of the class, and from partners.
    ///
    /// Functions are asked about both before either is written: what is derived is derived from no more.
    ///
    /// - Parameter given: stays as it is; nil where nobody gave anything.
    func follow(
        _ objects: [Int64], and partners: [Int64], sparing given: GivenNames? = nil
    ) throws -> PartnerEffects {
        let answered = try objects.isEmpty ? nil : ask(for: objects, policy: .stops)
        var effects = try writeLeft(
            of: partners, narrowing: linkNarrowing(partners), asConsequence: true, sparing: given)
        guard let answered else { return effects }
        let both = effects.written
        let toRight = try writeChanges(answered, policy: .stops, asConsequence: true, sparing: given)
        effects.merge(toRight)
        let again = toRight.pairs.filter { both.contains($0.object) }
        guard !again.isEmpty else { return effects }
        var found = PartnerEffects()
        found.examined = Set(again.map(\.object))
        let own = try ask(for: again.map(\.object).sorted(), policy: .collects)
        found.findings = try divergences(from: own, of: again)
        if !mayLackLinks { found.findings += try violations(of: again) }
        effects.merge(found)
        return effects
    }

    /// Writes to partners those answers alone that `forward` did not give before.
    ///
    /// - Parameters:
    ///   - asConsequence: whether a partner's own changes stay.
    ///   - given: stays as it is; nil where nobody gave anything.
    func writeChanges(
        _ answered: Answered, policy: FunctionFailurePolicy, asConsequence: Bool = false,
        sparing given: GivenNames? = nil
    ) throws -> PartnerEffects {
        var changed = answered
        changed.answers = try withoutUnchanged(
            answered.answers, of: answered.objects.keys.map(\.value), by: plan.forward)
        if asConsequence {
            changed.answers = try sparingOwnChanges(changed.answers, of: answered.objects, by: plan.forward)
        }
        if let given {
            changed.answers = try sparing(given, in: changed.answers, of: answered.objects, by: plan.forward)
        }
        changed.returned = nil
        var effects = try writeRight(changed, policy: policy)
        effects.findings += try divergences(from: answered, of: effects.pairs)
        effects.forwarded = []
        return effects
    }

    /// The partner's plan for the realm as it was.
    private func earlierPlan() throws(PartnerError) -> PartnerPlan {
        earlier.declared == before.declared ? plan : try PartnerPlan(plan.definition, in: earlier.declared)
    }

    /// Answers without those for properties that the other side's objects have otherwise than before: what they lost or were given
    /// themselves counts.
    ///
    /// Where both sides were given a property now, the partner's value counts.
    func sparingOwnChanges(
        _ answers: FunctionAnswers, of objects: FunctionObjects, by function: ObjectFunction
    ) throws -> FunctionAnswers {
        let (plan, isForward) = (try earlierPlan(), function == self.plan.forward)
        let (origin, side, classIndex) = isForward ? (left, right, rightClass) : (right, left, leftClass)
        let view = RealmEditor(editing: earlier, as: plan.expanded, in: store).view
        let earlierSide = isForward ? plan.right : plan.left
        guard let stored = view.index(of: earlierSide.name).flatMap({ view.workingClass($0) }) else { return answers }
        let primaryKeys = try objects.keys.indices.map { try primaryKey(of: objects, $0, seenAs: origin) }
        var (rows, keys) = ([Int](), [Int64]())
        for (row, other) in try self.keys.others(of: primaryKeys, by: function).enumerated() {
            guard let other = try? other.get(),
                let key = try derived.editor.object(in: classIndex, of: other)?.key.value,
                try stored.position(of: key) != nil
            else { continue }
            rows.append(row)
            keys.append(key)
        }
        guard !keys.isEmpty else { return answers }
        let earlierRows = try FunctionRows(of: earlierSide, in: view)
        let (now, before) = (try side.objects(keys), try earlierRows.objects(keys))
        var answers = answers
        for (place, output) in function.outputs.properties.enumerated() {
            guard let own = side.properties.firstIndex(where: { $0.name.hasSameBytes(as: output.name) }) else {
                continue
            }
            let known = earlierRows.properties.firstIndex { $0.name.hasSameBytes(as: output.name) }
            guard known != nil || isForward else { continue }
            let type = ColumnType(side.properties[own])
            for (index, row) in rows.enumerated() where answers.columns[place].isGiven(row) {
                let isOwn = try known.map {
                    try now.columns[own].value(at: index, as: type) != before.columns[$0].value(at: index, as: type)
                }
                if isOwn ?? true { answers.columns[place].leaveOut(row, of: objects.keys.count) }
            }
        }
        return answers
    }

    /// Answers without those values that the function gave before, too, for objects whose other side is there.
    ///
    /// - Throws: `PartnerError.unfit` where the earlier schema had not both sides, so that nobody knows which those are.
    func withoutUnchanged(
        _ answers: FunctionAnswers, of keys: [Int64], by function: ObjectFunction
    ) throws -> FunctionAnswers {
        let plan = try earlierPlan()
        let isForward = function == self.plan.forward
        let (origin, target) = isForward ? (plan.left, self.plan.right) : (plan.right, self.plan.left)
        let lead = isForward ? plan.forward : plan.backward
        let view = RealmEditor(editing: earlier, as: plan.expanded, in: store).view
        guard let stored = view.index(of: origin.name).flatMap({ view.workingClass($0) }) else { return answers }
        var known = try keys.filter { try stored.position(of: $0) != nil }
        var answers = answers
        if isForward || plan.isWithinClass {
            let areThere = try isForward ? havePartners(known) : known.map { _ in true }
            let waiting = try waiting?(Set(known)) ?? []
            known = zip(known, areThere).filter { $1 && !waiting.contains($0) }.map(\.0)
        }
        if !isForward, let prepared, !prepared.keys.isEmpty {
            // It had no values of its own before it was prepared.
            let rows = Dictionary(uniqueKeysWithValues: prepared.keys.enumerated().map { ($0.element, $0.offset) })
            answers = try answers.without(prepared.answers, rows: rows, of: keys, by: function) {
                !target.isPrimaryKey($0)
            }
        }
        guard !known.isEmpty else { return answers }
        let objects = try FunctionRows(of: origin, in: view).objects(known)
        let given = try call(lead, nil, objects, .collects).answers.shown(as: function, of: lead, count: known.count)
        let rows = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($0.element, $0.offset) })
        return try answers.without(given, rows: rows, of: keys, by: function) { !target.isPrimaryKey($0) }
    }
}

extension FunctionAnswers {
    /// The answers with the properties of a function that gives more, or has other indexes and defaults: what it alone knows is not
    /// given.
    fileprivate func shown(
        as function: ObjectFunction, of lead: ObjectFunction, count: Int
    ) throws -> FunctionAnswers {
        let known = lead.outputs.properties
        let columns = try function.outputs.properties.map { property in
            let place = known.firstIndex {
                $0.name.hasSameBytes(as: property.name) && ColumnType($0) == ColumnType(property)
            }
            if let place { return self.columns[place] }
            return Column(
                given: Bitmap(repeating: false, count: count),
                values: try ColumnArray(repeating: property.initialValue, count: count, as: ColumnType(property)))
        }
        return FunctionAnswers(columns: columns, failures: failures)
    }
}

extension FunctionAnswers.Column {
    /// Takes back what was given for a row.
    mutating func leaveOut(_ row: Int, of count: Int) {
        var rows = given ?? Bitmap(repeating: true, count: count)
        rows[row] = false
        given = rows
    }
}
