import HTTPServer
import JobStore
import MigrationJobs
import RealmFleet
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// `/v1/apps/{app}/fleets`, and which versions realms stand at.
struct FleetResource: Sendable {
    let jobs: JobStore
    let events: JobEvents
    let check: DeclarationCheck
    let quota: AppQuota

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        let path = "/v1/apps/{app}/fleets"
        let one = "\(path)/{fleet}"
        return [
            APIRoute("GET", path, "listFleets", requires: .read, query: .page) { request in
                .json(try jobs.fleets.list(in: request.app(), request.head.page()).map { $0.json() }.json)
            },
            APIRoute("POST", path, "makeFleet", requires: .migrate, query: [], body: .json, respond: make),
            APIRoute("GET", one, "getFleet", requires: .read, query: []) { request in
                .json(try whole(try fleet(request)))
            },
            APIRoute(
                "GET", "\(one)/realms", "listFleetRealms", requires: .read, query: ["state", "reason"] + .page
            ) { request in
                let fleet = try fleet(request)
                let page = try jobs.fleets.members(of: fleet, Self.filter(request.head), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute("GET", "\(one)/events", "followFleet", requires: .read, query: []) { request in
                let after = request.head.fields["Last-Event-ID"]
                let stream = FleetEventStream(request, try fleet(request), after: after, jobs: jobs, events: events)
                return .events(stream.body)
            },
            verb(.pause, "pauseFleet", at: one), verb(.resume, "resumeFleet", at: one),
            verb(.cancel, "cancelFleet", at: one), verb(.retryFailed, "retryFleet", at: one),
            verb(.undo, "undoFleet", at: one),
            APIRoute("GET", "/v1/apps/{app}/versions", "listRealmVersions", requires: .read, query: []) { request in
                let versions = try store.realms.versions(in: request.app())
                let items = versions.map { version, count -> JSONValue in
                    ["version": version.map { JSONValue($0) } ?? .null, "count": .int(Int64(count))]
                }
                return .json(["items": .array(items), "next": .null])
            },
        ]
    }

    private func fleet(_ request: APIRequest) throws -> Fleet {
        let app = try request.app()
        return try jobs.fleets.find(request.fleetID(), in: app)
    }

    private func whole(_ fleet: Fleet) throws -> JSONValue {
        fleet.json(
            failures: try jobs.fleets.failures(of: fleet), versions: try jobs.fleets.versions(of: fleet),
            findings: try jobs.fleets.findings(of: fleet), quarantined: try jobs.fleets.quarantinedCount(of: fleet))
    }

    private static func filter(_ head: HTTPRequestHead) throws(APIError) -> FleetMemberFilter {
        let state = head.queryValue("state")
        if let state, FleetMemberState(rawValue: state) == nil {
            let names = FleetMemberState.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter(name: "state", message: "has to be one of \(names).")
        }
        // No reason has U+0000, which PostgreSQL's texts can't hold.
        let reason = head.queryValue("reason")?.replacing("\0", with: "")
        return FleetMemberFilter(state: state.flatMap(FleetMemberState.init), reason: reason)
    }

    // MARK: Verbs

    private func verb(_ verb: FleetMachine.Verb, _ operation: String, at path: String) -> APIRoute {
        APIRoute("POST", "\(path)/\(verb.rawValue)", operation, requires: .migrate, query: [], body: .json) { request in
            let app = try request.app()
            let document = try JSONBody.document(of: request, emptyIsObject: true)
            let body = try JSONBody(document, members: verb == .retryFailed ? ["migration"] : [])
            let id = try request.fleetID()
            let migration = try body.migration("migration")
            if migration != nil {
                try check.check(migration, in: body, of: try store.apps.find(app))
            }
            // A fleet that goes on makes snapshots again.
            if quota.isGiven, verb == .resume || verb == .retryFailed { try store.apps.check(quota, of: app) }
            let fleet = try jobs.fleets.take(
                verb, id, in: app, migration: migration, requestID: request.head.id,
                traceParent: request.head.traceParent?.text)
            return .json(try whole(fleet), status: 202)
        }
    }

    // MARK: Making

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        let app = try request.app()
        let body = try JSONBody(
            try JSONBody.document(of: request),
            members: [
                "targetVersion", "select", "canary", "concurrency", "stopAfter", "onError", "dryRun", "failOn",
                "migration",
                "mode",
                "limits",
            ])
        guard let version = try body.integer("targetVersion", from: 0).map({ UInt64($0) }) else {
            throw body.invalid("targetVersion", "targetVersion is missing.")
        }
        let migration = try body.migration("migration")
        let wanted = FleetRequest(
            targetVersion: version, selection: try Self.selection(body), policy: try Self.policy(body),
            dryRun: try body.bool("dryRun") ?? false, failOn: try body.failOn(),
            onError: try body.choice("onError", among: MigrationOrder.Request.ErrorPolicy.allCases) ?? .abort,
            mode: (try body.choice("mode", among: SchemaMode.allCases) ?? .automatic).rawValue,
            limits: try LimitsJSON.decode(body, "limits"))
        if migration != nil {
            let known = try KnownSchemas(before: version, of: app, in: store)
            try check.check(migration, known: known, in: body, of: try store.apps.find(app))
        }
        do {
            let fleet = try jobs.fleets.make(
                wanted, migration: migration, in: app, requestID: request.head.id,
                traceParent: request.head.traceParent?.text, quota: quota)
            let location = "/v1/apps/\(app)/fleets/\(fleet.id)"
            return .json(try whole(fleet), status: 202, fields: ["Location": location])
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.schemaVersionUnknown(version)
        }
    }

    private static func selection(_ body: JSONBody) throws -> FleetSelection {
        let select = try JSONBody(
            body.member("select") ?? .object([]), "select", at: body.pointer(to: "select"),
            members: ["version", "labels", "names"])
        let version = try select.string("version").map { text throws(InputError) in
            guard let condition = VersionCondition(text) else {
                throw select.invalid("version", "version has to be a schema version, as in “<3”, “>=2”, “!=4” or “1”.")
            }
            return condition
        }
        let names = try select.array("names")?.map { value throws(InputError) in
            guard let text = value.string, ResourceName.isValid(text.replacing("*", with: "a"), of: .realm) else {
                throw select.invalid("names", "names has to be names of realms, in which * stands for anything.")
            }
            return NamePattern(text)
        }
        guard names?.count ?? 0 <= mostNames else {
            throw select.invalid("names", "names has \(mostNames) elements at most.")
        }
        guard names?.count(where: \.hasWildcards) ?? 0 <= mostPatterns else {
            throw select.invalid("names", "names has \(mostPatterns) elements with * at most.")
        }
        return FleetSelection(version: version, labels: try select.labels("labels") ?? [:], names: names)
    }

    private static let mostNames = 10_000
    /// Each is compared with the name of each realm.
    private static let mostPatterns = 100

    private static func policy(_ body: JSONBody) throws -> FleetPolicy {
        var policy = FleetPolicy()
        if let value = body.member("canary") {
            let canary = try JSONBody(
                value, "canary", at: body.pointer(to: "canary"), members: ["count", "percent", "pauseSeconds"])
            policy.canary = FleetPolicy.Canary(
                try amount(canary, count: "count"), pauseSeconds: try pause(canary))
        }
        if let value = body.member("stopAfter") {
            let stop = try JSONBody(
                value, "stopAfter", at: body.pointer(to: "stopAfter"), members: ["failures", "percent"])
            policy.stopAfter = try amount(stop, count: "failures")
        }
        policy.concurrency = try count(body, "concurrency")
        return policy
    }

    private static func count(_ body: JSONBody, _ name: String) throws(InputError) -> Int? {
        try body.integer(name, from: 1).map { Int(min($0, Int64(Int32.max))) }
    }

    private static func amount(_ body: JSONBody, count name: String) throws -> FleetPolicy.Amount {
        let (number, percent) = (try count(body, name), try body.positiveNumber("percent"))
        switch (number, percent) {
        case (let number?, nil): return .count(number)
        case (nil, let percent?) where percent <= 100: return .percent(percent)
        case (nil, .some): throw body.invalid("percent", "percent has to be 100 at most.")
        case (.some, .some), (nil, nil): throw body.invalid(name, "Either \(name) or percent has to be given.")
        }
    }

    private static func pause(_ body: JSONBody) throws(InputError) -> Double? {
        try body.member("pauseSeconds").map { member throws(InputError) in
            guard let seconds = member.double, (0...longestPause).contains(seconds) else {
                throw body.invalid("pauseSeconds", "pauseSeconds has to be a number from 0 to \(Int(longestPause)).")
            }
            return seconds
        }
    }

    /// Ten years.
    private static let longestPause = 315_360_000.0
}
