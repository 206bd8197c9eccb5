import RealmEditing
import RealmJSON
import RealmModel

/// The objects that are deleted with those that a batch deletes: their other sides, and the other sides of these.
struct DeletedSides {
    /// The objects, those aside that the batch deletes itself.
    private(set) var deletes: [ChangeBatch.Delete] = []
    /// The deletes of the batch because of which they are, by their places there.
    private(set) var origins: [Int] = []

    /// Finds them, whether or not they are there.
    ///
    /// - Parameters:
    ///   - schema: what the batch was read with; has the sides of all partners.
    ///   - partners: through which other sides are found.
    init(of batch: ChangeBatch, readWith schema: Schema, through partners: [PartnerWriting]) throws {
        var known = Set(batch.deletes)
        var found = Array(batch.deletes.enumerated())
        while !found.isEmpty {
            var next: [(offset: Int, element: ChangeBatch.Delete)] = []
            for partner in partners where !partner.plan.isWithinClass {
                let (left, right) = (
                    schema.index(of: partner.plan.left.name), schema.index(of: partner.plan.right.name)
                )
                for (side, other, function) in [
                    (left, right, partner.plan.forward), (right, left, partner.plan.backward),
                ] {
                    guard let other else { continue }
                    let own = found.filter { $0.element.classIndex == side }
                    let keys = try partner.keys.others(of: own.map(\.element.primaryKey), by: function)
                    for (origin, key) in zip(own, keys) {
                        // A key that leads nowhere is that of an object which never had another side.
                        guard let key = try? key.get() else { continue }
                        let delete = ChangeBatch.Delete(classIndex: other, primaryKey: key)
                        if known.insert(delete).inserted { next.append((origin.offset, delete)) }
                    }
                }
            }
            deletes += next.map(\.element)
            origins += next.map(\.offset)
            found = next
        }
    }
}
