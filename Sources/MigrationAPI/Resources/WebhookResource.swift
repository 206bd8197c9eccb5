import HTTPServer
import JobStore
import RealmJSON
import RealmModel
import StoreCore
import Webhooks

/// `/v1/apps/{app}/webhooks`.
///
/// A webhook makes the service send requests, tells of all realms of the app, and may have a secret of its receiver in its URL: all of this
/// takes the scope `admin`.
struct WebhookResource: Sendable {
    let webhooks: JobStore.Webhooks
    /// The addresses that webhooks may have.
    let addresses: AddressPolicy

    /// How long the secret before a rotation signs where nothing is said of it, and at most.
    private static let (usualOverlap, longestOverlap): (Int64, Int64) = (86_400, 30 * 86_400)
    private static let longestDescription = 1_000

    var routes: [APIRoute] {
        let path = "/v1/apps/{app}/webhooks"
        let one = "\(path)/{webhook}"
        return [
            APIRoute("GET", path, "listWebhooks", requires: .admin, query: .page) { request in
                .json(try webhooks.list(in: request.app(), request.head.page()).map(\.json).json)
            },
            APIRoute(
                "POST", path, "makeWebhook", requires: .admin, query: [], body: .json, secrets: ["secret"],
                respond: make),
            APIRoute("GET", one, "getWebhook", requires: .admin, query: []) { request in
                .json(try webhooks.find(request.webhookID(), in: request.app()).json)
            },
            APIRoute("PUT", one, "putWebhook", requires: .admin, query: [], body: .json) { request in
                let (app, id) = (try request.app(), try request.webhookID())
                let declaration = try declaration(of: request)
                return .json(try webhooks.replace(id, in: app, by: declaration).json)
            },
            APIRoute("DELETE", one, "deleteWebhook", requires: .admin, query: []) { request in
                try webhooks.delete(request.webhookID(), in: request.app())
                return .noContent
            },
            APIRoute(
                "POST", "\(one)/rotate-secret", "rotateWebhookSecret", requires: .admin, query: [], body: .json,
                secrets: ["secret"], respond: rotate),
        ] + deliveryRoutes(one)
    }

    private func deliveryRoutes(_ one: String) -> [APIRoute] {
        [
            APIRoute("GET", "\(one)/deliveries", "listDeliveries", requires: .admin, query: ["state", "since"] + .page)
            {
                request in
                let filter = WebhookDeliveryFilter(
                    state: try request.head.choice("state", of: WebhookDelivery.State.allCases),
                    since: try request.head.time("since"))
                let page = try webhooks.deliveries(
                    to: request.webhookID(), in: request.app(), filter, request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute("GET", "\(one)/deliveries/{delivery}", "getDelivery", requires: .admin, query: []) { request in
                let app = try request.app()
                let found = try webhooks.delivery(of: request.deliveryID(), to: request.webhookID(), in: app)
                let event = try JSONValue.parse(Array(found.body.utf8))
                return .json(found.delivery.json.adding([JSONMember("event", event)]))
            },
            APIRoute(
                "POST", "\(one)/deliveries/{delivery}/resend", "resendDelivery", requires: .admin, query: [],
                body: .json
            ) { request in
                try JSONBody.requireNone(request)
                let app = try request.app()
                let delivery = try webhooks.resend(request.deliveryID(), to: request.webhookID(), in: app)
                return .json(delivery.json, status: 202)
            },
            APIRoute(
                "POST", "\(one)/recover", "recoverDeliveries", requires: .admin, query: [], body: .json,
                respond: recover),
        ]
    }

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        let app = try request.app()
        let (webhook, secret) = try webhooks.create(try declaration(of: request), in: app)
        return .json(
            Self.json(webhook, secret), status: 201,
            fields: ["Location": "/v1/apps/\(app)/webhooks/\(webhook.id)", "Cache-Control": "no-store"])
    }

    private func rotate(_ request: APIRequest) throws -> HTTPResponse {
        let (app, id) = (try request.app(), try request.webhookID())
        let body = try JSONBody(
            try JSONBody.document(of: request, emptyIsObject: true), members: ["overlapSeconds"])
        let overlap = try body.integer("overlapSeconds", from: 0) ?? Self.usualOverlap
        guard overlap <= Self.longestOverlap else {
            throw body.invalid("overlapSeconds", "overlapSeconds has to be \(Self.longestOverlap) at most.")
        }
        let (webhook, secret) = try webhooks.rotateSecret(of: id, in: app, overlap: .seconds(overlap))
        return .json(Self.json(webhook, secret), fields: ["Cache-Control": "no-store"])
    }

    private func recover(_ request: APIRequest) throws -> HTTPResponse {
        let (app, id) = (try request.app(), try request.webhookID())
        let body = try JSONBody(try JSONBody.document(of: request), members: ["since"])
        guard let since = try body.time("since") else { throw body.invalid("since", "since is missing.") }
        let recovered = try webhooks.recover(id, in: app, since: since)
        return .json(
            ["count": .int(Int64(recovered.count)), "isComplete": .bool(recovered.isComplete)], status: 202)
    }

    private static func json(_ webhook: Webhook, _ secret: WebhookSecret) -> JSONValue {
        webhook.json.adding([JSONMember("secret", .string(secret.text))])
    }

    // MARK: Declarations

    private func declaration(of request: APIRequest) throws -> Webhook.Declaration {
        let body = try JSONBody(
            try JSONBody.document(of: request), members: ["url", "events", "description", "enabled"])
        let url = try body.requiredString("url")
        if let refusal = WebhookURL.refusal(of: url, addresses) {
            throw APIError(.webhookURLRefused, refusal, at: body.pointer(to: "url"))
        }
        let description = try body.string("description")
        if let description {
            guard description.unicodeScalars.count <= Self.longestDescription, !description.contains("\0") else {
                throw body.invalid(
                    "description",
                    "description has to be a text of \(Self.longestDescription) characters at most, none of them U+0000."
                )
            }
        }
        return Webhook.Declaration(
            url: url, events: try Self.events(body), description: description,
            isEnabled: try body.bool("enabled") ?? true)
    }

    /// The types that are named; nil where none are, for all.
    private static func events(_ body: JSONBody) throws -> [WebhookEventType]? {
        guard let elements = try body.array("events") else { return nil }
        guard !elements.isEmpty else {
            throw body.invalid("events", "events has to name at least one type; a webhook of all types has no events.")
        }
        var types: Set<WebhookEventType> = []
        for (index, element) in elements.enumerated() {
            guard let type = element.string.flatMap(WebhookEventType.init) else {
                throw unknown(element, at: "\(body.pointer(to: "events"))/\(index)")
            }
            types.insert(type)
        }
        return WebhookEventType.allCases.filter(types.contains)
    }

    private static func unknown(_ element: JSONValue, at pointer: String) -> InputError {
        let names = WebhookEventType.allCases.map(\.rawValue)
        let nearest = element.string.flatMap { NearestName.question($0, among: names) }.map { " " + $0 } ?? ""
        return InputError(
            .malformedDocument,
            ProblemItem("events has to be an array of \(names.joined(separator: ", ")).\(nearest)", pointer: pointer))
    }
}
