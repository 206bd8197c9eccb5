import RealmEditing
import RealmJSON
import RealmModel

/// The other sides of some objects, and the other sides of these.
struct OtherSides {
    /// An object by its class and primary key.
    typealias Object = ChangeBatch.Delete

    /// Without those that they are sides of.
    private(set) var objects: [Object] = []
    /// The objects that they are sides of, by their places.
    private(set) var origins: [Int] = []

    /// Finds them, whether or not they are there.
    ///
    /// - Parameters:
    ///   - schema: what the objects' classes are of; has the sides of all partners.
    ///   - partners: through which other sides are found.
    init(of own: [Object], in schema: Schema, through partners: [PartnerWriting]) throws {
        var known = Set(own)
        var found = Array(own.enumerated())
        while !found.isEmpty {
            var next: [(offset: Int, element: Object)] = []
            for partner in partners where !partner.plan.isWithinClass {
                let (left, right) = (
                    schema.index(of: partner.plan.left.name), schema.index(of: partner.plan.right.name)
                )
                for (side, other, function) in [
                    (left, right, partner.plan.forward), (right, left, partner.plan.backward),
                ] {
                    guard let other else { continue }
                    let sides = found.filter { $0.element.classIndex == side }
                    let keys = try partner.keys.others(of: sides.map(\.element.primaryKey), by: function)
                    for (origin, key) in zip(sides, keys) {
                        // A key that leads nowhere is that of an object which never had another side.
                        guard let key = try? key.get() else { continue }
                        let side = Object(classIndex: other, primaryKey: key)
                        if known.insert(side).inserted { next.append((origin.offset, side)) }
                    }
                }
            }
            objects += next.map(\.element)
            origins += next.map(\.offset)
            found = next
        }
    }
}
