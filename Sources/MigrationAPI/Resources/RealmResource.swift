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
                query: ["version", "label", "kind", "q", "lastJob", "sort"] + .countedPage
            ) { request in
                let filter = try Self.filter(request)
                let order = try request.head.choice("sort", of: RealmOrder.allCases) ?? .name
                let page = try jobs.realms(in: request.app(), filter, by: order, request.head.page())
                return .json(page.map { $0.json(unsyncedLimit: store.unsyncedLimit) }.json)
            },
            APIRoute(
                "PUT", "/v1/apps/{app}/realms/{realm}", "putRealm", requires: .write, tokens: .realm, query: [],
                body: .json
            ) {
                request in
                let put = try put(request)
                return try answer(put.realm, to: request, status: put.isNew ? 201 : 200)
            },
            APIRoute("GET", "/v1/apps/{app}/realms/{realm}", "getRealm", requires: .read, tokens: .realm, query: []) {
                request in
                let realm = try jobs.realm(request.realm(), in: request.app(), among: request.access.realms?.names)
                let limit = store.unsyncedLimit
                return try Preconditions(request.head).answer(
                    realm.json(unsyncedLimit: limit), tag: realm.entityTag(unsyncedLimit: limit))
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
        filter.kind = try head.choice("kind", of: RealmKind.allCases)
        filter.lastJob = Set(try head.choices("lastJob", of: RealmFilter.LastJobState.allCases) ?? [])
        if let part = head.queryValue("q"), !part.isEmpty {
            // No name has anything else, so that what is looked for may have it.
            guard ResourceName.isValid("a" + part, of: .realm) else {
                throw .invalidParameter(
                    name: "q", message: "has to be a part of a name: \(ResourceName.rule(of: .realm)).")
            }
            filter.part = part
        }
        return filter
    }

    private func restore(_ request: APIRequest) throws -> HTTPResponse {
        let body = try JSONBody(try JSONBody.document(of: request), members: ["snapshot"])
        let text = try body.requiredString("snapshot")
        guard let id = RealmModel.UUID(text) else { throw body.invalid("snapshot", "snapshot has to be an id.") }
        return try answer(
            try store.realms.restore(id, in: request.realm(), of: request.app(), where: condition(request)),
            to: request)
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

    private func answer(_ realm: Realm, to request: APIRequest, status: Int = 200) throws -> HTTPResponse {
        try jobs.realm(realm.name, in: realm.app, among: request.access.realms?.names)
            .answer(unsyncedLimit: store.unsyncedLimit, status: status)
    }
}

extension ListedRealm {
    /// The answer of a request that changed the realm.
    func answer(unsyncedLimit limit: Int, status: Int = 200) -> HTTPResponse {
        .json(json(unsyncedLimit: limit), status: status, fields: ["ETag": entityTag(unsyncedLimit: limit)])
    }
}
