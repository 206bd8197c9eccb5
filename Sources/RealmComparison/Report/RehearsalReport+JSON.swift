import RealmJSON
import RealmMigration
import RealmModel

extension RehearsalReport {
    /// The report as clients see it.
    public var json: JSONValue {
        .object(
            [
                JSONMember("fromVersion", fromVersion.map { JSONValue($0) } ?? .null),
                JSONMember("toVersion", toVersion.map { JSONValue($0) } ?? .null),
                JSONMember(
                    "objects",
                    [
                        "touched": .int(Int64(objects.touched)), "created": .int(Int64(objects.created)),
                        "deleted": .int(Int64(objects.deleted)),
                    ]),
                JSONMember("changes", ["schema": .array(schema), "classes": .array(classes)]),
                JSONMember("losses", .array(losses.map(\.json))),
                JSONMember("emptied", views { $0.to != nil && $0.kind != .unfilled }),
                JSONMember("unfilled", views { $0.kind == .unfilled }),
                JSONMember("dropped", views { $0.kind == .dropped }),
                JSONMember("narrowed", views { [.truncated, .inexact, .rounded].contains($0.kind) }),
                JSONMember(
                    "untold",
                    [
                        "replaced": .int(Int64(untold.replaced)), "few": .int(Int64(untold.few)),
                        "gone": .int(Int64(untold.gone)), "filled": .int(Int64(untold.filled)),
                    ]),
                JSONMember("collisions", .array(collisions.map(\.json))),
                JSONMember("orphans", .array(orphans.map(\.json))), JSONMember("owners", .array(owners.map(\.json))),
                JSONMember("missingBranches", .array(missingBranches.map { JSONValue($0) })),
                JSONMember("skippedVersions", .array(skippedVersions.map { JSONValue($0) })),
                JSONMember("carriedOver", .array(carried.map(\.json))),
                JSONMember("slowExpressions", .array(slowExpressions.map(\.json))),
                JSONMember("warnings", .array(others.map { .string($0.message) })),
                JSONMember("checks", .array(checks.map(\.json))), JSONMember("error", error ?? .null),
                JSONMember("findings", .array(findings.map(\.json))),
                JSONMember("failOn", .array(policy.names.map { .string($0) })), JSONMember("passed", .bool(hasPassed)),
            ]
                + [
                    sample.map { JSONMember("sample", .string($0)) },
                    seconds.map { JSONMember("durationSeconds", .double($0)) },
                ].compactMap(\.self))
    }

    /// The losses of some kinds.
    private func views(_ isMeant: (Loss) -> Bool) -> JSONValue { .array(losses.filter(isMeant).map(\.json)) }

    /// Reads a report back; what an older program did not write is empty.
    public init(json: JSONValue) {
        func version(_ json: JSONValue?) -> UInt64? { json?.unsigned }
        func elements(_ name: String) -> [JSONValue] { json[name]?.elements ?? [] }
        self.init(fromVersion: version(json["fromVersion"]), toVersion: version(json["toVersion"]))
        func count(_ name: String) -> Int { Int(json["objects"]?[name]?.int ?? 0) }
        objects = (count("touched"), count("created"), count("deleted"))
        schema = json["changes"]?["schema"]?.elements ?? []
        classes = json["changes"]?["classes"]?.elements ?? []
        func untold(_ name: String) -> Int { Int(json["untold"]?[name]?.int ?? 0) }
        self.untold.replaced = untold("replaced")
        self.untold.few = untold("few")
        self.untold.gone = untold("gone")
        self.untold.filled = untold("filled")
        losses = elements("losses").compactMap(Loss.init(json:))
        collisions = elements("collisions").compactMap(Collision.init(json:))
        orphans = elements("orphans").compactMap(Owners.init(json:))
        owners = elements("owners").compactMap(Owners.init(json:))
        missingBranches = elements("missingBranches").compactMap(\.unsigned)
        skippedVersions = elements("skippedVersions").compactMap(\.unsigned)
        carried = elements("carriedOver").compactMap(Carried.init(json:))
        slowExpressions = elements("slowExpressions").compactMap(SlowExpression.init(json:))
        others = elements("findings").compactMap(RehearsalFinding.init(other:))
        // An older program had warnings of one kind, and no finding of them.
        if others.isEmpty { add(unrun: elements("warnings").compactMap(\.string)) }
        checks = elements("checks").compactMap(RealmCheckResult.init(json:))
        if let kept = json["error"], !kept.isNull { error = kept }
        seconds = json["durationSeconds"]?.double
        sample = json["sample"]?.string
        if let names = json["failOn"]?.elements?.compactMap(\.string), let kept = try? FailurePolicy(names) {
            policy = kept
        }
    }
}

extension NamedObjects {
    fileprivate var members: [JSONMember] {
        [JSONMember("count", .int(Int64(count))), JSONMember("keys", .array(keys.map { .int($0) }))]
    }

    fileprivate init(json: JSONValue) {
        self.init(Int(json["count"]?.int ?? 0), first: json["keys"]?.elements?.compactMap(\.int) ?? [])
    }
}

extension RehearsalReport.Loss {
    fileprivate var json: JSONValue {
        .object(
            [
                JSONMember("class", .string(className)), JSONMember("property", property.map { .string($0) } ?? .null),
                JSONMember("kind", .string(kind.rawValue)),
            ] + [to.map { JSONMember("to", .string($0.rawValue)) }].compactMap(\.self) + objects.members
                + [
                    total.map { JSONMember("total", .int(Int64($0))) }, share.map { JSONMember("share", .double($0)) },
                    examples.isEmpty ? nil : JSONMember("examples", .array(examples.map(\.json))),
                ].compactMap(\.self))
    }

    fileprivate init?(json: JSONValue) {
        guard let className = json["class"]?.string,
            let kind = json["kind"]?.string.flatMap(Rehearsal.Loss.Kind.init(rawValue:))
        else { return nil }
        self.init(
            className: className, property: json["property"]?.string, kind: kind, objects: NamedObjects(json: json),
            to: json["to"]?.string.flatMap(EmptyValue.init(rawValue:)), total: json["total"]?.int.map { Int($0) },
            examples: json["examples"]?.elements?.compactMap(Example.init(json:)) ?? [])
    }
}

extension RehearsalReport.Loss.Example {
    fileprivate var json: JSONValue {
        .object(
            [JSONMember("key", .int(key))]
                + [before.map { JSONMember("before", $0) }, after.map { JSONMember("after", $0) }].compactMap(\.self))
    }

    fileprivate init?(json: JSONValue) {
        guard let key = json["key"]?.int else { return nil }
        self.init(key: key, before: json["before"], after: json["after"])
    }
}

extension RehearsalReport.Collision {
    fileprivate var json: JSONValue {
        [
            "class": .string(className), "property": .string(property), "value": value,
            "keys": [.int(first), .int(second)], "firstHolder": .int(first), "count": .int(Int64(count)),
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let className = json["class"]?.string, let keys = json["keys"]?.elements?.compactMap(\.int),
            keys.count == 2
        else { return nil }
        self.init(
            className: className, property: json["property"]?.string ?? "", value: json["value"] ?? .null,
            first: keys[0], second: keys[1], count: Int(json["count"]?.int ?? 2))
    }
}

extension RehearsalReport.Owners {
    fileprivate var json: JSONValue { .object([JSONMember("class", .string(className))] + objects.members) }

    fileprivate init?(json: JSONValue) {
        guard let className = json["class"]?.string else { return nil }
        self.init(className: className, objects: NamedObjects(json: json))
    }
}

extension RehearsalReport.Carried {
    fileprivate var json: JSONValue {
        ["class": .string(className), "property": .string(property), "removedIn": JSONValue(removedIn)]
    }

    fileprivate init?(json: JSONValue) {
        guard let className = json["class"]?.string, let property = json["property"]?.string,
            let removedIn = json["removedIn"]?.unsigned
        else { return nil }
        self.init(className: className, property: property, removedIn: removedIn)
    }
}

extension RehearsalReport.SlowExpression {
    fileprivate var json: JSONValue {
        [
            "expression": .string(source), "milliseconds": .int(Int64(milliseconds)),
            "line": line.map { .int(Int64($0)) } ?? .null,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let source = json["expression"]?.string else { return nil }
        self.init(
            source: source, milliseconds: Int(json["milliseconds"]?.int ?? 0), line: json["line"]?.int.map { Int($0) })
    }
}

extension RealmCheckResult {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "passed": .bool(passed), "message": message.map { .string($0) } ?? .null,
            "line": line.map { .int(Int64($0)) } ?? .null,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let name = json["name"]?.string, let passed = json["passed"]?.bool else { return nil }
        self.init(
            name: name, passed: passed, message: json["message"]?.string, line: json["line"]?.int.map { Int($0) })
    }
}

extension RehearsalFinding {
    /// A finding that no other member of a report tells of.
    fileprivate init?(other json: JSONValue) {
        guard let rule = json["rule"]?.string.flatMap(RehearsalRule.init(rawValue:)), rule.isToldAsItIs,
            let level = json["level"]?.string.flatMap(Level.init(rawValue:)), let message = json["message"]?.string
        else { return nil }
        self.init(
            rule, level, message, className: json["class"]?.string, property: json["property"]?.string,
            line: json["line"]?.int.map { Int($0) })
    }

    /// The finding as clients see it.
    public var json: JSONValue {
        .object([
            JSONMember("rule", .string(rule.rawValue)), JSONMember("level", .string(level.rawValue)),
            JSONMember("message", .string(message)), JSONMember("class", className.map { .string($0) } ?? .null),
            JSONMember("property", property.map { .string($0) } ?? .null),
            JSONMember("keys", .array(keys.map { .int($0) })), JSONMember("count", .int(Int64(count))),
            JSONMember("line", line.map { .int(Int64($0)) } ?? .null),
        ])
    }
}
