import RealmJSON
import RealmModel

/// Links to what is not there, which partners on their way make of changes.
extension RetiredSidesWriting {
    /// The values of which a partner on its way makes links to what is not there: those of the same name, or all of an object's.
    func broken(
        by partners: [PartnerWriting], following followed: FollowedBatch, in batch: ChangeBatch
    ) throws -> [Refusal] {
        try partners.flatMap { partner in
            try partner.brokenLinks.flatMap { broken -> [Refusal] in
                let side = broken.className.hasSameBytes(as: partner.plan.left.name) ? partner.left : partner.right
                guard let primaryKey = try side.primaryKey(of: broken.key) else { return [] }
                let origin = Name(className: NameKey(broken.className), primaryKey: primaryKey)
                var values: [ChangeError.GivenValue] = []
                for (place, upsert) in followed.batch.upserts.enumerated()
                where name(upsert.classIndex, upsert.primaryKey) == origin {
                    let declared = schema.classes[upsert.classIndex]
                    let given = upsert.members.map { declared.properties[$0.property] }
                    let named = given.filter { broken.targets[NameKey($0.name)] != nil }
                    values += (named.isEmpty ? given : named).map {
                        ChangeError.GivenValue(
                            className: declared.name, property: $0.publicName, primaryKey: upsert.primaryKey,
                            upsert: place)
                    }
                }
                let target = broken.targets.min { $0.key.name < $1.key.name }?.value ?? ""
                let causes = values.reduce(into: Set<ChangedValue>()) { $0.formUnion(followed.causes(of: $1)) }
                return refusals(of: causes, Self.linksToNothing(of: target), in: batch)
            }
        }
    }
}
