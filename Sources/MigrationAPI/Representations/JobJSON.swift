import RealmJSON
import SnapshotStore

extension Job {
    /// The job as clients see it.
    var json: JSONValue {
        [
            "id": id.json, "kind": .string(kind), "app": .string(app), "realm": .string(realm),
            "sourceSnapshot": sourceSnapshot.json, "resultSnapshot": resultSnapshot?.json ?? .null,
            "fromVersion": fromVersion.map { .int(Int64(clamping: $0)) } ?? .null,
            "toVersion": .int(Int64(clamping: toVersion)), "state": .string(state.rawValue),
            "attempt": .int(Int64(attempt)), "cancelRequested": .bool(isCancelRequested),
            "dryRun": .bool(request.dryRun), "progress": progress?.json ?? .null, "createdAt": createdAt.json,
            "startedAt": startedAt?.json ?? .null, "finishedAt": finishedAt?.json ?? .null,
            "error": problem.map { ErrorResponse.problem(for: $0).json(instance: nil) } ?? .null,
        ]
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
        case .job(let job): job.json
        case .unreadable(let job):
            [
                "id": job.id.json, "kind": "migration", "app": .string(job.app), "realm": .string(job.realm),
                "createdAt": job.createdAt.json, "error": ErrorResponse.problem(for: job).json(instance: nil),
            ]
        }
    }
}
