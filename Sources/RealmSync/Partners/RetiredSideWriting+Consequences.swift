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

    /// Finds what follows from changed properties.
    ///
    /// - Parameters:
    ///   - objects: as they are now.
    ///   - answers: for these; none is a failure.
    ///   - written: those of the answers that are written.
    ///   - named: the properties that are looked at, by the keys of the objects.
    /// - Returns: those that were changed, and no others, by the keys of the objects.
    func consequences(
        in objects: FunctionObjects, of answers: FunctionAnswers, written: FunctionAnswers,
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
        for changed in try changed(in: objects, naming: named) {
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
            let (tried, _) = try partner.call(step.lead, nil, try self.objects(of: trials, in: objects), .collects)
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

    private func changed(in objects: FunctionObjects, naming named: [Int64: Set<NameKey>]) throws -> [Changed] {
        let properties = retired.rows.properties
        return try objects.keys.indices.compactMap { row in
            let key = objects.keys[row].value
            guard let names = named[key], !names.isEmpty else { return nil }
            let changed = try properties.indices.filter { place in
                try place != retired.rows.primaryKeyIndex
                    && objects.columns[place].value(at: row, as: ColumnType(properties[place]))
                        != earlierValue(place, of: row, in: objects)
            }
            let meant = changed.filter { names.contains(NameKey(properties[$0].name)) }
            guard !meant.isEmpty else { return nil }
            return Changed(row: row, named: meant, isAlone: earlier.rows[key] != nil && changed.count == 1)
        }
    }

    /// The value that an object had before it was changed; a new one's initial value.
    private func earlierValue(_ place: Int, of row: Int, in objects: FunctionObjects) throws -> Value {
        let property = retired.rows.properties[place]
        if let was = earlier.rows[objects.keys[row].value] {
            return try earlier.objects.columns[place].value(at: was, as: ColumnType(property))
        }
        guard place != retired.rows.primaryKeyIndex else {
            return try objects.columns[place].value(at: row, as: ColumnType(property))
        }
        guard let stored = step.retired.property(named: property.name), stored.type == property.type else {
            return property.initialValue
        }
        return stored.defaultValue ?? stored.initialValue
    }

    private func objects(of trials: [Trial], in objects: FunctionObjects) throws -> FunctionObjects {
        let columns = try retired.rows.properties.enumerated().map { place, property in
            let type = ColumnType(property)
            let builder = ColumnBuilder(type)
            for trial in trials {
                try builder.append(
                    trial.isNow != (trial.property == place)
                        ? objects.columns[place].value(at: trial.row, as: type)
                        : earlierValue(place, of: trial.row, in: objects))
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
