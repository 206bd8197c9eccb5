import HTTPServer
import JobStore
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// `…/sync/terminate` and `…/sync/enable`, and what clients of the schema before had not sent: `…/recoveries`.
struct RecoveryResource: Sendable {
    let jobs: JobStore
    /// Writes the other sides of what is changed.
    let partners: PartnerWriter

    private var store: SnapshotStore { jobs.store }

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
                return .json(json(try jobs.partners.terminateSync(of: realm, in: app, where: condition(request))))
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
        let current = CurrentObjects(
            opened: opened, objects: ObjectJSON(opened.snapshot, from: opened.store), partners: partners,
            sides: try partners.retiredSides(of: realm, in: opened))
        return .json([
            "id": recovery.id.json, "realm": .string(realm.name), "createdAt": recovery.createdAt.json,
            "snapshot": recovery.snapshot.json, "currentSnapshot": opened.info.id.json,
            "batches": .array(try batches.map { try json($0, realm.app, current) }),
        ])
    }

    /// A batch: each object as it was sent, beside what it is now.
    private func json(_ batch: RecoveryBatch, _ app: String, _ current: CurrentObjects) throws -> JSONValue {
        let changes = try UnsentChanges(
            try JSONValue.parse(batch.changes), try declared(batch.version, of: app))
        let objects = changes.upserts + changes.deletes
        let now = try current.find(objects)
        return [
            "ordinal": .int(Int64(batch.ordinal)), "schemaVersion": JSONValue(batch.version),
            "createdAt": batch.createdAt.json, "replayedAt": batch.replayedAt?.json ?? .null,
            "leftOut": try batch.leftOut.map { try JSONValue.parse($0) } ?? .null,
            "objects": .array(
                zip(objects, now).map { change, now in
                    [
                        "class": .string(change.className), "key": change.key, "sent": change.object,
                        "current": now.object, "currentClass": now.className.map { .string($0) } ?? .null,
                    ]
                }),
        ]
    }

    // MARK: Replaying

    private func replay(_ request: APIRequest) throws -> HTTPResponse {
        let (realm, recovery) = try find(request)
        try JSONBody.requireNone(request)
        var replay = RecoveryReplay(recovery, of: realm, in: store, partners: partners) {
            try UnsentChanges(try JSONValue.parse($0), $1)
        }
        try replay.run { try request.requireSync(of: $0, in: store) }
        let current = try store.realms.find(realm.name, in: realm.app).currentSnapshot
        // With those of earlier replays: a client that lost their answers asks again.
        let leftOut = try store.recoveries.leftOut(of: recovery.id, of: realm).flatMap { ordinal, leftOut in
            (try JSONValue.parse(leftOut).elements ?? []).map {
                $0.adding([JSONMember("ordinal", .int(Int64(ordinal)))])
            }
        }
        return .json([
            "currentSnapshot": current?.json ?? .null, "applied": .int(Int64(replay.applied)),
            "leftOut": .array(leftOut),
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

/// The objects of a realm as they are now, found by what clients of an earlier schema call them.
private struct CurrentObjects {
    let opened: OpenSnapshot
    let objects: ObjectJSON
    let partners: PartnerWriter
    let sides: RetiredSides

    /// Finds objects; where their class has left the schema, those that stand in for them.
    ///
    /// - Returns: one a change, null where there is none; and its class.
    func find(_ changes: [UnsentChanges.Change]) throws -> [(object: JSONValue, className: String?)] {
        var found = [(object: JSONValue, className: String?)](repeating: (.null, nil), count: changes.count)
        for (className, places) in Dictionary(grouping: changes.indices, by: { changes[$0].className }) {
            guard let property = sides.schema[className]?.primaryKeyProperty else { continue }
            // A key of another type names no object.
            let named = places.compactMap { place in
                (try? changes[place].key.value(of: property, at: "/key")).map { (place, $0) }
            }
            let now = try partners.standing(for: named.map(\.1), of: className, sides, in: opened)
            guard let declared = opened.snapshot.declared[now.className], !declared.isEmbedded else { continue }
            for ((place, _), key) in zip(named, now.primaryKeys) {
                guard let key, let bytes = try objects.object(primaryKey: key, ofClass: now.className) else { continue }
                found[place] = (try JSONValue.parse(bytes), now.className)
            }
        }
        return found
    }
}

extension UnsentChanges {
    /// Reads a batch: its objects are of classes that the client's version declares, and have a primary key.
    init(_ document: JSONValue, _ declared: Schema) throws {
        let body = try JSONBody(document, members: ["upserts", "deletes", "base"])
        var (upserts, deletes): ([Change], [Change]) = ([], [])
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
        self.init(upserts: upserts, deletes: deletes)
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
