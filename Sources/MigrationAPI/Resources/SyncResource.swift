import HTTPServer
import MigrationJobs
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// The objects that clients of a synced realm lack, and the schema that it gets from them: `…/unsynced`, `…/backfills`,
/// `…/model`.
struct SyncResource: Sendable {
    let store: SnapshotStore
    let queue: JobQueue
    let waiting: JobWaiting

    var routes: [APIRoute] {
        let realm = "/v1/apps/{app}/realms/{realm}"
        return [
            APIRoute(
                "GET", "\(realm)/unsynced", "listUnsynced", requires: .read, tokens: .realm, query: .page,
                respond: unsynced),
            APIRoute(
                "POST", "\(realm)/backfills", "startBackfill", requires: .migrate, tokens: .realm, query: [],
                body: .json,
                answering: .patiently(backfill)),
            APIRoute(
                "POST", "\(realm)/model", "takeModel", requires: .write, tokens: .realm, query: [], body: .json,
                respond: model),
        ]
    }

    // MARK: Unsynced objects

    private func unsynced(_ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        let place = try page.cursor.map { cursor in
            guard let place = UnsyncedCursor.decode(cursor) else { throw StoreError.invalidCursor }
            return place
        }
        let opened = try store.snapshots.openCurrent(of: request.realm(), in: request.app())
        // One more than asked for tells whether there is a next page.
        let found = try UnsyncedObject.list(
            in: opened.snapshot, from: opened.store, after: place, limit: page.limit + 1)
        let items = Array(found.prefix(page.limit))
        let next = found.count > page.limit ? items.last.map(UnsyncedCursor.encode) : nil
        return .json([
            "count": .int(Int64(opened.snapshot.unsyncedCount)), "items": .array(items.map(\.json)),
            "next": next.map { .string($0) } ?? .null,
        ])
    }

    // MARK: Backfills

    private func backfill(_ request: APIRequest) throws -> APIAnswer {
        let (app, realm) = (try request.app(), try request.realm())
        let body = try JSONBody(
            try JSONBody.document(of: request), members: ["class", "property", "value", "script"])
        let (value, script) = (body.member("value"), try body.script("script"))
        let fill: BackfillRequest.Fill
        switch (value, script) {
        case (let value?, nil): fill = .value(value)
        case (nil, let script?): fill = .script(script)
        default: throw body.invalid("value", "Either value or script has to be given.")
        }
        let wanted = BackfillRequest(
            className: try body.requiredString("class"), property: try body.requiredString("property"), fill: fill)
        let job = try queue.asked(by: request).enqueue(
            wanted, realm: realm, app: app, where: request.realmCondition(unsyncedLimit: store.unsyncedLimit))
        return try waiting.answer(request, job: job.id) { latest, fields in
            var fields = fields
            fields["Location"] = latest.location
            return .json(latest.json, status: 202, fields: fields)
        }
    }

    // MARK: Models

    private func model(_ request: APIRequest) throws -> HTTPResponse {
        let (app, realm) = (try request.app(), try request.realm())
        let body = try JSONBody(try JSONBody.document(of: request), members: ["schema"])
        _ = try body.required("schema")
        let schema = try body.schema("schema") ?? Schema()
        let growth = try SyncedSchemas(store).take(
            model: schema, realm: realm, app: app, where: request.realmCondition(unsyncedLimit: store.unsyncedLimit))
        let members = (growth.snapshot.json.members ?? []) + [JSONMember("added", .array(growth.added.map(\.json)))]
        return .json(.object(members), status: growth.added.isEmpty ? 200 : 201)
    }
}

extension UnsyncedObject {
    /// The object as clients see it.
    var json: JSONValue {
        ["class": .string(className), "key": JSONValue(primaryKey), "reason": .string(reason)]
    }
}

/// Where a page of unsynced objects ended.
private enum UnsyncedCursor {
    static func encode(_ object: UnsyncedObject) -> String {
        let name = object.className.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "\(String(object.key.value, radix: 36)).\(name)"
    }

    static func decode(_ text: String) -> (className: String, key: ObjectKey)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = Int64(parts[0], radix: 36), parts[1].utf8.count.isMultiple(of: 2) else {
            return nil
        }
        let digits = Array(parts[1].utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.count * 2 == digits.count else { return nil }
        return String(validating: bytes, as: UTF8.self).map { ($0, ObjectKey(key)) }
    }
}
