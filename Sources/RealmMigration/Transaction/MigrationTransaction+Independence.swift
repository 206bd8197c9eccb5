import Columns
import RealmEditing
import RealmModel

/// A transaction of a script that is held to `independent`, and a share's part of it.
extension MigrationTransaction {
    /// Whether the script is held to it.
    public var isIndependent: Bool { share != nil }

    /// Refuses an enumeration of a class that is not declared.
    func requireIndependent(_ className: String) throws(MigrationError) {
        guard isIndependent, !migration.isIndependent(className) else { return }
        var error = MigrationError.notIndependent(
            "it enumerates class '\(className)', which `independent` does not name")
        if let hint = hintOfUnknownClass { error.details = [ProblemItem(error.message, hint: hint)] }
        throw error
    }

    /// The first name of `independent` that no schema has, and the nearest that one has.
    private var hintOfUnknownClass: String? {
        let names = (oldSchema.classes + newSchema.classes).map(\.name) + migration.classRenames.map(\.from)
        guard
            let unknown = migration.independent.first(where: { name in !names.contains { $0.hasSameBytes(as: name) } })
        else { return nil }
        let question = NearestName.question(unknown, among: names).map { " " + $0 } ?? ""
        return "It names '\(unknown)', and no schema has such a class.\(question)"
    }

    /// Refuses an operation that no independent script has.
    func refuseIndependent(_ what: String) throws(MigrationError) {
        guard !isIndependent else { throw .notIndependent(what) }
    }

    /// Refuses what an operation has done to other objects on the way.
    func refuseOthers() throws(MigrationError) {
        guard isIndependent else { return }
        if createdCount > 0 { throw .notIndependent("it creates objects") }
        if hasDeleted { throw .notIndependent("it deletes objects") }
    }

    /// Refuses what can't be the doing of independent callbacks, whatever the script was told of it.
    func requireIndependence() throws(MigrationError) {
        try refuseOthers()
        guard isIndependent,
            let changed = new.realm.classes.first(where: { $0.isModified && !migration.isIndependent($0.name) })
        else { return }
        throw .notIndependent("it changes objects of class '\(changed.name)'")
    }

    /// Takes the columns that the shares of the migration have made.
    ///
    /// - Parameter shares: the realms that the shares' scripts left, all of them in order, on the store of this transaction.
    /// - Throws: `MigrationError` where they don't fit the realm; what the store throws.
    func take(_ shares: [Snapshot]) throws {
        for (index, snapshot) in shares.enumerated() {
            let share = MigrationShare(index, of: shares.count)
            guard snapshot.classes.count == new.realm.classes.count else { throw Self.misfit }
            for (stored, made) in zip(new.realm.classes, snapshot.classes) {
                let groups = try stored.groups().count
                let taken = migration.isIndependent(stored.name) ? share.rowGroups(of: groups) : 0..<0
                guard try stored.take(made, groups: taken) else { throw Self.misfit }
            }
        }
        new.unbind()
    }

    private static let misfit = MigrationError(nil, "A share of the migration is of another realm.", script: .crash)
}

extension MigrationError {
    /// The refusal of what an independent callback may not do.
    ///
    /// - Parameter what: a clause about the script.
    static func notIndependent(_ what: String) -> MigrationError {
        MigrationError(
            nil, "The migration declares `independent`, which the script is not: \(what).", script: .notIndependent)
    }
}
