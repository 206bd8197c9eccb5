import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// `/v1/apps/{app}/realms/{realm}/partners`.
struct PartnerResource: Sendable {
    /// The most findings that a partner is shown with; the lists have all.
    private static let findingsAtOnce = 20
    /// The most keys that a request accepts.
    private static let mostAccepted = 100_000

    let jobs: JobStore
    let keeper: PartnerKeeper

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        let path = "/v1/apps/{app}/realms/{realm}/partners"
        let one = "\(path)/{partner}"
        return [
            APIRoute("GET", path, "listPartners", requires: .read, tokens: .realm, query: .page) { request in
                let page = try jobs.partners.list(of: request.realm(), in: request.app(), request.head.page())
                return .json(page.map { Self.json($0) }.json)
            },
            APIRoute(
                "POST", path, "makePartner", requires: .migrate, tokens: .realm, query: [], body: .json, respond: make),
            APIRoute("GET", one, "getPartner", requires: .read, tokens: .realm, query: []) { request in
                .json(try whole(try partner(request)))
            },
            APIRoute("GET", "\(one)/violations", "listViolations", requires: .read, tokens: .realm, query: .page) {
                request in
                try findings(.violation, request)
            },
            APIRoute("GET", "\(one)/divergent", "listDivergent", requires: .read, tokens: .realm, query: .page) {
                request in
                try findings(.divergence, request)
            },
            APIRoute(
                "POST", "\(one)/cut-over", "cutOverPartner", requires: .migrate, tokens: .realm, query: [], body: .json,
                respond: cutOver),
            APIRoute("POST", "\(one)/abort", "abortPartner", requires: .migrate, tokens: .realm, query: [], body: .json)
            { request in
                try JSONBody.requireNone(request)
                let id = try partner(request).id
                return .json(
                    try whole(
                        try keeper.abort(id, of: request.realm(), in: request.app(), where: condition(request))))
            },
        ]
    }

    private func partner(_ request: APIRequest) throws -> Partner {
        let text = request.parameter("partner")
        let (realm, app) = (try request.realm(), try request.app())
        guard let id = RealmModel.UUID(text) else { throw StoreError.notFound(.partner, text) }
        return try jobs.partners.find(id, of: realm, in: app)
    }

    // MARK: Making and ending

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        let (realm, app) = (try request.realm(), try request.app())
        let definition = try Self.definition(of: try JSONBody.document(of: request))
        let partner = try keeper.make(definition, of: realm, in: app, where: condition(request))
        let location = "/v1/apps/\(app)/realms/\(realm)/partners/\(partner.id)"
        return .json(try whole(partner), status: 201, fields: ["Location": location])
    }

    private static func definition(of document: JSONValue) throws -> PartnerDefinition {
        let members = ["class", "property", "partner", "forward", "backward", "cutOverAfterSeconds"]
        let body = try JSONBody(document, members: members)
        let partner = try body.required("partner")
        return PartnerDefinition(
            className: try body.requiredString("class"), property: try body.string("property"),
            partner: try SchemaJSON.decodeClass(partner, at: "/partner"),
            forward: try body.requiredScript("forward"), backward: try body.requiredScript("backward"),
            cutOverAfterSeconds: try body.positiveNumber("cutOverAfterSeconds"))
    }

    private func cutOver(_ request: APIRequest) throws -> HTTPResponse {
        let body = try JSONBody(try JSONBody.document(of: request, emptyIsObject: true), members: ["accept"])
        let partner = try partner(request)
        let keys = try body.array("accept") ?? []
        guard keys.count <= Self.mostAccepted else {
            throw body.invalid("accept", "accept has \(Self.mostAccepted) keys at most.")
        }
        let current = try store.snapshots.openCurrent(of: request.realm(), in: request.app())
        guard let property = current.snapshot[partner.definition.className]?.schema.primaryKeyProperty else {
            throw APIError.notFound(.objectClass, partner.definition.className)
        }
        let accepted = try keys.enumerated().map { index, key in
            do {
                return try key.value(of: property, at: "/accept/\(index)")
            } catch {
                throw APIError.invalidMember(
                    pointer: "/accept/\(index)",
                    message: "The keys of \(partner.definition.className) are \(property.type.plural).")
            }
        }
        return .json(
            try whole(
                try keeper.cutOver(
                    partner.id, accepting: accepted, of: request.realm(), in: request.app(), where: condition(request)))
        )
    }

    private func condition(_ request: APIRequest) -> RealmCondition? {
        request.realmCondition(unsyncedLimit: store.unsyncedLimit)
    }

    // MARK: Showing

    private func findings(_ kind: PartnerFinding.Kind, _ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        return .json(try jobs.partners.findings(kind, of: try partner(request), page).map(Self.json).json)
    }

    private func whole(_ partner: Partner) throws -> JSONValue {
        let counts = try jobs.partners.counts(of: partner)
        let few = PageRequest(limit: Self.findingsAtOnce)
        let violations = try jobs.partners.findings(.violation, of: partner, few).items
        let divergent = try jobs.partners.findings(.divergence, of: partner, few).items
        let versions = try jobs.partners.oldVersions(of: partner)
        return Self.json(partner).adding([
            JSONMember("error", try problem(of: partner)),
            JSONMember(
                "divergent",
                [
                    "count": .int(Int64(counts.divergent)),
                    "keys": .array(divergent.map { JSONValue($0.finding.primaryKey) }),
                ]),
            JSONMember("violationCount", .int(Int64(counts.violations))),
            JSONMember("unacceptedCount", .int(Int64(counts.unaccepted))),
            JSONMember("violations", .array(violations.map(Self.json))),
            JSONMember(
                "oldVersionsSeen",
                .array(versions.map { ["version": JSONValue($0.version), "at": .string("\($0.seenAt)")] })),
        ])
    }

    /// Why the job that prepares a partner failed; null where it did not.
    private func problem(of partner: Partner) throws -> JSONValue {
        guard partner.state == .preparing, let id = partner.job else { return .null }
        do {
            return try jobs.find(id).problem?.json(instance: "/v1/jobs/\(id)") ?? .null
        } catch StoreError.notFound(.job, _) {
            return .null
        }
    }

    private static func json(_ partner: Partner) -> JSONValue {
        let definition = partner.definition
        return [
            "id": .string("\(partner.id)"), "app": .string(partner.app), "realm": .string(partner.realm),
            "class": .string(definition.className), "property": definition.property.map { .string($0) } ?? .null,
            "partner": SchemaJSON.encode(Schema([definition.partner])).elements?.first ?? .null,
            "forward": .string(definition.forward), "backward": .string(definition.backward),
            "cutOverAfterSeconds": definition.cutOverAfterSeconds.map { .double($0) } ?? .null,
            "state": .string(partner.state.rawValue),
            "backfill": [
                "pass": .string(partner.fill.pass == .links ? "links" : "objects"),
                "done": .int(Int64(partner.fill.done)), "total": .int(Int64(partner.fill.total)),
            ],
            "job": partner.job.map { .string("\($0)") } ?? .null, "createdAt": .string("\(partner.createdAt)"),
        ]
    }

    private static func json(_ found: Partner.Finding) -> JSONValue {
        let finding = found.finding
        return [
            "key": JSONValue(finding.primaryKey), "before": JSONValue(finding.before),
            "after": JSONValue(finding.after), "reason": finding.reason.map { .string($0) } ?? .null,
            "accepted": .bool(found.isAccepted),
        ]
    }
}
