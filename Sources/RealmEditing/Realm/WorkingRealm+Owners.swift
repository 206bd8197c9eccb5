import Columns
import RealmModel

/// Who links to what: found by reading what may link, since nothing else knows.
extension WorkingRealm {
    /// Objects of a class, which is not embedded.
    package struct Owners: Hashable {
        /// The class.
        package let className: String
        /// The objects' keys.
        package let keys: Set<Int64>
    }

    /// Clears the links to what was deleted, where changes are kept as patches.
    ///
    /// - Returns: whose links those were, of all that were cleared since the last call: their own, or those of objects embedded in
    ///   them.
    package func clearLinksToDeleted() throws -> [Owners] {
        try clearLinksCellByCell()
        let changed = classes.filter { !$0.clearedKeys.isEmpty }.map { (stored: $0, keys: $0.clearedKeys) }
        for stored in classes { stored.clearedKeys = [] }
        return try owners(of: changed)
    }

    /// The objects that link to some objects of a class, or have embedded ones that do.
    package func owners(linkingTo keys: Set<Int64>, of className: String) throws -> [Owners] {
        guard !keys.isEmpty else { return [] }
        var linking: [(stored: WorkingClass, keys: Set<Int64>)] = []
        for stored in classes {
            for column in stored.columns {
                let isLink = column.property.objectType.hasSameBytes(as: className)
                guard isLink || column.property.type == .mixed else { continue }
                let found = try self.keys(in: column, of: stored, linkingTo: keys) {
                    isLink || $0.linksTo(keys, of: className)
                }
                if !found.isEmpty { linking.append((stored, found)) }
            }
        }
        return try owners(of: linking)
    }

    /// Objects, and in the place of embedded ones those that own them, who may be embedded themselves.
    private func owners(of objects: [(stored: WorkingClass, keys: Set<Int64>)]) throws -> [Owners] {
        var rest = objects
        var owners: [Owners] = []
        while let (target, keys) = rest.popLast() {
            guard target.kind == .embedded else {
                owners.append(Owners(className: target.name, keys: keys))
                continue
            }
            for stored in classes {
                for column in stored.columns where column.property.objectType.hasSameBytes(as: target.name) {
                    let found = try self.keys(in: column, of: stored, linkingTo: keys) { _ in true }
                    if !found.isEmpty { rest.append((stored, found)) }
                }
            }
        }
        return owners
    }

    private func keys(
        in column: WorkingColumn, of stored: WorkingClass, linkingTo keys: Set<Int64>, where isMeant: (Value) -> Bool
    ) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for (group, rows) in try stored.groups().enumerated() {
            if try stored.constant(column, group: group)?.isNull == true { continue }
            let array = try stored.array(column, group: group)
            for row in array.rows(mayLinkTo: keys) where !rows.isDeleted(row) {
                guard try column.property.type != .mixed || isMeant(try array.value(at: row, as: column.type)) else {
                    continue
                }
                found.insert(try stored.key(at: RowPosition(group: group, row: row)))
            }
        }
        return found
    }
}

extension Value {
    /// Whether the value is, or has inside, a link to one of some objects of a class.
    fileprivate func linksTo(_ keys: Set<Int64>, of className: String) -> Bool {
        switch self {
        case .typedLink(let name, let key): name.hasSameBytes(as: className) && keys.contains(key.value)
        case .list(let elements): elements.contains { $0.linksTo(keys, of: className) }
        case .dictionary(let entries): entries.contains { $0.value.linksTo(keys, of: className) }
        default: false
        }
    }
}
