import Columns
import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Maintenance {
    /// Objects that the patches of one class of a realm speak of before they are folded into its row groups: reading the class
    /// costs little more up to there, and folding rewrites what they touch.
    public static let foldedRows = 16_384
    /// How long a process has a realm for folding to itself: one that is killed leaves it to the others after that, and one that
    /// takes longer may have done in vain what another does meanwhile, which is no harm.
    private static let turn = Duration.seconds(60)

    /// Folds the patches of that realm's current snapshot that has the most, where they are worth it and no other process does.
    ///
    /// The snapshot stays what it is, and its id; what changed meanwhile stays a patch. Other snapshots, and whoever reads the
    /// one that was, keep their row groups.
    ///
    /// - Returns: whether one was folded; nothing is left to do where not.
    public func foldPatches(atLeast rows: Int = foldedRows) throws -> Bool {
        let found = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT a.name AS app, r.name AS realm FROM realm r JOIN app a USING (app_id)
                -- The index has the realms with patches alone, and the plan can't see that the number is positive.
                WHERE r.patched_rows > 0 AND r.patched_rows >= \(max(rows, 1)) AND r.folding_until < now() ORDER BY r.patched_rows DESC LIMIT 1
                """)
        }
        guard let row = found.first else { return false }
        return try fold(try row.value("realm"), in: try row.value("app"))
    }

    /// Folds the patches of a realm's current snapshot.
    ///
    /// - Returns: false where there is nothing to fold, where another process folds it, and where the realm went or got another
    ///   history meanwhile.
    func fold(_ realm: String, in app: String) throws -> Bool {
        guard let sealed = try seal(realm, in: app) else { return false }
        let draft = PostgresSegmentStore(
            store, appID: sealed.realm.appID, realmID: sealed.realm.id, owner: .draft)
        do {
            var folded: [StoredClass: StoredClass] = [:]
            for stored in sealed.snapshot.classes where !stored.patches.isEmpty {
                folded[stored] = try stored.folded(in: draft)
            }
            try draft.flush()
            for (source, target) in folded { try draft.makeIndex(of: target, after: source) }
            let isDone = try pool.transaction { connection in
                try replace(folded, in: sealed, by: draft, connection)
            }
            if isDone { draft.didCommit() } else { draft.abandon() }
            return isDone
        } catch StoreError.notFound(.realm, _) {
            draft.abandon()
            return false
        } catch {
            draft.abandon()
            throw error
        }
    }

    /// A realm whose patches are kept apart from later ones.
    private struct Sealed {
        let realm: Realm
        let snapshot: Snapshot
    }

    /// Takes the turn, and marks the patches that there are now, so that what changes from now on is not put together with them.
    private func seal(_ realm: String, in app: String) throws -> Sealed? {
        try pool.transaction { connection in
            let locked = try SnapshotStore.Realms.lock(realm, in: app, connection)
            guard let current = locked.currentSnapshot else { return nil }
            var snapshot = try SnapshotStore.Snapshots.manifest(of: current, in: locked.appID, connection)
            for index in snapshot.classes.indices {
                for patch in snapshot.classes[index].patches.indices {
                    snapshot.classes[index].patches[patch].isSealed = true
                }
            }
            guard snapshot.patchedRows > 0 else { return nil }
            let taken = try connection.execute(
                """
                UPDATE realm SET folding_until = now() + \(Self.turn.inSeconds) * interval '1 second'
                WHERE app_id = \(locked.appID) AND realm_id = \(locked.id) AND folding_until < now()
                """)
            guard taken == 1 else { return nil }
            try SnapshotStore.Snapshots.represent(current, as: snapshot, of: locked, connection)
            return Sealed(realm: locked, snapshot: snapshot)
        }
    }

    /// Puts row groups in the place of what was folded into them, in whatever snapshot is current now, and ends the turn.
    private func replace(
        _ folded: [StoredClass: StoredClass], in sealed: Sealed, by draft: PostgresSegmentStore,
        _ connection: PostgresConnection
    ) throws -> Bool {
        let locked = try SnapshotStore.Realms.lock(sealed.realm.name, in: sealed.realm.app, connection)
        guard locked.id == sealed.realm.id, let current = locked.currentSnapshot else { return false }
        // A realm that can't be folded keeps its turn until it is over: others come before it is tried again.
        try connection.execute(
            """
            UPDATE realm SET folding_until = '-infinity'
            WHERE app_id = \(locked.appID) AND realm_id = \(locked.id)
            """)
        var snapshot = try SnapshotStore.Snapshots.manifest(of: current, in: locked.appID, connection)
        let before = SnapshotReferences(snapshot)
        var isFolded = false
        for (source, target) in folded {
            guard
                let index = snapshot.classes.firstIndex(where: {
                    $0.schema.name.hasSameBytes(as: source.schema.name)
                }), snapshot.classes[index].rebase(from: source, onto: target)
            else { continue }
            isFolded = true
        }
        guard isFolded else { return false }
        try draft.commitBatch(to: locked, connection)
        try SnapshotStore.Snapshots.represent(current, as: snapshot, of: locked, connection)
        // Segments that only the representation before named are garbage, where no other snapshot names them.
        try connection.execute(
            """
            UPDATE segment_batch SET garbage_since = now()
            WHERE app_id = \(locked.appID) AND batch_id = ANY(\(Array(Set(before.columns + before.segments)).batches))
                AND state = 'committed' AND garbage_since IS NULL
            """)
        return true
    }
}

extension Snapshot {
    /// The objects that the patches of a class speak of, of the class that has the most.
    var patchedRows: Int { classes.lazy.map { $0.patches.reduce(0) { $0 + $1.rowCount } }.max() ?? 0 }
}

extension StoredClass {
    /// Puts the row groups of a class without patches under a later state of it.
    ///
    /// - Parameters:
    ///   - source: the class as it was folded.
    ///   - target: what became of that.
    /// - Returns: false, and nothing changed, where the class did not come of `source` by patches and added properties alone.
    fileprivate mutating func rebase(from source: StoredClass, onto target: StoredClass) -> Bool {
        guard rowGroups == source.rowGroups, keys == source.keys, patches.starts(with: source.patches) else {
            return false
        }
        var rebased = columns
        for (index, property) in schema.properties.enumerated() {
            guard
                let old = source.schema.index(ofProperty: property.name)
            else {
                // Added since: the same in every object that was folded.
                guard case .constant = columns[index] else { return false }
                continue
            }
            guard columns[index] == source.columns[old],
                ColumnType(property) == ColumnType(source.schema.properties[old])
            else { return false }
            rebased[index] = target.columns[old]
        }
        guard source.schema.properties.allSatisfy({ schema.property(named: $0.name) != nil }) else { return false }
        rowGroups = target.rowGroups
        keys = target.keys
        columns = rebased
        patches.removeFirst(source.patches.count)
        return true
    }
}
