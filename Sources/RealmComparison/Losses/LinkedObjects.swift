/// The objects that links lead to, before and after a migration.
struct LinkedObjects {
    let old: ObjectContents
    let new: ObjectContents
    let targets: LinkTargets

    /// Whether the objects of a property are parts of those that have it, before and after.
    func areParts(_ pair: PropertyPair) -> Bool {
        guard let target = pair.target, let newTarget = pair.newTarget else { return false }
        return old.isPart(target) && new.isPart(newTarget)
    }

    /// Whether links of a property lead to the same class as before.
    func haveSameTarget(_ pair: PropertyPair) -> Bool {
        guard let target = pair.target, let newTarget = pair.newTarget else { return false }
        return targets.newName(of: target).hasSameBytes(as: newTarget)
    }
}
