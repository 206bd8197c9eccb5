import Columns
import Postgres
import RealmModel
import RealmSync
import StoreCore
import SnapshotStore

extension JobStore.Partners {
    /// Makes a snapshot that has both sides the realm's current one, and with it the partner and the job that fills it.
    ///
    /// - Returns: the partner, and the job, which is to be announced once the draft is there.
    /// - Throws: what `ChangeDraft.commit` throws; `StoreError.partnerActive`.
    package func make(
        _ definition: PartnerDefinition, fill: Partner.Fill, in snapshot: Snapshot, delta: SnapshotDelta?,
        by draft: ChangeDraft
    ) throws -> (partner: RealmModel.UUID, job: Job) {
        var made: (partner: RealmModel.UUID, job: Job)?
        _ = try draft.commit(
            snapshot, delta: delta, alongside: { made = try Self.insert(definition, fill, $0, $1) })
        guard let made else { throw StoreError.damaged("a partner that was made") }
        return made
    }

    private static func insert(
        _ definition: PartnerDefinition, _ fill: Partner.Fill, _ realm: Realm, _ connection: PostgresConnection
    ) throws -> (partner: RealmModel.UUID, job: Job) {
        let id = RealmModel.UUID.version7()
        let functions = Partner.Functions(forward: definition.forward, backward: definition.backward)
        let made = try connection.execute(
            """
            INSERT INTO partner (app_id, partner_id, realm_id, class_name, property, partner, functions, cut_over_after,
                fill_end, total_count)
            VALUES (\(realm.appID), \(id), \(realm.id), \(definition.className), \(definition.property),
                \(SchemaColumn.encode(Schema([definition.partner]))), \(try StoredJSON.encode(functions)),
                \(definition.cutOverAfterSeconds), \(Int(fill.end)), \(fill.total))
            ON CONFLICT (app_id, realm_id, class_name) WHERE state IN ('preparing', 'dual', 'cutOver') DO NOTHING
            """)
        guard made == 1 else { throw StoreError.partnerActive(className: definition.className) }
        let order = PartnerBackfillOrder(partner: id, realm: realm.name, realmID: realm.id)
        let job = try order.insert(NewJob(app: realm.app, parent: nil), connection)
        try connection.execute(
            "UPDATE partner SET job_id = \(job.id) WHERE app_id = \(realm.appID) AND partner_id = \(id)")
        return (id, job)
    }
}
