import JobStore
import MigrationJobs
import RealmJSON

extension Job {
    /// The job as clients see it, with all that it does.
    var json: JSONValue { json(isWhole: true) }

    /// The job as lists show it: without what its request brought along, which may be large.
    var listed: JSONValue { json(isWhole: false) }

    private func json(isWhole: Bool) -> JSONValue {
        let members =
            [
                JSONMember("id", id.json), JSONMember("kind", .string(order.kind.rawValue)),
                JSONMember("app", .string(app)),
            ]
            + description(isWhole: isWhole) + [
                JSONMember("state", .string(state.rawValue)), JSONMember("priority", .string(priority.rawValue)),
                JSONMember("runAt", runAt.json), JSONMember("attempt", .int(Int64(attempt))),
                JSONMember("cancelRequested", .bool(isCancelRequested)),
                JSONMember("progress", progress?.json ?? .null), JSONMember("createdAt", createdAt.json),
                JSONMember("startedAt", startedAt?.json ?? .null),
                JSONMember("finishedAt", finishedAt?.json ?? .null), JSONMember("error", problem?.json() ?? .null),
            ]
        let attempts = JSONMember("attempts", .array(endedAttempts.map(\.json)))
        return .object(isWhole ? members + [attempts] : members)
    }

    /// A weak validator: changes with every change of the job.
    var entityTag: String { "W/\"\(revision)\"" }

    /// Where clients find it.
    var location: String { "/v1/jobs/\(id)" }
}

extension EndedAttempt {
    /// The attempt as clients see it.
    var json: JSONValue {
        [
            "attempt": .int(Int64(attempt)), "startedAt": startedAt?.json ?? .null, "endedAt": endedAt.json,
            "error": problem.json(),
        ]
    }
}

extension QuarantinedObject {
    /// The object as clients see it.
    var json: JSONValue {
        let kept = object.flatMap { try? JSONValue.parse($0) }
        return [
            "class": item.className.map { .string($0) } ?? .null, "key": item.key.map { .int($0.value) } ?? .null,
            "error": item.json, "object": kept ?? .null,
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
                "id": job.id.json, "kind": .string(job.kind), "app": .string(job.app),
                "realm": job.realm.map { .string($0) } ?? .null,
                "createdAt": job.createdAt.json, "error": ErrorResponse.problem(for: job).document.json(),
            ]
        }
    }
}
