import RealmModel

extension WorkingRealm {
    /// Deletes an object and, with it, the embedded objects that it owns.
    ///
    /// - Parameter withOwner: whether it is an embedded object that goes with the one link to it.
    package func delete(_ key: Int64, from stored: WorkingClass, withOwner: Bool = false) throws {
        guard let position = try stored.position(of: key) else { return }
        for (column, target) in embeddedColumns(of: stored) {
            for child in try stored.value(column, at: position).linkedKeys {
                try delete(child.value, from: target, withOwner: true)
            }
        }
        try stored.delete(at: position, leavesLinks: !withOwner)
        noteDeletions(1)
    }

    /// Deletes all objects of a class and the embedded objects that they own.
    package func deleteAll(of stored: WorkingClass) throws {
        for (column, target) in embeddedColumns(of: stored) where column.constant?.linkedKeys.isEmpty != true {
            try stored.forEachObject { position, _ in
                for child in try stored.value(column, at: position).linkedKeys { try delete(child.value, from: target) }
            }
        }
        noteDeletions(stored.objectCount)
        stored.deleteAll()
    }

    /// The columns whose links are owned, with the class that they lead to.
    func embeddedColumns(of stored: WorkingClass) -> [(WorkingColumn, WorkingClass)] {
        stored.columns.compactMap { column in
            guard let target = column.property.objectType.flatMap({ self[$0] }), target.kind == .embedded else {
                return nil
            }
            return (column, target)
        }
    }
}
