import Columns
import Postgres
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore

extension JobStore.Partners {
    /// A partner.
    ///
    /// - Throws: `StoreError.notFound` (app, realm, partner).
    public func find(_ id: RealmModel.UUID, of realm: String, in app: String) throws -> Partner {
        try pool.withConnection { connection in
            let realm = try SnapshotStore.Realms.realm(realm, in: app, connection)
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Partner.columns) FROM partner p JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE p.app_id = \(realm.appID) AND p.partner_id = \(id) AND p.realm_id = \(realm.id)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.partner, "\(id)") }
            return try Partner(row: row)
        }
    }

    /// The partners of a realm, newest first.
    ///
    /// - Throws: `StoreError.notFound` (app, realm).
    public func list(
        of realm: String, in app: String, _ page: PageRequest = PageRequest()
    ) throws -> Page<Partner> {
        let before = try Cursor.moment(.partners, page)
        return try pool.withConnection { connection in
            let realm = try SnapshotStore.Realms.realm(realm, in: app, connection)
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Partner.columns) FROM partner p JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE p.app_id = \(realm.appID) AND p.realm_id = \(realm.id)
                    AND (p.created_at, p.partner_id) < (\(before.time), \(before.id))
                ORDER BY p.created_at DESC, p.partner_id DESC LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .partners, item: Partner.init(row:)) { Cursor.key($0.createdAt, $0.id) }
        }
    }

    /// Whether a class has a partner, or is one, that is not at its end.
    ///
    /// - Parameter snapshot: of the realm.
    public func isActive(_ className: String, in snapshot: SnapshotInfo) throws -> Bool {
        let active = try pool.withConnection { try Self.active(of: snapshot.realmIdentity, $0) }
        return active.contains { partner in
            let names = [partner.definition.className, partner.definition.partner.name]
            return names.contains { $0.hasSameBytes(as: className) }
        }
    }

    /// The partners of a realm that are not at their end.
    static func active(of realm: RealmIdentity, _ connection: PostgresConnection) throws -> [Partner] {
        try partners(of: realm, "AND p.state IN ('preparing', 'dual', 'cutOver')", connection)
    }

    /// The partners of a realm of which both sides are written.
    public func writingBoth(of realm: Realm) throws -> [Partner] {
        try partners(of: realm, "AND p.state IN ('preparing', 'dual') ORDER BY p.created_at, p.partner_id")
    }

    /// The partners of a realm of which a side has left the schema and is known as it was, the one that ended first before the others.
    public func ended(of realm: Realm) throws -> [Partner] {
        try partners(
            of: realm,
            "AND p.state IN ('done', 'aborted') AND p.retired IS NOT NULL ORDER BY p.ended_at, p.partner_id")
    }

    /// All partners that a realm has or had, in the order in which they were made.
    public func all(of realm: Realm) throws -> [Partner] {
        try partners(of: realm, "ORDER BY p.created_at, p.partner_id")
    }

    /// The partners of a realm that were taken back.
    public func takenBack(of realm: Realm) throws -> [Partner] { try partners(of: realm, "AND p.state = 'aborted'") }

    private func partners(of realm: Realm, _ rest: StaticString) throws -> [Partner] {
        try pool.withConnection { try Self.partners(of: realm.identity, rest, $0) }
    }

    private static func partners(
        of realm: RealmIdentity, _ rest: StaticString, _ connection: PostgresConnection
    ) throws -> [Partner] {
        try connection.query(
            """
            SELECT \(unsafeSQL: Partner.columns) FROM partner p JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
            WHERE p.app_id = \(realm.appID) AND p.realm_id = \(realm.realmID) \(unsafeSQL: rest)
            """
        ).map(Partner.init(row:))
    }

    /// The partners whose time without an old version is over, and those whose cut-over was not brought to its end.
    public func dueForCutOver() throws -> [Partner] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT \(unsafeSQL: Partner.columns) FROM partner p JOIN realm r USING (app_id, realm_id) JOIN app a USING (app_id)
                WHERE p.state = 'cutOver' OR p.state = 'dual' AND p.cut_over_after IS NOT NULL
                    AND p.dual_at < now() - p.cut_over_after * interval '1 second'
                    AND NOT EXISTS (
                        SELECT FROM partner_version v WHERE v.app_id = p.app_id AND v.partner_id = p.partner_id
                            AND v.seen_at >= now() - p.cut_over_after * interval '1 second')
                    AND NOT EXISTS (
                        SELECT FROM partner_object o WHERE o.app_id = p.app_id AND o.partner_id = p.partner_id
                            AND o.kind = 'violation' AND NOT o.accepted)
                ORDER BY p.created_at LIMIT 100
                """
            ).map(Partner.init(row:))
        }
    }

    /// The objects that have their partners though the backfill has not come to them, of a range of keys.
    public func written(of partner: Partner, after first: Int64, upTo last: Int64) throws -> Set<Int64> {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT object_key FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind = 'written' AND object_key > \(Int(first)) AND object_key <= \(Int(last))
                """)
            return Set(try rows.map { Int64(try $0.value("object_key", as: Int.self)) })
        }
    }

    /// The properties of partners that clients gave themselves while these were prepared, by the keys of the objects, of a range.
    public func given(of partner: Partner, after first: Int64, upTo last: Int64) throws -> [Int64: Set<NameKey>] {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT object_key, properties FROM partner_object
                WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND kind = 'given'
                    AND object_key > \(Int(first)) AND object_key <= \(Int(last))
                """)
            let given = try rows.map { row in
                (
                    Int64(try row.value("object_key", as: Int.self)),
                    Set(try row.value("properties", as: PostgresArray<String>.self).elements.map { NameKey($0) })
                )
            }
            return Dictionary(uniqueKeysWithValues: given)
        }
    }

    /// Those of some objects that wait for their partners: neither the backfill nor a change has come to them.
    public func waiting(among keys: Set<Int64>, of partner: Partner) throws -> Set<Int64> {
        guard partner.state == .preparing, partner.fill.pass == .objects else { return [] }
        let ahead = keys.filter { $0 > partner.fill.key && $0 <= partner.fill.end }
        guard !ahead.isEmpty else { return [] }
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT object_key FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind = 'written' AND object_key = ANY(\(PostgresArray(ahead.map { Int($0) })))
                """)
        }
        return ahead.subtracting(try rows.map { Int64(try $0.value("object_key", as: Int.self)) })
    }

    /// Those of some objects for which a function failed, so that they have no partner.
    public func failed(among keys: Set<Int64>, of partner: Partner) throws -> Set<Int64> {
        guard !keys.isEmpty else { return [] }
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT object_key FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind = 'violation' AND reason IS NOT NULL AND object_key = ANY(\(PostgresArray(keys.map { Int($0) })))
                """)
        }
        return Set(try rows.map { Int64(try $0.value("object_key", as: Int.self)) })
    }

    /// The findings of one kind, by object key.
    public func findings(
        _ kind: PartnerFinding.Kind, of partner: Partner, _ page: PageRequest = PageRequest()
    ) throws -> Page<Partner.Finding> {
        let after = try Cursor.number(.findings, page, as: Int.self) ?? -1
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT kind, object_key, primary_key, before, after, reason, accepted FROM partner_object
                WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND kind = \(kind.rawValue)
                    AND object_key > \(after)
                ORDER BY object_key LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .findings, item: Partner.Finding.init(row:)) { "\($0.finding.key)" }
        }
    }

    /// How many findings there are.
    public func counts(of partner: Partner) throws -> Partner.Counts {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT count(*) FILTER (WHERE kind = 'violation') AS violations,
                    count(*) FILTER (WHERE kind = 'violation' AND NOT accepted) AS unaccepted,
                    count(*) FILTER (WHERE kind = 'violation' AND reason IS NOT NULL) AS failing,
                    count(*) FILTER (WHERE kind = 'divergence') AS divergent
                FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND kind IN ('violation', 'divergence')
                """)
            guard let row = rows.first else {
                return Partner.Counts(violations: 0, unaccepted: 0, failing: 0, divergent: 0)
            }
            return Partner.Counts(
                violations: try row.value("violations"), unaccepted: try row.value("unaccepted"),
                failing: try row.value("failing"), divergent: try row.value("divergent"))
        }
    }

    /// Accepts that some objects break the law.
    ///
    /// - Returns: those of the primary keys that are not among the violations.
    public func accept(_ primaryKeys: [Value], of partner: Partner) throws -> [Value] {
        try pool.withConnection { connection in
            try primaryKeys.filter { key in
                var writer = ByteWriter()
                ValueCoding.encode(key, into: &writer)
                return try connection.execute(
                    """
                    UPDATE partner_object SET accepted = true
                    WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND kind = 'violation'
                        AND primary_key = \(PostgresBytes(writer.bytes))
                    """) == 0
            }
        }
    }

    /// Terminates sync of a realm: clients neither read nor write until it is enabled again.
    ///
    /// - Throws: `StoreError.notFound` (app, realm); `realmNotSynced`; `migrationActive`, `partnerActive`; what the condition throws.
    public func terminateSync(of name: String, in app: String, where condition: RealmCondition? = nil) throws -> Realm {
        try pool.transaction { connection in
            let realm = try SnapshotStore.Realms.lock(name, in: app, connection)
            try condition?(realm)
            try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, connection)
            guard realm.kind == .synced else { throw StoreError.realmNotSynced }
            // Its sides would be of a schema that is about to go.
            if let partner = try Self.active(of: realm.identity, connection).first {
                throw StoreError.partnerActive(className: partner.definition.className)
            }
            try connection.execute(
                """
                UPDATE realm SET is_terminated = true WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                """)
            return try SnapshotStore.Realms.realm(name, in: app, connection)
        }
    }

    /// Ends the backfill: every object that was there has its partner.
    ///
    /// - Throws: `StoreError.partnerState`, `realmChanged`.
    public func filled(_ partner: Partner) throws {
        try pool.transaction { connection in
            _ = try SnapshotStore.Realms.lock(partner.realm, in: partner.app, connection)
            try PartnerBook.move(partner, .filled, connection)
        }
    }

    /// Tells that a client named a version; partners that it has not heard of remember when.
    ///
    /// The database is asked once a second at most for a realm and a version.
    public func saw(_ version: UInt64, declaring schema: Schema, by realm: Realm) throws {
        guard realm.kind == .synced, jobs.sightings.isNew(version, of: realm.identity) else { return }
        for partner in try writingBoth(of: realm) where partner.definition.isOld(schema) {
            try noteOldVersion(version, of: partner)
        }
    }

    /// Notes that a version was seen that has not heard of a partner; twice within some seconds is once.
    public func noteOldVersion(_ version: UInt64, of partner: Partner) throws {
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO partner_version AS v (app_id, partner_id, version)
                VALUES (\(partner.appID), \(partner.id), \(StoredVersion(version)))
                ON CONFLICT (app_id, partner_id, version) DO UPDATE SET seen_at = now()
                WHERE v.seen_at < now() - interval '1 second'
                """)
        }
    }

    /// The versions that were seen and have not heard of a partner, the one seen last first.
    public func oldVersions(of partner: Partner) throws -> [Partner.OldVersion] {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT version, seen_at FROM partner_version
                WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) ORDER BY seen_at DESC LIMIT 100
                """
            ).map {
                Partner.OldVersion(
                    version: try $0.value("version", as: StoredVersion.self).number, seenAt: try $0.value("seen_at"))
            }
        }
    }
}

extension Partner.Finding {
    init(row: PostgresRow) throws {
        guard let kind = PartnerFinding.Kind(rawValue: try row.value("kind")) else {
            throw StoreError.damaged("what was found of a partner")
        }
        func value(_ column: String) throws -> Value {
            do {
                return try ValueCoding.decode(try row.value(column, as: PostgresBytes.self).bytes)
            } catch is ColumnError {
                throw StoreError.damaged("what was found of a partner")
            }
        }
        self.init(
            finding: PartnerFinding(
                kind: kind, key: Int64(try row.value("object_key", as: Int.self)),
                primaryKey: try value("primary_key"), before: try value("before"), after: try value("after"),
                reason: try row.optional("reason")),
            isAccepted: try row.value("accepted"))
    }
}
