import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The laws of the functions: what comes back is what was there.
extension PartnerWriting {
    /// The function that leads back, called with what is held where the other one's answers are written.
    ///
    /// - Parameters:
    ///   - side: where they are written.
    ///   - function: gives the answers.
    ///   - origin: what that is called with.
    ///   - areNew: whether none of the objects that are written is there.
    /// - Returns: nil where what is held may be something else than what was given: links to objects that have no partner yet,
    ///   embedded objects, and objects that share a partner.
    func wayBack(
        _ back: ObjectFunction, of side: FunctionRows, in classIndex: Int, after function: ObjectFunction,
        of origin: FunctionRows, areNew: Bool = false
    ) throws -> ReturnFunction? {
        guard hasSameKeyType, side.isStoredAsShown else { return nil }
        let outputs = function.outputs.properties
        return ReturnFunction(
            back,
            inputs: try side.properties.enumerated().map { index, property in
                let own = origin.properties.firstIndex { $0.name.hasSameBytes(as: property.name) }
                if let own, plan.isWithinClass { return .init(answer: nil, otherwise: .input(own)) }
                if index == side.primaryKeyIndex {
                    return .init(answer: nil, otherwise: origin.primaryKeyIndex.map { .input($0) } ?? .unknown)
                }
                let answer = outputs.firstIndex { $0.name.hasSameBytes(as: property.name) }
                let place = side.indices[index]
                guard let initial = derived.initialValue(of: place, in: classIndex) else {
                    return .init(answer: answer, otherwise: .unknown)
                }
                // Objects that are there hold what they held, which mostly takes reading.
                let isKnown = try areNew || derived.editor.view.holds(initial, in: place, of: classIndex)
                return .init(answer: answer, otherwise: isKnown ? .value(initial) : .unknown)
            })
    }

    /// The objects that do not come back as they are.
    func violations(of pairs: [PartnerEffects.Pair]) throws -> [PartnerFinding] {
        let partners = try right.objects(pairs.map(\.partner))
        let (back, _) = try call(plan.backward, nil, partners, .collects)
        let held = try left.objects(pairs.map(\.object))
        return try findings(.violation, held, back, plan.backward, seenAs: left, of: held, left)
    }

    /// The partners that hold something else than what `forward` gave for their objects.
    func divergences(from answered: Answered, of pairs: [PartnerEffects.Pair]) throws -> [PartnerFinding] {
        let pairs = pairs.sorted { $0.object < $1.object }
        guard !pairs.isEmpty, let given = try answers(answered, for: pairs.map(\.object)) else { return [] }
        return try findings(
            .divergence, try right.objects(pairs.map(\.partner)), given.answers, plan.forward, seenAs: right,
            of: given.objects, left)
    }

    /// The objects that do not hold what a function gave for them.
    ///
    /// - Parameters:
    ///   - objects: what is held.
    ///   - side: as what.
    ///   - own: the objects of the class, which findings are of, or of the partner with the keys of these.
    ///   - ownSide: which of both.
    func findings(
        _ kind: PartnerFinding.Kind, _ objects: FunctionObjects, _ given: FunctionAnswers, _ function: ObjectFunction,
        seenAs side: FunctionRows, of own: FunctionObjects, _ ownSide: FunctionRows
    ) throws -> [PartnerFinding] {
        let properties = function.outputs.properties
        let target = function == plan.backward ? plan.left : plan.right
        let places = properties.indices.map { index in
            let place = side.properties.firstIndex { $0.name.hasSameBytes(as: properties[index].name) }
            // Mostly all is as it was, and that is seen at once.
            return place.flatMap { objects.columns[$0] == given.columns[index].values ? nil : $0 }
        }
        guard !given.failures.isEmpty || places.contains(where: { $0 != nil }) else { return [] }
        let failed = Dictionary(uniqueKeysWithValues: given.failures.map { ($0.row, $0.error) })
        var findings: [PartnerFinding] = []
        for row in own.keys.indices {
            let primaryKey = try self.primaryKey(of: own, row, seenAs: ownSide)
            if let error = failed[row] {
                findings.append(
                    PartnerFinding(
                        kind: kind, key: own.keys[row].value, primaryKey: primaryKey, reason: error.message))
                continue
            }
            var (before, after): ([DictionaryEntry], [DictionaryEntry]) = ([], [])
            for (property, place) in zip(properties.indices, places) where given.columns[property].isGiven(row) {
                guard let place else { continue }
                let type = ColumnType(properties[property])
                let was = try objects.columns[place].value(at: row, as: type)
                var became = try given.columns[property].values.value(at: row, as: type)
                if was != became, let stored = target.property(named: properties[property].name) {
                    became = written(became, to: stored)
                }
                guard was != became else { continue }
                before.append(DictionaryEntry(properties[property].publicName, was))
                after.append(DictionaryEntry(properties[property].publicName, became))
            }
            guard !before.isEmpty else { continue }
            findings.append(
                PartnerFinding(
                    kind: kind, key: own.keys[row].value, primaryKey: primaryKey, before: .dictionary(before),
                    after: .dictionary(after)))
        }
        return findings
    }

    /// A value as it is once it is written: embedded objects have all of their properties.
    private func written(_ value: Value, to property: Property) -> Value {
        guard let target = property.objectType.flatMap({ plan.expanded[$0] }), target.isEmbedded else { return value }
        switch value {
        case .list(let elements): return .list(elements.map { written($0, to: property) })
        case .dictionary(let entries) where property.collection == .dictionary:
            var element = property
            element.collection = .none
            return .dictionary(entries.map { DictionaryEntry($0.key, written($0.value, to: element)) })
        case .dictionary(let members):
            let given = Dictionary(members.map { (NameKey($0.key), $0.value) }) { first, _ in first }
            return .dictionary(
                DictionaryEntry.sorted(
                    target.persistedProperties.map { inner in
                        let value = given[NameKey(inner.publicName)].map { written($0, to: inner) }
                        return DictionaryEntry(inner.publicName, value ?? inner.defaultValue ?? inner.initialValue)
                    }))
        default: return value
        }
    }
}
