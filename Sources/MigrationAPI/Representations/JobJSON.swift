import RealmJSON
import SnapshotStore

extension Job {
    /// The job as clients see it, with all that it runs.
    var json: JSONValue {
        var members = summary
        members.append(JSONMember("steps", plan.map { .array($0.steps.map(json)) } ?? .null))
        return .object(members)
    }

    /// The job as lists show it: without what its request brought along, which may be large.
    var listed: JSONValue { .object(summary) }

    private var summary: [JSONMember] {
        [
            JSONMember("id", id.json), JSONMember("kind", .string(kind)), JSONMember("app", .string(app)),
            JSONMember("realm", .string(realm)), JSONMember("sourceSnapshot", sourceSnapshot.json),
            JSONMember("resultSnapshot", resultSnapshot?.json ?? .null),
            JSONMember("fromVersion", fromVersion.map { JSONValue($0) } ?? .null),
            JSONMember("toVersion", JSONValue(toVersion)), JSONMember("state", .string(state.rawValue)),
            JSONMember("attempt", .int(Int64(attempt))), JSONMember("cancelRequested", .bool(isCancelRequested)),
            JSONMember("dryRun", .bool(request.dryRun)), JSONMember("mode", .string(request.mode)),
            JSONMember("resolveEmbeddedConstraints", .bool(request.resolveEmbeddedConstraints)),
            JSONMember("limits", limits), JSONMember("progress", progress?.json ?? .null),
            JSONMember("createdAt", createdAt.json), JSONMember("startedAt", startedAt?.json ?? .null),
            JSONMember("finishedAt", finishedAt?.json ?? .null),
            JSONMember("error", problem?.json() ?? .null),
        ]
    }

    /// Null is what the service decides when an attempt begins.
    private var limits: JSONValue {
        [
            "timeoutSeconds": (plan?.timeoutSeconds ?? request.timeoutSeconds).map { .double($0) } ?? .null,
            "memoryBytes": (plan?.memoryBytes ?? request.memoryBytes).map { .int(Int64($0)) } ?? .null,
        ]
    }

    /// A step: what was declared by reference, what came with the request in full.
    private func json(_ step: JobPlan.Step) -> JSONValue {
        let isLast = step.version == request.targetVersion
        let schema = isLast ? request.schema.map { SchemaJSON.encode($0) } : nil
        let migration = isLast ? request.migration.map(MigrationJSON.encode) : nil
        return [
            "version": .int(Int64(clamping: step.version)),
            "schema": step.schemaRevision.map { reference(step.version, $0) } ?? schema ?? .null,
            "migration": step.migrationRevision.map { reference(step.version, $0) } ?? migration ?? .null,
        ]
    }

    private func reference(_ version: UInt64, _ revision: Int) -> JSONValue {
        ["app": .string(app), "version": .int(Int64(clamping: version)), "revision": .int(Int64(revision))]
    }

    /// A weak validator: changes with every change of the job.
    var entityTag: String { "W/\"\(revision)\"" }

    /// Where clients find it.
    var location: String { "/v1/jobs/\(id)" }
}

extension JobProgress {
    /// The progress as clients see it.
    var json: JSONValue {
        [
            "phase": .string(phase), "class": className.map { .string($0) } ?? .null,
            "objectsDone": .int(Int64(objectsDone)), "objectsTotal": .int(Int64(objectsTotal)),
            "objectsPerSecond": objectsPerSecond.map { .double($0) } ?? .null,
            "etaSeconds": etaSeconds.map { .double($0) } ?? .null,
        ]
    }
}

extension JobLogLine {
    /// The line as clients see it.
    var json: JSONValue {
        [
            "ordinal": .int(Int64(ordinal)), "attempt": .int(Int64(attempt)), "createdAt": createdAt.json,
            "level": .string(level.rawValue), "text": .string(text),
        ]
    }
}

extension ListedJob {
    /// The job as lists show it; of one that can't be read what is known of it, and that.
    var json: JSONValue {
        switch self {
        case .job(let job): job.listed
        case .unreadable(let job):
            [
                "id": job.id.json, "kind": "migration", "app": .string(job.app), "realm": .string(job.realm),
                "createdAt": job.createdAt.json, "error": ErrorResponse.problem(for: job).document.json(),
            ]
        }
    }
}
