import HTTPServer
import MigrationJobs
import RealmJSON
import RealmModel
import SnapshotStore

/// `…/sync/terminate` and `…/sync/enable`, and what clients of the schema before had not sent: `…/recoveries`.
struct RecoveryResource: Sendable {
    let store: SnapshotStore
    /// Writes the other sides of what is changed.
    let partners: PartnerWriter

    var routes: [APIRoute] {
        let realm = "/v1/apps/{app}/realms/{realm}"
        let recovery = "\(realm)/recoveries/{recovery}"
        return [
            APIRoute(
                "POST", "\(realm)/sync/terminate", "terminateSync", requires: .migrate, tokens: .realm, query: [],
                body: .json
            ) {
                request in
                let (app, realm) = (try request.app(), try request.realm())
                try JSONBody.requireNone(request)
                return .json(json(try store.realms.terminateSync(of: realm, in: app, where: condition(request))))
            },
            APIRoute(
                "POST", "\(realm)/sync/enable", "enableSync", requires: .migrate, tokens: .realm, query: [], body: .json
            ) {
                request in
                let (app, realm) = (try request.app(), try request.realm())
                let body = try JSONBody(try JSONBody.document(of: request), members: ["schema"])
                _ = try body.required("schema")
                let schema = try body.schema("schema") ?? Schema()
                return .json(
                    json(try SyncedSchemas(store).enable(schema, realm: realm, app: app, where: condition(request))))
            },
            APIRoute("GET", recovery, "getRecovery", requires: .read, tokens: .realm, query: ["after"], respond: show),
            APIRoute(
                "POST", "\(recovery)/changes", "keepChanges", requires: .write, tokens: .realm, query: [], body: .json,
                respond: keep),
            APIRoute(
                "POST", "\(recovery)/replay", "replayRecovery", requires: .write, tokens: .realm, query: [],
                body: .json,
                respond: replay),
        ]
    }

    private func json(_ realm: Realm) -> JSONValue { realm.json(unsyncedLimit: store.unsyncedLimit) }

    private func condition(_ request: APIRequest) -> RealmCondition? {
        request.realmCondition(unsyncedLimit: store.unsyncedLimit)
    }

    // MARK: Keeping

    private func keep(_ request: APIRequest) throws -> HTTPResponse {
        let (realm, recovery) = try find(request)
        let document = try JSONBody.document(of: request)
        let version = try request.requiredClientVersion()
        let declared = try declared(version, of: realm.app)
        let changes = try UnsentChanges(document, declared)
        let batch = try store.recoveries.append(
            document.encoded(), version: version, to: recovery.id, of: realm)
        return .json(
            [
                "recovery": recovery.id.json, "ordinal": .int(Int64(batch.ordinal)),
                "upserts": .int(Int64(changes.upserts.count)), "deletes": .int(Int64(changes.deletes.count)),
            ], status: 201)
    }

    private func declared(_ version: UInt64, of app: String) throws -> Schema {
        do {
            return try store.schemaVersions.find(version, of: app).schema
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.clientVersionUnknown(version)
        }
    }

    // MARK: Showing

    private func show(_ request: APIRequest) throws -> HTTPResponse {
        let after = try request.head.queryValue("after").map { text in
            guard let ordinal = Int(text), ordinal >= 0 else {
                throw APIError.invalidParameter(name: "after", message: "has to be the ordinal of a batch.")
            }
            return ordinal
        }
        let (realm, recovery) = try find(request)
        let batches = try store.recoveries.batches(of: recovery.id, of: realm, after: after ?? 0)
        let opened = try store.snapshots.openCurrent(of: realm.name, in: realm.app)
        let current = ObjectJSON(opened.snapshot, from: opened.store)
        return .json([
            "id": recovery.id.json, "realm": .string(realm.name), "createdAt": recovery.createdAt.json,
            "snapshot": recovery.snapshot.json, "currentSnapshot": opened.info.id.json,
            "batches": .array(try batches.map { try json($0, realm.app, opened.snapshot.declared, current) }),
        ])
    }

    /// A batch: each object as it was sent, beside what it is now.
    private func json(
        _ batch: RecoveryBatch, _ app: String, _ server: Schema, _ current: ObjectJSON
    ) throws -> JSONValue {
        let changes = try UnsentChanges(
            try JSONValue.parse(batch.changes), try declared(batch.version, of: app))
        let objects = changes.upserts + changes.deletes
        return [
            "ordinal": .int(Int64(batch.ordinal)), "schemaVersion": JSONValue(batch.version),
            "createdAt": batch.createdAt.json, "replayedAt": batch.replayedAt?.json ?? .null,
            "objects": .array(
                try objects.map { change in
                    [
                        "class": .string(change.className), "key": change.key, "sent": change.object,
                        "current": try object(change.key, of: change.className, server, current),
                    ]
                }),
        ]
    }

    private func object(
        _ key: JSONValue, of className: String, _ server: Schema, _ current: ObjectJSON
    ) throws -> JSONValue {
        guard let declared = server[className], !declared.isEmbedded, let property = declared.primaryKeyProperty,
            let value = try? key.value(of: property, at: "/key"),  // A key of another type names no object.
            let bytes = try current.object(primaryKey: value, ofClass: className)
        else { return .null }
        return try JSONValue.parse(bytes)
    }

    // MARK: Replaying

    private func replay(_ request: APIRequest) throws -> HTTPResponse {
        let (realm, recovery) = try find(request)
        try JSONBody.requireNone(request)
        var replay = RecoveryReplay(store: store, realm: realm, recovery: recovery, partners: partners)
        try replay.run { try request.requireSync(of: $0, in: store) }
        let current = try store.realms.find(realm.name, in: realm.app).currentSnapshot
        return .json([
            "currentSnapshot": current?.json ?? .null, "applied": .int(Int64(replay.applied)),
            "leftOut": .array(replay.leftOut.map(\.json)),
        ])
    }

    /// The realm of the path, and the recovery.
    func find(_ request: APIRequest) throws -> (Realm, Recovery) {
        let (app, name) = (try request.app(), try request.realm())
        let realm = try store.realms.find(name, in: app)
        guard let id = RealmModel.UUID(request.parameter("recovery")) else {
            throw StoreError.notFound(.recovery, request.parameter("recovery"))
        }
        return (realm, try store.recoveries.find(id, of: name, in: app))
    }
}

/// Changes of a client of an old schema, as far as they have to be understood to be kept and shown.
struct UnsentChanges {
    struct Change {
        let className: String
        let key: JSONValue
        /// The object as it was sent; null of one that was deleted.
        let object: JSONValue
    }

    private(set) var upserts: [Change] = []
    private(set) var deletes: [Change] = []

    /// Reads a batch: its objects are of classes that the client's version declares, and have a primary key.
    init(_ document: JSONValue, _ declared: Schema) throws {
        let body = try JSONBody(document, members: ["upserts", "deletes", "base"])
        for (index, element) in (try body.array("upserts") ?? []).enumerated() {
            let upsert = try JSONBody(
                element, "An upsert", at: "/upserts/\(index)", members: ["class", "object"])
            let (name, primaryKey) = try Self.named(upsert, declared)
            let object = try upsert.required("object")
            guard let key = object[primaryKey], object.members != nil else {
                throw upsert.invalid("object", "The object needs its primary key “\(primaryKey)”.")
            }
            upserts.append(Change(className: name, key: key, object: object))
        }
        for (index, element) in (try body.array("deletes") ?? []).enumerated() {
            let delete = try JSONBody(element, "A delete", at: "/deletes/\(index)", members: ["class", "key"])
            let (name, _) = try Self.named(delete, declared)
            deletes.append(Change(className: name, key: try delete.required("key"), object: .null))
        }
    }

    /// The class that a change names, and the public name of its primary key.
    private static func named(_ change: JSONBody, _ declared: Schema) throws -> (String, String) {
        let name = try change.requiredString("class")
        guard let found = declared[name], let primaryKey = found.primaryKeyProperty, !found.isEmbedded else {
            throw change.invalid("class", "The client's schema version declares no class “\(name)” with a primary key.")
        }
        return (name, primaryKey.publicName)
    }
}
