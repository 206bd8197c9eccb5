import Columns
import RealmMigration
import RealmModel

/// The properties of the side that stayed that follow from changed properties of the side that left.
///
/// One follows from another where the function gives something else for the object without that change alone, or for the object as
/// it was with that change alone.
extension RetiredSideWriting {
    /// The properties of the other side that follow, by the names of the changed ones.
    typealias Consequences = [NameKey: Set<NameKey>]

    /// Objects that the function is asked about at once.
    private static let objectsAtOnce = 512

    /// A changed object.
    private struct Changed {
        let row: Int
        /// The changed properties that are looked at, by their places.
        let named: [Int]
        /// Whether nothing else was changed, of an object that was there.
        let isAlone: Bool
    }

    /// An object that nobody has: one as it was, or is, but for a property.
    private struct Trial {
        let row: Int
        /// Whether it is the object as it is now.
        let isNow: Bool
        /// The property that is as it is in the other state, by its place.
        var property: Int?
    }

    /// Objects of the side that left in another state than now, and the function's answers for them.
    struct Other {
        /// The places of the objects, by their keys.
        var rows: [Int64: Int] = [:]
        var objects = FunctionObjects(keys: [], columns: [])
        var answers = FunctionAnswers(columns: [])
    }

    /// Finds what follows from properties that are others than in another state.
    ///
    /// - Parameters:
    ///   - objects: as they are now.
    ///   - other: the other state, often the one before a change.
    ///   - answers: for the objects as they are now; none is a failure.
    ///   - written: those of the answers that are written.
    ///   - named: the properties that are looked at, by the keys of the objects.
    /// - Returns: those that are others, and no more, by the keys of the objects.
    func consequences(
        in objects: FunctionObjects, beside other: Other, of answers: FunctionAnswers, written: FunctionAnswers,
        naming named: [Int64: Set<NameKey>]
    ) throws -> [Int64: Consequences] {
        let outputs = step.lead.outputs.properties
        var found: [Int64: Consequences] = [:]
        func given(_ row: Int) -> [Int] {
            outputs.indices.filter { !isKey(outputs[$0]) && written.columns[$0].isGiven(row) }
        }
        func note(_ places: [Int], _ property: Int, _ row: Int) {
            let name = NameKey(retired.rows.properties[property].name)
            found[objects.keys[row].value, default: [:]][name] = Set(places.map { NameKey(outputs[$0].name) })
        }
        var asked: [Changed] = []
        for changed in try changed(in: objects, beside: other, naming: named) {
            let places = given(changed.row)
            if changed.isAlone || places.isEmpty {
                for property in changed.named { note(places, property, changed.row) }
            } else {
                asked.append(changed)
            }
        }
        for start in stride(from: 0, to: asked.count, by: Self.objectsAtOnce) {
            let part = asked[start..<min(start + Self.objectsAtOnce, asked.count)]
            let trials = part.flatMap { changed in
                [Trial(row: changed.row, isNow: false)]
                    + changed.named.flatMap { property in
                        [true, false].map { Trial(row: changed.row, isNow: $0, property: property) }
                    }
            }
            let (tried, _) = try partner.call(
                step.lead, nil, try self.objects(of: trials, in: objects, beside: other), .collects)
            let failed = Set(tried.failures.map(\.row))
            var first = 0
            for changed in part {
                let before = first
                for (place, property) in changed.named.enumerated() {
                    let (without, alone) = (before + 1 + 2 * place, before + 2 + 2 * place)
                    let follow = try given(changed.row).filter { output in
                        let type = ColumnType(outputs[output])
                        func differ(_ other: FunctionAnswers, _ row: Int, _ trial: Int) throws -> Bool {
                            try failed.contains(trial)
                                || !other.columns[output].isSame(row, tried.columns[output], trial, as: type)
                        }
                        return try differ(answers, changed.row, without)
                            || !failed.contains(before) && differ(tried, before, alone)
                    }
                    note(follow, property, changed.row)
                }
                first += 1 + 2 * changed.named.count
            }
        }
        return found
    }

    /// Finds what follows from properties that the objects' other sides lead back to others of.
    ///
    /// - Parameters:
    ///   - pairs: objects and their other sides.
    ///   - objects: these and others.
    ///   - answers: for all of them.
    ///   - returned: what the other function makes of the other sides.
    ///   - named: the properties that are looked at, by the keys of the objects.
    func consequences(
        beside pairs: [Written.Object], in objects: FunctionObjects, of answers: FunctionAnswers,
        returned: Returned, naming named: [Int64: Set<NameKey>]
    ) throws -> [Int64: Consequences] {
        guard !pairs.isEmpty else { return [:] }
        let led = try self.objects(pairs, in: objects, as: returned)
        let keys = led.keys.map(\.value)
        let (given, _) = try partner.call(step.lead, nil, led, .collects)
        let other = Other(
            rows: Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($0.element, $0.offset) }),
            objects: led, answers: given)
        let written = try answers.without(given, rows: other.rows, of: objects.keys.map(\.value), by: step.lead) {
            !self.isKey($0)
        }
        let own = Set(keys)
        return try consequences(
            in: objects, beside: other, of: answers, written: written, naming: named.filter { own.contains($0.key) })
    }

    private func changed(
        in objects: FunctionObjects, beside other: Other, naming named: [Int64: Set<NameKey>]
    ) throws -> [Changed] {
        let properties = retired.rows.properties
        return try objects.keys.indices.compactMap { row in
            let key = objects.keys[row].value
            guard let names = named[key], !names.isEmpty else { return nil }
            let changed = try properties.indices.filter { place in
                try place != retired.rows.primaryKeyIndex
                    && objects.columns[place].value(at: row, as: ColumnType(properties[place]))
                        != otherValue(place, of: row, in: objects, other)
            }
            let meant = changed.filter { names.contains(NameKey(properties[$0].name)) }
            guard !meant.isEmpty else { return nil }
            return Changed(row: row, named: meant, isAlone: other.rows[key] != nil && changed.count == 1)
        }
    }

    /// The value that an object has in the other state; the initial value of one that is not there.
    private func otherValue(
        _ place: Int, of row: Int, in objects: FunctionObjects, _ other: Other
    ) throws -> Value {
        let property = retired.rows.properties[place]
        if let was = other.rows[objects.keys[row].value] {
            return try other.objects.columns[place].value(at: was, as: ColumnType(property))
        }
        guard place != retired.rows.primaryKeyIndex else {
            return try objects.columns[place].value(at: row, as: ColumnType(property))
        }
        guard let stored = step.retired.property(named: property.name), stored.type == property.type else {
            return property.initialValue
        }
        return stored.defaultValue ?? stored.initialValue
    }

    private func objects(
        of trials: [Trial], in objects: FunctionObjects, beside other: Other
    ) throws -> FunctionObjects {
        let columns = try retired.rows.properties.enumerated().map { place, property in
            let type = ColumnType(property)
            let builder = ColumnBuilder(type)
            for trial in trials {
                try builder.append(
                    trial.isNow != (trial.property == place)
                        ? objects.columns[place].value(at: trial.row, as: type)
                        : otherValue(place, of: trial.row, in: objects, other))
            }
            return builder.finish()
        }
        return FunctionObjects(
            keys: trials.map { objects.keys[$0.row] }, columns: columns, primaryKey: objects.primaryKey)
    }
}

extension FunctionAnswers.Column {
    /// Whether the same was given for a row as for one of another column.
    fileprivate func isSame(
        _ row: Int, _ other: FunctionAnswers.Column, _ otherRow: Int, as type: ColumnType
    ) throws -> Bool {
        guard isGiven(row), other.isGiven(otherRow) else { return isGiven(row) == other.isGiven(otherRow) }
        return try values.value(at: row, as: type) == other.values.value(at: otherRow, as: type)
    }
}
