import Columns
import RealmModel

/// Links that became values of their objects, or values that became links to objects that have them: keys and names.
struct NamedLinks {
    /// The column that has them after.
    let column: Int
    /// The class to which they lead, and the column of it by which its objects are known.
    let (target, name): (String, Int)
    /// Whether they are links no more.
    let wereLinks: Bool
    /// Hashes of what several objects are known by, where links became it; nil where they are too many to tell.
    var ambiguous: Set<UInt64>? = []
}

extension ElsewhereSearch {
    /// Objects of which those are found that are known by the same, at most.
    private static let nameLimit = 1 << 20

    /// How values of a loss became links, or links became values: half of a sample has to say so; nil where none does.
    func naming(of candidate: LossCandidate, _ isCancelled: () -> Bool) throws -> NamedLinks? {
        guard let own = own(candidate), let property = candidate.property,
            let old = from[candidate.loss.className]?.index(of: property.name)
        else { return nil }
        var best: (naming: NamedLinks, count: Int)?
        for column in own.changed.sorted() {
            let now = own.stored.schema.properties[column].linkTarget
            let wereLinks = property.linkTarget != nil
            guard wereLinks == (now == nil), let target = property.linkTarget ?? now else { continue }
            let side = wereLinks ? oldContents : contents
            guard !side.isPart(target), let schema = side.schema(target) else { continue }
            let pairs = try candidate.sought.map { sought in
                (
                    try oldContents.values(of: sought.key, candidate.loss.className, in: [old]).first ?? .null,
                    try contents.values(of: sought.key, candidate.newClassName, in: [column]).first ?? .null
                )
            }.filter { !$0.isHollow && !$1.isHollow }
            for (name, property) in schema.properties.enumerated() where property.mayNameObjects {
                let naming = NamedLinks(column: column, target: target, name: name, wereLinks: wereLinks)
                let count = try pairs.count { old, new in
                    var words = ValueWords()
                    words.add(wereLinks ? new : try contents.named(new, of: target, by: name))
                    return words.tell(wereLinks ? try oldContents.named(old, of: target, by: name) : old)
                }
                if count * 2 >= pairs.count, count > best?.count ?? 0 { best = (naming, count) }
            }
        }
        guard var naming = best?.naming else { return nil }
        if naming.wereLinks { naming.ambiguous = try ambiguous(naming, isCancelled) }
        return naming
    }

    /// Hashes of what several objects were known by.
    private func ambiguous(_ naming: NamedLinks, _ isCancelled: () -> Bool) throws -> Set<UInt64>? {
        guard let stored = from[naming.target], stored.objectCount <= Self.nameLimit else { return nil }
        let type = ColumnType(stored.schema.properties[naming.name])
        var (once, several): (Set<UInt64>, Set<UInt64>) = ([], [])
        try ColumnPass(stored, naming.name, store).run(isCancelled) { array, _, rows in
            for row in rows {
                let hash = try array.value(at: row, as: type).hash
                if !once.insert(hash).inserted { several.insert(hash) }
            }
            return true
        }
        return several
    }
}

extension LinkedObjects {
    /// Whether a recoding of values as links, or of links as values, is none: a property of the objects has most of the values,
    /// so that it says which object each means, or parts of them.
    ///
    /// - Parameters:
    ///   - target: the class to which the property's links led; nil where it had none.
    ///   - newTarget: that to which the links lead that may stand for its values.
    func tell(_ codes: [Value: Value], from target: String?, to newTarget: String?) throws -> Bool {
        guard (target == nil) != (newTarget == nil), let className = target ?? newTarget else { return false }
        let values = target == nil ? Array(codes.keys) : Array(codes.values)
        let side = target == nil ? new : old
        var columns: [Int: ValueWords] = [:]
        var names: [Int: Recoding] = [:]
        for (before, after) in codes {
            for key in (target == nil ? after : before).linkedKeys {
                for (column, value) in try side.values(of: key, className, withLinks: true).enumerated() {
                    columns[column, default: ValueWords()].add(value)
                    names[column, default: Recoding()].note(
                        target == nil ? before : value, target == nil ? value : after)
                }
            }
        }
        return names.values.contains(where: \.areParts)
            || columns.values.contains { words in
                values.count(where: words.tell) * 2 >= values.count
            }
    }
}

extension ValueWords {
    /// Whether all words by which a value is told are among these.
    fileprivate func tell(_ value: Value) -> Bool {
        let sought = Self.telling(value)
        return !sought.isEmpty && sought.allSatisfy(tells)
    }
}

extension Property {
    /// Whether an object may be known by its value.
    fileprivate var mayNameObjects: Bool {
        guard collection == .none else { return false }
        return switch type {
        case .int, .string, .objectId, .uuid, .date, .decimal128, .double, .data: true
        default: false
        }
    }
}
