import JobStore
import RealmFleet
import RealmJSON

extension Fleet {
    /// The fleet as clients see it.
    ///
    /// - Parameters:
    ///   - failures: why realms failed; nil in lists.
    ///   - versions: the realms by the versions that they had; nil in lists.
    ///   - findings: what was found by a fleet that commits nothing; nil in lists.
    ///   - quarantined: objects that were set aside; nil in lists.
    func json(
        failures: [FleetFailure]? = nil, versions: [FleetVersion]? = nil, findings: [FoundInFleet]? = nil,
        quarantined: Int? = nil
    ) -> JSONValue {
        var members = [
            JSONMember("id", id.json), JSONMember("app", .string(app)),
            JSONMember("state", .string(machine.state.rawValue)),
            JSONMember("pauseReason", machine.pause.map { .string($0.rawValue) } ?? .null),
            JSONMember("heldUntil", heldUntil?.json ?? .null),
            JSONMember("targetVersion", JSONValue(request.targetVersion)),
            JSONMember("select", request.selection.json), JSONMember("mode", .string(request.mode)),
            JSONMember("dryRun", .bool(request.dryRun)),
            JSONMember("failOn", request.failOn.map { .array($0.map { .string($0) }) } ?? .null),
            JSONMember("onError", .string(request.onError.rawValue)),
            JSONMember("limits", .object(request.limits.members)),
        ]
        members += request.policy.members
        members += [
            JSONMember("counts", machine.counts.json),
            JSONMember("realmsPerSecond", pace.map { .double($0.realmsPerSecond) } ?? .null),
            JSONMember("objectsPerSecond", pace.map { .double($0.objectsPerSecond) } ?? .null),
            JSONMember("etaSeconds", etaSeconds.map { .double($0) } ?? .null),
            JSONMember("createdAt", createdAt.json), JSONMember("finishedAt", finishedAt?.json ?? .null),
        ]
        if let failures { members.append(JSONMember("failures", .array(failures.map(\.json)))) }
        if let versions { members.append(JSONMember("versions", .array(versions.map(\.json)))) }
        if let findings { members.append(JSONMember("findings", .array(findings.map(\.json)))) }
        if let quarantined { members.append(JSONMember("quarantinedCount", .int(Int64(quarantined)))) }
        if failures != nil { members.append(JSONMember("migration", migration?.json ?? .null)) }
        return .object(members)
    }
}

extension FleetCounts {
    /// How many realms stand where, by the names of the states.
    var json: JSONValue {
        .object(FleetMemberState.allCases.map { JSONMember($0.rawValue, .int(Int64(self[$0]))) })
    }
}

extension FleetFailure {
    /// The failures of one reason as clients see them.
    var json: JSONValue {
        ["reason": .string(reason), "count": .int(Int64(count)), "sample": .array(sample.map { .string($0) })]
    }
}

extension FoundInFleet {
    /// The finding as clients see it.
    var json: JSONValue {
        [
            "rule": .string(finding.rule), "level": .string(finding.level.rawValue),
            "class": finding.className.map { .string($0) } ?? .null,
            "property": finding.property.map { .string($0) } ?? .null, "message": .string(finding.message),
            "realmCount": .int(Int64(realmCount)), "objectCount": .int(Int64(objectCount)),
            "sample": .array(sample.map { .string($0) }),
        ]
    }
}

extension FleetVersion {
    /// The realms of one version as clients see them.
    var json: JSONValue { ["version": version.map { JSONValue($0) } ?? .null, "counts": counts.json] }
}

extension FleetMember {
    /// The realm of a fleet as clients see it.
    var json: JSONValue {
        [
            "realm": .string(realm), "state": .string(state.rawValue),
            "fromVersion": fromVersion.map { JSONValue($0) } ?? .null, "attempt": .int(Int64(attempt)),
            "job": job?.json ?? .null, "sourceSnapshot": sourceSnapshot?.json ?? .null,
            "resultSnapshot": resultSnapshot?.json ?? .null, "quarantinedCount": .int(Int64(quarantinedCount)),
            "quarantineJob": quarantineJob?.json ?? .null, "reason": reason.map { .string($0) } ?? .null,
            "error": problem?.json() ?? .null, "finishedAt": finishedAt?.json ?? .null,
        ]
    }
}
