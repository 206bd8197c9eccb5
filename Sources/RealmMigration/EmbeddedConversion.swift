import Columns
import RealmEditing
import RealmModel

/// Turns a top-level class into an embedded one: each object then needs exactly one incoming link.
///
/// Runs when the script has ended and removed columns are gone, so that their links do not count (REALM_SEMANTICS,
/// section 1.6).
struct EmbeddedConversion {
    let realm: WorkingRealm
    let stored: WorkingClass
    /// Whether orphans are deleted and objects with several links copied for each.
    let resolvesConstraints: Bool
    /// Is told of orphans and shared objects.
    let findings: FindingLog

    /// A column that may link to the class.
    private struct Origin {
        let origin: WorkingClass
        let column: WorkingColumn
    }

    func run() throws {
        guard stored.primaryKey == nil else { throw MigrationError.embeddedWithPrimaryKey(stored.name) }
        defer { stored.kind = .embedded }
        guard stored.objectCount > 0 else { return }
        try refuseMixedLinks()
        let counts = try incomingLinkCounts()
        let (orphans, shared) = try sortOut(counts)
        guard !orphans.isEmpty || !shared.isEmpty else { return }
        try separate(shared)
        for key in orphans + shared.sorted() { try realm.delete(key, from: stored) }
    }

    private var origins: [Origin] {
        realm.classes.flatMap { origin in
            origin.columns.filter { $0.property.objectType?.hasSameBytes(as: stored.name) == true }.map {
                Origin(origin: origin, column: $0)
            }
        }
    }

    private func refuseMixedLinks() throws {
        for origin in realm.classes {
            for column in origin.columns where column.property.type == .mixed && column.constant == nil {
                try origin.forEachObject { position, _ in
                    let value = try realm.visible(try origin.value(column, at: position), of: column.property)
                    guard !value.links(to: stored.name) else {
                        throw MigrationError.embeddedInMixed(
                            stored.name, origin: origin.name, property: column.property.name)
                    }
                }
            }
        }
    }

    /// How many links lead to each row, at most 255; by row group.
    private func incomingLinkCounts() throws -> [[UInt8]] {
        var counts = try stored.groups().map { [UInt8](repeating: 0, count: $0.rowCount) }
        for origin in origins where origin.column.constant?.linkedKeys.isEmpty != true {
            try origin.origin.forEachObject { position, _ in
                for key in try origin.origin.value(origin.column, at: position).linkedKeys {
                    guard let target = try stored.position(of: key.value) else { continue }
                    let count = counts[target.group][target.row]
                    counts[target.group][target.row] = count == .max ? count : count + 1
                }
            }
        }
        return counts
    }

    /// The objects without a link and those with more than one.
    ///
    /// - Throws: `MigrationError` for the first of either, where constraints are not to be resolved.
    private func sortOut(_ counts: [[UInt8]]) throws -> (orphans: [Int64], shared: Set<Int64>) {
        var orphans: [Int64] = []
        var shared: Set<Int64> = []
        var (named, namedShared) = (NamedObjects(), NamedObjects())
        var refusal: MigrationError?
        try stored.forEachObject { position, key in
            switch counts[position.group][position.row] {
            case 1: return
            case 0:
                named.add(key)
                if resolvesConstraints { orphans.append(key) }
                refusal = refusal ?? .embeddedOrphan(stored.name, key: ObjectKey(key))
            default:
                namedShared.add(key)
                if resolvesConstraints { shared.insert(key) }
                refusal = refusal ?? .embeddedShared(stored.name, key: ObjectKey(key))
            }
        }
        if named.count > 0 { findings.add(.orphans(className: stored.name, objects: named)) }
        if namedShared.count > 0 { findings.add(.sharedObjects(className: stored.name, objects: namedShared)) }
        if let refusal, !resolvesConstraints { throw refusal }
        return (orphans, shared)
    }

    /// Gives each link to a shared object a copy of its own.
    private func separate(_ shared: Set<Int64>) throws {
        guard !shared.isEmpty else { return }
        for origin in origins where origin.column.constant?.linkedKeys.isEmpty != true {
            try origin.origin.forEachObject { position, _ in
                let value = try origin.origin.value(origin.column, at: position)
                guard value.linkedKeys.contains(where: { shared.contains($0.value) }) else { return }
                let separated = try value.mapLinks { shared.contains($0.value) ? try copy(of: $0, in: stored) : $0 }
                try origin.origin.set(separated, in: origin.column, at: position)
            }
        }
    }

    /// A copy of an object with copies of the embedded objects that it owns; other links lead where they led.
    private func copy(of key: ObjectKey, in owner: WorkingClass) throws -> ObjectKey {
        guard let position = try owner.position(of: key.value) else { return key }
        let values = try owner.columns.map { column -> Value in
            let value = try realm.visible(try owner.value(column, at: position), of: column.property)
            guard let target = column.property.objectType.flatMap({ realm[$0] }), target.kind == .embedded
            else { return value }
            return try value.mapLinks { try copy(of: $0, in: target) }
        }
        return try owner.create(values)
    }
}

extension Value {
    /// The value with other keys in its links.
    func mapLinks(_ transform: (ObjectKey) throws -> ObjectKey) rethrows -> Value {
        switch self {
        case .link(let key): .link(try transform(key))
        case .list(let elements): .list(try elements.map { try $0.mapLinks(transform) })
        case .dictionary(let entries):
            .dictionary(try entries.map { DictionaryEntry($0.key, try $0.value.mapLinks(transform)) })
        default: self
        }
    }

    /// Whether a mixed value holds a link to a class, at any depth.
    func links(to className: String) -> Bool {
        switch self {
        case .typedLink(let name, _): name.hasSameBytes(as: className)
        case .list(let elements): elements.contains { $0.links(to: className) }
        case .dictionary(let entries): entries.contains { $0.value.links(to: className) }
        default: false
        }
    }
}
