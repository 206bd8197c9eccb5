import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

extension ChangeApplication {
    /// Makes the changes of a batch, and writes the other sides of all that it changes.
    ///
    /// - Parameters:
    ///   - schema: what the batch was read with.
    ///   - known: of each upsert the object that has its primary key; nil where nobody has looked them up.
    ///   - partners: of the realm, each beginning beside this application.
    /// - Returns: how many objects were made, changed or deleted: upserts, and deletes of what was there on either side; and what
    ///   came of each partner, nil of one that the batch leaves alone.
    /// - Throws: `MigrationError` of a function that fails or takes too long, with the object's key; `ChangeError`.
    package func apply(
        _ batch: ChangeBatch, readWith schema: Schema, knowing known: [ObjectReference?]? = nil,
        writing partners: [PartnerWriting]
    ) throws -> (count: Int, effects: [PartnerEffects?]) {
        for partner in partners { try partner.prepare(for: batch, readWith: schema) }
        var deleted = try apply(batch, knowing: known)
        // As within a batch deleting is the last word: what is gone on one side is gone on both before a function sees a link to it.
        let cleared = partners.isEmpty ? ClearedObjects() : try clearLinks()
        for partner in partners { deleted.formUnion(try partner.deleteOtherSide(of: batch, readWith: schema)) }
        let clearedBeside = partners.isEmpty ? ClearedObjects() : try clearLinks()
        let changes = delta
        let effects = try partners.map {
            try $0.write(changes, cleared, clearedBeside, of: batch, readWith: schema)
        }
        return (batch.upserts.count + deleted.count, effects)
    }
}

/// The other side of what a batch changes.
extension PartnerWriting {
    /// Deletes on the other side what a batch deletes on one, whether or not it is there.
    ///
    /// - Returns: the deletes for which there was something, by their places in the batch.
    func deleteOtherSide(of batch: ChangeBatch, readWith schema: Schema) throws -> Set<Int> {
        guard !plan.isWithinClass, !batch.deletes.isEmpty else { return [] }
        var deleted: Set<Int> = []
        for (side, function, other) in [
            (plan.right, plan.backward, leftClass), (plan.left, plan.forward, rightClass),
        ] {
            let places = batch.deletes.indices.filter {
                schema.classes[batch.deletes[$0].classIndex].name.hasSameBytes(as: side.name)
            }
            let others = try keys.others(of: places.map { batch.deletes[$0].primaryKey }, by: function)
            var (deletes, origins) = (ChangeBatch(), [Int]())
            for (place, key) in zip(places, others) {
                // A key that leads nowhere is that of an object which never had a partner.
                guard let key = try? key.get() else { continue }
                deletes.deletes.append(ChangeBatch.Delete(classIndex: other, primaryKey: key))
                origins.append(place)
            }
            deleted.formUnion(try derived.apply(deletes).map { origins[$0] })
        }
        return deleted
    }

    /// Writes the other side of what clients changed, and of what was changed with that.
    ///
    /// A pair of objects is written from the side that the batch names, from both where it names both; from a side that it does not
    /// name comes what follows there: from links that were lost, or from what left the schema.
    ///
    /// - Parameters:
    ///   - changes: the clients' own, and what followed from what left the schema.
    ///   - cleared: the objects with links to what they deleted.
    ///   - clearedBeside: the objects with links to what was deleted with that on the other side.
    /// - Returns: nil where nothing of the partner was touched.
    func write(
        _ changes: SnapshotDelta, _ cleared: ClearedObjects, _ clearedBeside: ClearedObjects, of batch: ChangeBatch,
        readWith schema: Schema
    ) throws -> PartnerEffects? {
        let names = [plan.left.name, plan.right.name]
        let gone = derived.delta[plan.left.name]?.deleted ?? []
        let isTouched = names.contains { changes[$0] != nil || cleared.have($0) || clearedBeside.have($0) }
        guard isTouched || !gone.isEmpty else { return nil }
        var effects = prepared?.effects ?? PartnerEffects()
        let twice = try namedTwice(by: batch, readWith: schema)
        let ownLeft = Set(changes[plan.left.name]?.upserted ?? [])
        // An upsert that names a property of the partner is one of the partner.
        let ownRight =
            try plan.isWithinClass
            ? partners(namedBy: batch, readWith: schema).intersection(ownLeft)
            : Set(changes[plan.right.name]?.upserted ?? [])
        let lostLeft = try ready(cleared.keys(of: plan.left.name).union(clearedBeside.keys(of: plan.left.name)))
            .filter { try isThere($0, leftClass) }
        let lostRight: Set<Int64> =
            try plan.isWithinClass
            ? []
            : cleared.keys(of: plan.right.name).union(clearedBeside.keys(of: plan.right.name))
                .filter { try isThere($0, rightClass) }
        let given =
            lostLeft.isEmpty && lostRight.isEmpty && !writesChangesAlone
            ? nil : givenNames(by: batch, readWith: schema)
        func note(_ toLeft: PartnerEffects) throws {
            var toLeft = toLeft
            toLeft.givenProperties = try givenProperties(by: batch, readWith: schema, of: toLeft.pairs)
            effects.merge(toLeft)
        }
        if !plan.isWithinClass { try requireNoDoubt(of: batch, readWith: schema) }
        if let given {
            let first = try objects(among: lostLeft, ownLeft, whosePartnersAre: ownRight, except: twice)
            if !first.isEmpty {
                let answered = try ask(for: first, policy: .stops)
                effects.merge(try writeChanges(answered, policy: .stops, asConsequence: true, sparing: given))
            }
        }
        let partners = try ownRight.filter { try twice[$0] == nil && isThere($0, rightClass) }.sorted()
        let toLeft = try writeLeft(of: partners, narrowing: linkNarrowing(partners))
        try note(toLeft)
        let written = toLeft.written
        let objects = try ownLeft.filter { try !written.contains($0) && isThere($0, leftClass) }.sorted()
        if !objects.isEmpty {
            let answered = try ask(for: objects, policy: .stops)
            let spared = sparing(twice, in: answered)
            effects.merge(
                try writesChangesAlone
                    ? writeChanges(spared, policy: .stops) : writeRight(spared, policy: .stops))
            if !twice.isEmpty { try note(try writeLeft(of: twice, after: answered)) }
        }
        let restLeft = lostLeft.subtracting(ownLeft).subtracting(written)
        effects.merge(try follow(restLeft.sorted(), and: lostRight.subtracting(ownRight).sorted(), sparing: given))
        effects.forget(Set(((changes[plan.left.name]?.deleted ?? []) + gone).map(\.key)))
        return effects
    }

    /// The changed objects for which a function fails, with their class, after `write` has failed for the first of them.
    ///
    /// Writes those for which none does: nothing of the realm is of use then.
    func failures(
        for changes: SnapshotDelta, of batch: ChangeBatch, readWith schema: Schema
    ) throws -> [(className: String, failure: PartnerFinding)] {
        let own = Set(changes[plan.left.name]?.upserted ?? [])
        let partners =
            plan.isWithinClass
            ? try partners(namedBy: batch, readWith: schema).intersection(own)
            : Set(changes[plan.right.name]?.upserted ?? [])
        func failed(
            _ keys: Set<Int64>, _ rows: FunctionRows, _ classIndex: Int, _ function: ObjectFunction, to other: Int
        ) throws -> [PartnerFinding] {
            let objects = try rows.objects(keys.filter { try isThere($0, classIndex) }.sorted())
            guard !objects.keys.isEmpty else { return [] }
            let (answers, _) = try call(function, nil, objects, .collects)
            return try write(answers, of: objects, by: function, to: other, policy: .collects).failures
        }
        return try failed(own, left, leftClass, plan.forward, to: rightClass).map { (plan.left.name, $0) }
            + failed(partners, right, rightClass, plan.backward, to: leftClass).map { (plan.right.name, $0) }
    }

    /// The objects of which something is changed that no upsert names, where a batch names their partners.
    ///
    /// - Parameters:
    ///   - lost: those that lost a link.
    ///   - own: those that were changed.
    ///   - named: the partners that the batch changes.
    ///   - twice: those of objects that it names as well.
    private func objects(
        among lost: Set<Int64>, _ own: Set<Int64>, whosePartnersAre named: Set<Int64>, except twice: [Int64: NamedTwice]
    ) throws -> [Int64] {
        guard !named.isEmpty else { return [] }
        guard !plan.isWithinClass else {
            let objects = named.filter { twice[$0] == nil }
            return (writesChangesAlone ? objects : objects.intersection(lost)).sorted()
        }
        let both = Set(twice.values.map(\.object))
        let objects = try lost.union(own).filter { try !both.contains($0) && isThere($0, leftClass) }.sorted()
        return zip(objects, try partners(of: objects)).filter { $1.map(named.contains) ?? false }.map(\.0)
    }

    /// Objects without those that the backfill still comes to.
    func ready(_ objects: Set<Int64>) throws -> Set<Int64> {
        objects.subtracting(try waiting?(objects) ?? []).union(objects.intersection(prepared?.effects.written ?? []))
    }

    /// The links of partners that a batch changes, by the keys of their objects: one that it repeats may wait for its target.
    private func givenProperties(
        by batch: ChangeBatch, readWith schema: Schema, of pairs: [PartnerEffects.Pair]
    ) throws -> [Int64: Set<NameKey>] {
        guard waiting != nil, plan.hasLinks, !pairs.isEmpty else { return [:] }
        let objects = Dictionary(pairs.map { ($0.partner, $0.object) }) { first, _ in first }
        let changed = try changedLinks(of: objects.keys.sorted())
        var given: [Int64: Set<NameKey>] = [:]
        for upsert in batch.upserts where schema.classes[upsert.classIndex].name.hasSameBytes(as: plan.right.name) {
            guard let partner = try derived.editor.object(in: rightClass, of: upsert.primaryKey)?.key.value,
                let object = objects[partner], let links = changed[partner]
            else { continue }
            let properties = schema.classes[upsert.classIndex].properties
            let names = Set(upsert.members.map { NameKey(properties[$0.property].name) })
            given[object, default: []].formUnion(names.intersection(links))
        }
        return given
    }
}
