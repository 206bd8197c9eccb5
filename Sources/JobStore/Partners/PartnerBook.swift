import Columns
import Postgres
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore

/// An entry about a partner, stored in the transaction that makes a snapshot.
public enum PartnerBook: Sendable {
    /// The other side was written.
    case write(Partner, PartnerEffects)
    /// A part of the objects was gone through.
    case fill(Partner, PartnerEffects, to: Partner.Fill)
    /// Something happened to it; the snapshot is what follows from that.
    case move(Partner, PartnerState.Event)
    /// One of its sides leaves the schema: a class, or a class with the properties that leave, as they were declared.
    case end(Partner, PartnerState.Event, leaving: ObjectSchema)
}

extension ChangeDraft {
    /// Makes what was changed the realm's current snapshot, and writes books of partners in the same transaction.
    ///
    /// - Throws: as `commit` without books; `StoreError.realmChanged` where a partner's state is another one meanwhile.
    public func commit(
        _ snapshot: Snapshot, delta: SnapshotDelta?, books: [PartnerBook], replaying batch: ReplayedBatch? = nil,
        rebasing rebase: (Snapshot) throws -> Snapshot? = { _ in nil }
    ) throws -> SnapshotInfo {
        try commit(snapshot, delta: delta, replaying: batch, rebasing: rebase) { realm, connection in
            for book in books { try book.write(to: realm, connection) }
        }
    }
}

extension PartnerBook {
    /// Writes it down; the caller holds the realm's lock.
    ///
    /// - Throws: `StoreError.realmChanged` where the partner's state is another one meanwhile.
    func write(to realm: Realm, _ connection: PostgresConnection) throws {
        switch self {
        case .write(let partner, let effects):
            let hasNotes = try Self.require(partner, connection)
            try Self.record(effects, of: partner, replacing: hasNotes, connection)
            // Once every object has its partner, nobody asks which had it early, or what clients gave it.
            guard partner.state == .preparing else { return }
            try Self.noteGiven(effects, of: partner, replacing: hasNotes, connection)
            guard partner.fill.pass == .objects else { return }
            let early = effects.written.filter { $0 > partner.fill.key && $0 <= partner.fill.end }.sorted()
            guard !early.isEmpty else { return }
            try connection.execute(
                """
                INSERT INTO partner_object (app_id, partner_id, kind, object_key)
                SELECT \(partner.appID), \(partner.id), 'written', key FROM unnest(\(Self.keys(early))) AS key
                ON CONFLICT DO NOTHING
                """)
        case .fill(let partner, let effects, let fill):
            let hasNotes = try Self.require(partner, connection)
            // Nothing was found of an object that gets its partner now.
            try Self.record(
                effects, of: partner, replacing: hasNotes && partner.fill.pass == .links, connection)
            let moved = try connection.execute(
                """
                UPDATE partner SET pass = \(fill.pass.rawValue), filled_to = \(Int(fill.key)),
                    fill_end = \(Int(fill.end)), filled_count = \(fill.done), total_count = \(fill.total)
                WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND state = 'preparing'
                    AND pass = \(partner.fill.pass.rawValue) AND filled_to = \(Int(partner.fill.key))
                """)
            guard moved == 1 else { throw StoreError.realmChanged }
            guard hasNotes else { return }
            // The pass of links comes by all objects again.
            let (kind, end) = partner.fill.pass == .links ? ("given", fill.key) : ("written", fill.key)
            try connection.execute(
                """
                DELETE FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind = \(kind) AND object_key <= \(Int(fill.pass == partner.fill.pass ? end : Int64.max))
                """)
        case .move(let partner, let event):
            try Self.move(partner, event, connection)
        case .end(let partner, let event, let side):
            try Self.move(partner, event, connection)
            try Self.retire(side, of: partner, from: realm, connection)
            try SnapshotStore.Recoveries.begin(for: realm, connection)
        }
    }

    /// Checks the partner's state; everyone who changes it holds the realm's lock, too.
    ///
    /// - Returns: whether anything is noted of any object, which mostly nothing is.
    private static func require(_ partner: Partner, _ connection: PostgresConnection) throws -> Bool {
        let found = try connection.query(
            """
            SELECT EXISTS (
                SELECT FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
            ) AS has_notes
            FROM partner WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                AND state = \(partner.state.rawValue)
            """)
        guard let row = found.first else { throw StoreError.realmChanged }
        return try row.value("has_notes")
    }

    static func move(_ partner: Partner, _ event: PartnerState.Event, _ connection: PostgresConnection) throws {
        let next: PartnerState
        do {
            next = try partner.state.after(event)
        } catch {
            throw StoreError.partnerState(partner.state, nil)
        }
        let moved = try connection.execute(
            """
            UPDATE partner SET state = \(next.rawValue),
                dual_at = CASE WHEN \(next.rawValue) = 'dual' THEN now() ELSE dual_at END
            WHERE app_id = \(partner.appID) AND partner_id = \(partner.id) AND state = \(partner.state.rawValue)
            """)
        guard moved == 1 else { throw StoreError.realmChanged }
        guard event == .filled || event == .abort else { return }
        try connection.execute(
            """
            DELETE FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                AND kind IN ('written', 'given')
            """)
    }

    /// Remembers the side that has left the schema: clients that know it have to start over.
    private static func retire(
        _ side: ObjectSchema, of partner: Partner, from realm: Realm, _ connection: PostgresConnection
    ) throws {
        // The sides that were read before the lock are there still.
        var retired = realm.sync?.retired ?? Schema()
        let properties = partner.definition.property == nil ? [] : side.properties
        if let index = retired.classes.firstIndex(where: { $0.name.hasSameBytes(as: side.name) }) {
            retired.classes[index].properties += properties
        } else {
            retired.classes.append(ObjectSchema(side.name, properties: properties))
        }
        try connection.execute(
            """
            UPDATE realm SET retired = \(SchemaColumn.encode(retired))
            WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
            """)
        try connection.execute(
            """
            UPDATE partner SET retired = \(SchemaColumn.encode(Schema([side]))), ended_at = clock_timestamp()
            WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
            """)
    }

    /// Writes down what was found of the objects that were looked at, in the place of what there may be of them.
    private static func record(
        _ effects: PartnerEffects, of partner: Partner, replacing mayHaveFindings: Bool,
        _ connection: PostgresConnection
    ) throws {
        if mayHaveFindings, !effects.examined.isEmpty {
            try connection.execute(
                """
                DELETE FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind IN ('violation', 'divergence') AND object_key = ANY(\(keys(effects.examined.sorted())))
                """)
        }
        guard !effects.findings.isEmpty else { return }
        func bytes(_ value: Value) -> PostgresBytes {
            var writer = ByteWriter()
            ValueCoding.encode(value, into: &writer)
            return PostgresBytes(writer.bytes)
        }
        let findings = effects.findings
        try connection.execute(
            """
            INSERT INTO partner_object (app_id, partner_id, kind, object_key, primary_key, before, after, reason)
            SELECT \(partner.appID), \(partner.id), found.kind, found.key, found.primary_key, found.before, found.after,
                nullif(found.reason, '')
            FROM unnest(\(PostgresArray(findings.map(\.kind.rawValue))), \(keys(findings.map(\.key))),
                \(PostgresArray(findings.map { bytes($0.primaryKey) })), \(PostgresArray(findings.map { bytes($0.before) })),
                \(PostgresArray(findings.map { bytes($0.after) })), \(PostgresArray(findings.map { text($0.reason) })))
                AS found (kind, key, primary_key, before, after, reason)
            ON CONFLICT (app_id, partner_id, kind, object_key) DO NOTHING
            """)
    }

    /// Writes down which properties of partners clients gave themselves, beside what they gave before.
    private static func noteGiven(
        _ effects: PartnerEffects, of partner: Partner, replacing mayHaveNotes: Bool, _ connection: PostgresConnection
    ) throws {
        if mayHaveNotes, !effects.forwarded.isEmpty {
            try connection.execute(
                """
                DELETE FROM partner_object WHERE app_id = \(partner.appID) AND partner_id = \(partner.id)
                    AND kind = 'given' AND object_key = ANY(\(keys(effects.forwarded.sorted())))
                """)
        }
        let given = effects.givenProperties.flatMap { key, names in names.map { (key, $0.name) } }
        guard !given.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO partner_object AS o (app_id, partner_id, kind, object_key, properties)
            SELECT \(partner.appID), \(partner.id), 'given', key, array_agg(name)
            FROM unnest(\(keys(given.map(\.0))), \(PostgresArray(given.map(\.1)))) AS given (key, name) GROUP BY key
            ON CONFLICT (app_id, partner_id, kind, object_key)
                DO UPDATE SET properties = o.properties || excluded.properties
            """)
    }

    /// A reason as PostgreSQL holds it, which has no U+0000.
    private static func text(_ reason: String?) -> String {
        (reason ?? "").bounded().replacing("\u{0}", with: "\u{fffd}")
    }

    private static func keys(_ keys: [Int64]) -> PostgresArray<Int> { PostgresArray(keys.map { Int($0) }) }
}
