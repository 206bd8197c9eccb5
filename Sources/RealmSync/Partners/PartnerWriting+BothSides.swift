import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Objects that a batch names on both sides: what it gives one side is not written by what follows from the other.
///
/// It is as if the old side came in a batch of its own first: `forward` gives the partner what the batch does not give it, and
/// then `backward` gives the object what the batch does not give that.
extension PartnerWriting {
    /// An object that a batch names on both sides, and the properties that functions give and the batch gives, too.
    struct NamedTwice {
        let object: Int64
        let partner: Int64
        fileprivate let left: GivenProperties
        fileprivate let right: GivenProperties
    }

    /// The properties that a batch gives one side of an object.
    fileprivate struct GivenProperties {
        var primaryKey: Value
        /// The last upsert that gives a property, by its place.
        var upserts: [NameKey: Int] = [:]
        /// Those that may not be contradicted unheard.
        ///
        /// Where one upsert names the partner's property as well, that counts, and the client is told nothing but in changes that come late.
        var firm: Set<NameKey> = []

        mutating func note(_ properties: Set<NameKey>, at place: Int, firmly: Bool = true) {
            for property in properties { upserts[property] = place }
            if firmly { firm.formUnion(properties) }
        }
    }

    /// The objects that a batch names on both sides, by the keys of the partners.
    func namedTwice(by batch: ChangeBatch, readWith schema: Schema) throws -> [Int64: NamedTwice] {
        let (lefts, rights) = givenProperties(by: batch, readWith: schema)
        guard !lefts.isEmpty, !rights.isEmpty else { return [:] }
        let own = Array(lefts.values)
        var named: [Int64: NamedTwice] = [:]
        for (left, other) in zip(own, try keys.others(of: own.map(\.primaryKey), by: plan.forward)) {
            guard let right = (try? other.get()).flatMap({ rights[$0] }),
                let object = try derived.editor.object(in: leftClass, of: left.primaryKey),
                let partner = try derived.editor.object(in: rightClass, of: right.primaryKey)
            else { continue }
            named[partner.key.value] = NamedTwice(
                object: object.key.value, partner: partner.key.value, left: left, right: right)
        }
        return named
    }

    private func givenProperties(
        by batch: ChangeBatch, readWith schema: Schema
    ) -> (left: [Value: GivenProperties], right: [Value: GivenProperties]) {
        let toLeft = Set(plan.backward.outputs.properties.map { NameKey($0.name) })
        let toRight = Set(plan.forward.outputs.properties.map { NameKey($0.name) })
        var (lefts, rights): ([Value: GivenProperties], [Value: GivenProperties]) = ([:], [:])
        for (place, upsert) in batch.upserts.enumerated() {
            let (read, key) = (schema.classes[upsert.classIndex], upsert.primaryKey)
            let names = Set(upsert.members.map { NameKey(read.properties[$0.property].name) })
            let (left, right) = (names.intersection(toLeft), names.intersection(toRight))
            let isLeft = read.name.hasSameBytes(as: plan.left.name)
            let isBoth = plan.isWithinClass && !left.isEmpty && !right.isEmpty
            if isLeft, !plan.isWithinClass || right.isEmpty || isBoth {
                lefts[key, default: GivenProperties(primaryKey: key)].note(
                    left, at: place, firmly: !isBoth || writesChangesAlone)
            }
            if plan.isWithinClass ? isLeft && !right.isEmpty : read.name.hasSameBytes(as: plan.right.name) {
                rights[key, default: GivenProperties(primaryKey: key)].note(right, at: place)
            }
        }
        return (lefts, rights)
    }

    /// The properties that a batch gives either side, by its primary keys.
    struct GivenNames {
        fileprivate var left: [Value: Set<NameKey>]
        fileprivate var right: [Value: Set<NameKey>]
    }

    /// The properties that a batch gives either side, of those that functions give.
    func givenNames(by batch: ChangeBatch, readWith schema: Schema) -> GivenNames {
        let (left, right) = givenProperties(by: batch, readWith: schema)
        return GivenNames(
            left: left.mapValues { Set($0.upserts.keys) }, right: right.mapValues { Set($0.upserts.keys) })
    }

    /// Answers without what a batch gives the other side.
    func sparing(
        _ given: GivenNames, in answers: FunctionAnswers, of objects: FunctionObjects, by function: ObjectFunction
    ) throws -> FunctionAnswers {
        let isForward = function == plan.forward
        let names = isForward ? given.right : given.left
        guard !names.isEmpty else { return answers }
        let origin = isForward ? left : right
        let primaryKeys = try objects.keys.indices.map { try primaryKey(of: objects, $0, seenAs: origin) }
        var answers = answers
        for (row, other) in try keys.others(of: primaryKeys, by: function).enumerated() {
            guard let own = (try? other.get()).flatMap({ names[$0] }) else { continue }
            for (place, property) in function.outputs.properties.enumerated() where own.contains(NameKey(property.name))
            {
                answers.columns[place].leaveOut(row, of: objects.keys.count)
            }
        }
        return answers
    }

    /// Answers for objects without what the batch gives their partners.
    func sparing(_ named: [Int64: NamedTwice], in answered: Answered) -> Answered {
        guard !named.isEmpty else { return answered }
        let given = Dictionary(uniqueKeysWithValues: named.values.map { ($0.object, $0.right) })
        var answered = answered
        for (place, property) in plan.forward.outputs.properties.enumerated() where !plan.right.isPrimaryKey(property) {
            for (row, key) in answered.objects.keys.enumerated()
            where given[key.value]?.upserts[NameKey(property.name)] != nil {
                answered.answers.columns[place].leaveOut(row, of: answered.objects.keys.count)
            }
        }
        answered.returned = nil
        return answered
    }

    /// Writes objects that the batch names as their partners, which have what `forward` gives by now.
    ///
    /// - Parameter forth: what that gave for some objects, these among them.
    /// - Throws: `ChangeError.contradictions`.
    func writeLeft(of named: [Int64: NamedTwice], after forth: Answered) throws -> PartnerEffects {
        let partners = named.keys.sorted()
        let links = linkNarrowing(partners)
        var effects = try writeLeft(
            of: partners,
            narrowing: { answers in
                let pairs = partners.compactMap { named[$0] }
                return try self.sparing(pairs, in: try links?(answers) ?? answers, after: forth)
            })
        if !mayLackLinks, !writesChangesAlone { effects.findings += try violations(of: effects.pairs) }
        return effects
    }

    /// Answers for partners without what the batch gives their objects.
    private func sparing(
        _ named: [NamedTwice], in answers: FunctionAnswers, after forth: Answered
    ) throws -> FunctionAnswers {
        let held = try left.objects(named.map(\.object))
        // The answers for the old side alone: values that functions lose contradict nothing.
        let bare = try withoutOwn(named, knowing: forth)
        let alone = try call(plan.backward, nil, bare, .collects).answers
        let failed = Set(alone.failures.map(\.row))
        var (answers, contradictions) = (answers, [[ChangeError.GivenValue]]())
        for (place, property) in plan.backward.outputs.properties.enumerated() where !plan.left.isPrimaryKey(property) {
            guard let own = left.properties.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else {
                continue
            }
            let (name, type) = (NameKey(property.name), ColumnType(property))
            for (row, pair) in named.enumerated()
            where pair.left.upserts[name] != nil && answers.columns[place].isGiven(row) {
                let derived = try answers.columns[place].values.value(at: row, as: type)
                let keepsLinks = mayLackLinks && plan.left.property(named: property.name)?.type == .object
                let isLost =
                    try !failed.contains(row) && alone.columns[place].isGiven(row)
                    && alone.columns[place].values.value(at: row, as: type) == derived
                if try keepsLinks || isLost || held.columns[own].value(at: row, as: type) == derived {
                    answers.columns[place].leaveOut(row, of: named.count)
                } else if pair.left.firm.contains(name) {
                    contradictions.append(try contradiction(of: pair, in: property, row, of: bare))
                }
            }
        }
        guard contradictions.isEmpty else { throw ChangeError.contradictions(contradictions) }
        return answers
    }

    /// The partners as they are, with what `forward` gave in place of what the batch gave them.
    private func withoutOwn(_ named: [NamedTwice], knowing forth: Answered) throws -> FunctionObjects {
        var partners = try right.objects(named.map(\.partner))
        let rows = Dictionary(
            uniqueKeysWithValues: forth.objects.keys.enumerated().map { ($0.element.value, $0.offset) })
        for (place, property) in plan.forward.outputs.properties.enumerated() where !plan.right.isPrimaryKey(property) {
            guard let own = right.properties.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else {
                continue
            }
            let (column, type) = (forth.answers.columns[place], ColumnType(property))
            let values = try named.enumerated().map { index, pair in
                guard pair.right.upserts[NameKey(property.name)] != nil, let row = rows[pair.object],
                    column.isGiven(row)
                else { return try partners.columns[own].value(at: index, as: type) }
                return try column.values.value(at: row, as: type)
            }
            partners.columns[own] = try ColumnArray(values, as: type)
        }
        return partners
    }

    /// A value of an object, and those of its partner that are not what `forward` gives.
    ///
    /// - Parameters:
    ///   - row: of the partner as it would be without its own.
    private func contradiction(
        of pair: NamedTwice, in property: Property, _ row: Int, of bare: FunctionObjects
    ) throws -> [ChangeError.GivenValue] {
        let held = try right.objects([pair.partner])
        let others = try right.properties.indices.filter { index in
            let type = ColumnType(right.properties[index])
            return try held.columns[index].value(at: 0, as: type) != bare.columns[index].value(at: row, as: type)
        }
        func value(_ property: Property, of side: ObjectSchema, _ given: GivenProperties) -> ChangeError.GivenValue? {
            given.upserts[NameKey(property.name)].map { place in
                ChangeError.GivenValue(
                    className: side.name, property: property.publicName, primaryKey: given.primaryKey, upsert: place)
            }
        }
        let values = others.map { value(right.properties[$0], of: plan.right, pair.right) }
        return ([value(property, of: plan.left, pair.left)] + values).compactMap(\.self)
    }
}
