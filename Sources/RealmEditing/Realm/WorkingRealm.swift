import Columns
import RealmModel

/// A realm while its objects and its schema change; or as it was, which nothing changes.
package final class WorkingRealm {
    /// The stored classes in their order.
    package private(set) var classes: [WorkingClass]
    let context: WorkingContext
    /// Grows with every object that is deleted, in any class.
    package private(set) var deletionCount = 0

    /// Grows with every class that is added or removed.
    private(set) var classRevision = 0

    private var byName: [NameKey: WorkingClass]

    package init(_ snapshot: Snapshot, context: WorkingContext) {
        self.context = context
        classes = snapshot.classes.map { WorkingClass($0, context: context) }
        byName = Dictionary(classes.map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(_ name: String) -> WorkingClass? { byName[NameKey(name)] }

    /// The schema as it is stored now.
    package var schema: Schema { Schema(classes.map(\.schema)) }

    package func addClass(_ schema: ObjectSchema) -> WorkingClass {
        let added = WorkingClass(StoredClass(empty: schema), context: context)
        classes.append(added)
        byName[NameKey(schema.name)] = added
        classRevision += 1
        return added
    }

    package func removeClass(named name: String) {
        guard let removed = byName.removeValue(forKey: NameKey(name)) else { return }
        deletionCount += removed.objectCount + 1
        classRevision += 1
        classes.removeAll { $0 === removed }
    }

    func noteDeletions(_ count: Int) {
        deletionCount += count
    }

    /// Whether any key that a link may hold leads nowhere.
    var hasDeletions: Bool { deletionCount > 0 }

    /// Whether an object is there.
    func contains(_ key: ObjectKey, in className: String) throws -> Bool {
        guard let target = byName[NameKey(className)] else { return false }
        return try target.deletionCount == 0 || target.position(of: key.value) != nil
    }

    /// The value as readers see it: links to deleted objects are null, and gone from lists and sets.
    package func visible(_ value: Value, of property: Property) throws -> Value {
        guard hasDeletions, property.type == .object || property.type == .mixed else { return value }
        return try withoutDeletedLinks(value, linkTarget: property.objectType)
    }

    private func withoutDeletedLinks(_ value: Value, linkTarget: String?) throws -> Value {
        switch value {
        case .link(let key):
            guard let linkTarget else { return value }
            return try contains(key, in: linkTarget) ? value : .null
        case .typedLink(let className, let key): return try contains(key, in: className) ? value : .null
        case .list(let elements):
            return .list(
                try elements.compactMap { element in
                    let visible = try withoutDeletedLinks(element, linkTarget: linkTarget)
                    return visible.isNull && !element.isNull ? nil : visible
                })
        case .dictionary(let entries):
            return .dictionary(
                try entries.map {
                    DictionaryEntry($0.key, try withoutDeletedLinks($0.value, linkTarget: linkTarget))
                })
        default: return value
        }
    }
}
