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
    /// A pair of objects is written from the side that the batch names, from both where it names both; else what follows on either
    /// side from links that the other lost.
    ///
    /// - Parameters:
    ///   - changes: the clients' own.
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
        var pairs = WrittenPairs()
        let twice = try namedTwice(by: batch, readWith: schema)
        func writeRight(of objects: some Collection<Int64>) throws {
            let rest = try objects.filter { try !pairs.objects.contains($0) && isThere($0, leftClass) }.sorted()
            guard !rest.isEmpty else { return }
            let answered = try ask(for: rest, policy: .stops)
            let spared = sparing(twice, in: answered)
            effects.merge(
                pairs.noting(
                    try writesChangesAlone
                        ? writeChanges(spared, policy: .stops) : self.writeRight(spared, policy: .stops)))
            guard !twice.isEmpty else { return }
            try note(try self.writeLeft(of: twice, after: answered))
        }
        func writeLeft(of partners: some Collection<Int64>) throws {
            let rest = try partners.filter { try twice[$0] == nil && isThere($0, rightClass) }.sorted()
            try note(try self.writeLeft(of: rest, narrowing: linkNarrowing(rest)))
        }
        func note(_ toLeft: PartnerEffects) throws {
            var toLeft = toLeft
            toLeft.givenProperties = try givenProperties(by: batch, readWith: schema, of: toLeft.pairs)
            effects.merge(pairs.noting(toLeft))
        }
        let (ownLeft, ownRight) = (changes[plan.left.name]?.upserted ?? [], changes[plan.right.name]?.upserted ?? [])
        if plan.isWithinClass {
            // An upsert that names a property of the partner is one of the partner.
            try writeLeft(of: try partners(namedBy: batch, readWith: schema).intersection(ownLeft))
        } else {
            try requireNoDoubt(of: batch, readWith: schema)
            try writeLeft(of: ownRight)
        }
        try writeRight(of: ownLeft)
        let lostLeft = try ready(cleared.keys(of: plan.left.name).union(clearedBeside.keys(of: plan.left.name)))
            .filter { try !pairs.objects.contains($0) && isThere($0, leftClass) }
        let lostRight =
            try plan.isWithinClass
            ? []
            : cleared.keys(of: plan.right.name).union(clearedBeside.keys(of: plan.right.name))
                .filter { try !pairs.partners.contains($0) && isThere($0, rightClass) }
        effects.merge(try follow(lostLeft.sorted(), and: lostRight.sorted()))
        effects.forget(Set(((changes[plan.left.name]?.deleted ?? []) + gone).map(\.key)))
        return effects
    }

    /// Objects without those that the backfill still comes to.
    func ready(_ objects: Set<Int64>) throws -> Set<Int64> { objects.subtracting(try waiting?(objects) ?? []) }

    /// The pairs that a batch has written, by either key.
    private struct WrittenPairs {
        var objects: Set<Int64> = []
        var partners: Set<Int64> = []

        mutating func noting(_ effects: PartnerEffects) -> PartnerEffects {
            for pair in effects.pairs {
                objects.insert(pair.object)
                partners.insert(pair.partner)
            }
            return effects
        }
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
