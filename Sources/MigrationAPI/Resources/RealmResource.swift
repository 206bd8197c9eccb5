import HTTPServer
import JobStore
import RealmFleet
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// `/v1/apps/{app}/realms`, without the snapshots.
struct RealmResource: Sendable {
    let jobs: JobStore

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/apps/{app}/realms", "listRealms", requires: .read, tokens: .list,
                query: ["version", "label"] + .page
            ) { request in
                let filter = try Self.filter(request)
                let page = try jobs.realms(in: request.app(), filter, request.head.page())
                return .json(page.map { $0.json(unsyncedLimit: store.unsyncedLimit) }.json)
            },
            APIRoute(
                "PUT", "/v1/apps/{app}/realms/{realm}", "putRealm", requires: .write, tokens: .realm, query: [],
                body: .json
            ) {
                request in
                let put = try put(request)
                return answer(put.realm, status: put.isNew ? 201 : 200)
            },
            APIRoute("GET", "/v1/apps/{app}/realms/{realm}", "getRealm", requires: .read, tokens: .realm, query: []) {
                request in
                let value = json(try store.realms.find(request.realm(), in: request.app()))
                return try Preconditions(request.head).answer(value, tag: value.entityTag)
            },
            APIRoute(
                "DELETE", "/v1/apps/{app}/realms/{realm}", "deleteRealm", requires: .write, tokens: .realm, query: []
            ) { request in
                try store.realms.delete(request.realm(), in: request.app(), where: condition(request))
                return .noContent
            },
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/restore", "restoreSnapshot", requires: .write, tokens: .realm,
                query: [],
                body: .json,
                respond: restore),
        ]
    }

    private static func filter(_ request: APIRequest) throws(APIError) -> RealmFilter {
        let head = request.head
        var filter = RealmFilter(among: request.access.realms?.names)
        if let text = head.queryValue("version") {
            guard let condition = VersionCondition(text) else {
                throw .invalidParameter(
                    name: "version", message: "has to be a schema version, as in “<3”, “>=2”, “!=4” or “1”.")
            }
            filter.version = condition
        }
        if let text = head.queryValue("label") {
            let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, let label = JSONBody.label(halves[0], halves[1]) else {
                throw .invalidParameter(
                    name: "label", message: "has to be a name and a value with “:” between, as in “ring:0”.")
            }
            filter.labels = label
        }
        return filter
    }

    private func restore(_ request: APIRequest) throws -> HTTPResponse {
        let body = try JSONBody(try JSONBody.document(of: request), members: ["snapshot"])
        let text = try body.requiredString("snapshot")
        guard let id = RealmModel.UUID(text) else { throw body.invalid("snapshot", "snapshot has to be an id.") }
        return answer(try store.realms.restore(id, in: request.realm(), of: request.app(), where: condition(request)))
    }

    private func put(_ request: APIRequest) throws -> (realm: Realm, isNew: Bool) {
        let document = try JSONBody.document(of: request, emptyIsObject: true)
        let body = try JSONBody(document, members: ["kind", "developmentMode", "labels"])
        let kind = try body.choice("kind", among: RealmKind.allCases) ?? .local
        let isInDevelopment = try body.bool("developmentMode")
        guard kind == .synced || isInDevelopment != true else { throw APIError.developmentModeOfLocalRealm }
        return try store.realms.put(
            try request.newName(.realm), in: request.app(), kind: kind, isInDevelopment: isInDevelopment,
            labels: try body.labels("labels"), where: condition(request))
    }

    private func condition(_ request: APIRequest) -> RealmCondition? {
        request.realmCondition(unsyncedLimit: store.unsyncedLimit)
    }

    private func answer(_ realm: Realm, status: Int = 200) -> HTTPResponse {
        let value = json(realm)
        return .json(value, status: status, fields: ["ETag": value.entityTag])
    }

    private func json(_ realm: Realm) -> JSONValue { realm.json(unsyncedLimit: store.unsyncedLimit) }
}
