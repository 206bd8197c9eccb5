import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// A realm with one fault each that a migration makes of it, and the same with the fault mended: a rehearsal names the first by its
/// rule, and says nothing of the second.
@Suite struct `Planted faults` {
    /// A realm, where it is to be, and scripts that make a fault of it, or do not.
    struct Fault: Sendable, CustomTestStringConvertible {
        var rule: String
        /// The level of the finding.
        var level = "error"
        /// The members that the finding must have beside its rule.
        var says: [String: JSONValue] = [:]
        /// Whether the migration fails for it.
        var fails = false
        var version: Int64 = 1
        var schema: String
        var objects: String
        var target: String
        /// Versions that the app declares before the target: schema and script.
        var between: [(schema: String, script: String?)] = []
        var script: String?
        var mended: String?
        var checks: [String] = []
        var mendedChecks: [String] = []
        /// The target where the fault is one of the schema.
        var mendedTarget: String?
        /// The versions between where the fault is among them.
        var mendedBetween: [(schema: String, script: String?)]?
        var resolves = false

        var testDescription: String { rule }
    }

    private static let dog = #"[{"name": "Dog", "properties": {"name": "string?", "age": "string"}}]"#
    private static let dogs =
        #"{"Dog": [{"_key": 0, "name": "Rex of the hill", "age": "7"}, {"_key": 1, "name": "Fido", "age": "8"}]}"#
    private static let grown = #"[{"name": "Dog", "properties": {"name": "string?", "age": "string", "size": "int"}}]"#

    private static func each(_ body: String, of name: String = "Dog") -> String {
        "function migrate(migration) {\n  migration.enumerateObjects(\"\(name)\", (before, now) => {\n    \(body)\n  });\n}"
    }

    private static let owned = #"""
        [{"name": "Person", "properties": {"home": "Address?", "work": "Address?"}},
         {"name": "Address", "properties": {"street": "string"}}]
        """#
    private static let embedding = #"""
        [{"name": "Person", "properties": {"home": "Address?", "work": "Address?"}},
         {"name": "Address", "embedded": true, "properties": {"street": "string"}}]
        """#
    private static let keyed = #"[{"name": "User", "primaryKey": "id", "properties": {"id": "string"}}]"#

    static let faults: [Fault] = [
        // 1: values lost to null, and nulls lost to a property that takes none.
        Fault(
            rule: "valueToNull", says: ["class": "Dog", "property": "name", "keys": [0], "count": 1], schema: dog,
            objects: dogs, target: grown, script: each("now.name = before.name.length > 4 ? null : before.name;"),
            mended: each("now.size = before.name.length;")),
        Fault(
            rule: "nullToZero", level: "note", says: ["class": "A", "property": "n", "keys": [1], "count": 1],
            schema: #"[{"name": "A", "properties": {"n": "int?"}}]"#,
            objects: #"{"A": [{"_key": 0, "n": 0}, {"_key": 1, "n": null}]}"#,
            target: #"[{"name": "A", "properties": {"n": "int"}}]"#, script: each("now.n = before.n ?? 0;", of: "A"),
            mended: each("now.n = before.n ?? -1;", of: "A")),
        // 2
        Fault(
            rule: "duplicateKeys", says: ["class": "User", "property": "id", "keys": [0, 2], "count": 2], fails: true,
            schema: keyed, objects: #"{"User": [{"id": "ada"}, {"id": "bob"}, {"id": "ADA"}]}"#, target: keyed,
            script: each("now.id = before.id.toLowerCase();", of: "User"),
            mended: each("now.id = before.id + '!';", of: "User")),
        // 3
        Fault(
            rule: "orphan", says: ["class": "Address", "keys": [1], "count": 1], fails: true, schema: owned,
            objects: #"""
                {"Person": [{"_key": 0, "home": 0, "work": null}],
                 "Address": [{"_key": 0, "street": "a"}, {"_key": 1, "street": "b"}]}
                """#, target: embedding, script: "function migrate() {}",
            mended: each("if (now.street === 'b') migrationOf.delete(now);", of: "Address").replacing(
                "migration)", with: "migrationOf)"
            ).replacing("  migration.", with: "  migrationOf.")),
        // 4
        Fault(
            rule: "severalOwners", says: ["class": "Address", "keys": [0], "count": 1], fails: true, schema: owned,
            objects: #"{"Person": [{"_key": 0, "home": 0, "work": 0}], "Address": [{"_key": 0, "street": "a"}]}"#,
            target: embedding, script: "function migrate() {}", mended: nil),
        // 5
        Fault(
            rule: "skippedVersion", level: "warning", schema: dog, objects: dogs, target: grown,
            between: [(dog, each("now.name = before.name.trim();"))], script: each("now.size = 1;"), mended: nil,
            mendedBetween: [(dog, nil)]),
        // 6
        Fault(
            rule: "carriedOver", level: "warning", says: ["class": "Dog", "property": "name"], schema: dog,
            objects: dogs, target: grown,
            between: [(#"[{"name": "Dog", "properties": {"age": "string"}}]"#, nil)], mendedBetween: [(dog, nil)]),
        // 7: refused, and written as what a script makes of nothing.
        Fault(
            rule: "wrongType", says: ["class": "Dog", "property": "age", "line": 3], fails: true, schema: dog,
            objects: dogs, target: #"[{"name": "Dog", "properties": {"name": "string?", "age": "int"}}]"#,
            script: each("now.age = before.age;"), mended: each("now.age = Number(before.age);")),
        Fault(
            rule: "wrongType", says: ["class": "Dog", "property": "name", "keys": [0, 1], "count": 2], schema: dog,
            objects: dogs, target: grown, script: each("now.name = `${before.nickname}`;"),
            mended: each("now.name = `${before.name}`;")),
        // 8
        Fault(
            rule: "linkToNull", says: ["class": "Person", "property": "dogs", "keys": [0], "count": 1],
            schema:
                #"[{"name": "Person", "properties": {"dogs": "Dog[]"}}, {"name": "Dog", "properties": {"name": "string"}}]"#,
            objects:
                #"{"Person": [{"_key": 0, "dogs": [0, 1]}], "Dog": [{"_key": 0, "name": "a"}, {"_key": 1, "name": "b"}, {"_key": 2, "name": "c"}]}"#,
            target:
                #"[{"name": "Person", "properties": {"dogs": "Dog[]"}}, {"name": "Dog", "properties": {"name": "string"}}]"#,
            script:
                "function migrate(m) { m.enumerateObjects('Dog', (b, n) => { if (b.name === 'a') m.delete(n); }); }",
            mended: "function migrate(m) { m.enumerateObjects('Person', (b, n) => { n.dogs.reverse(); }); }"),
        // 9
        Fault(
            rule: "truncatedValue", says: ["class": "Dog", "property": "name", "keys": [0], "count": 1], schema: dog,
            objects: dogs, target: grown, script: each("now.name = before.name.slice(0, 8);"),
            mended: each("now.name = before.name.trim();")),
        // 10
        Fault(
            rule: "slowExpression", level: "warning", says: ["line": 3], fails: true, schema: dog,
            objects: #"{"Dog": [{"_key": 0, "name": "\#(String(repeating: "a", count: 40))", "age": "7"}]}"#,
            target: grown, script: each("now.size = /^(?:(a+)+b|.*)$/.test(before.name) ? 1 : 0;"),
            mended: each("now.size = /^a+b?$/.test(before.name) ? 1 : 0;")),
        // 11
        Fault(
            rule: "missingBranch", version: 0, schema: dog, objects: dogs, target: grown, between: [(dog, nil)],
            script: """
                function migrate(migration, version) {
                  if (version === 1) migration.enumerateObjects("Dog", (before, now) => { now.size = 1; });
                }
                """,
            mended: """
                function migrate(migration, version) {
                  if (version < 2) migration.enumerateObjects("Dog", (before, now) => { now.size = 1; });
                }
                """),
        // 12
        Fault(
            rule: "checkFailed", schema: dog, objects: dogs, target: grown, script: each("now.size = 1;"),
            mended: each("now.size = 1;"),
            checks: [
                """
                function checkSizes(oldRealm, newRealm) {
                  for (const dog of newRealm.objects("Dog")) if (dog.size !== 2) throw new Error("a dog has another size");
                }
                """
            ],
            mendedChecks: [
                """
                function checkCounts(oldRealm, newRealm) {
                  return oldRealm.objects("Dog").length === newRealm.objects("Dog").length;
                }
                const check = (before, after) => before.schemaVersion < after.schemaVersion;
                """
            ]),
    ]

    private let server: APIServer

    init() throws {
        server = try APIServer(followsJobs: true)
    }

    private func parsed(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    /// The job and the report of a rehearsal, in an app of its own.
    private func rehearse(_ fault: Fault, mended: Bool) throws -> (job: JSONValue, report: JSONValue) {
        let app = "/v1/apps/\(mended ? "mended" : "faulty")"
        #expect(try server.send("PUT", app).status == 201)
        let document: JSONValue = [
            "schemaVersion": .int(fault.version), "schema": try parsed(fault.schema),
            "objects": try parsed(fault.objects),
        ]
        #expect(try server.upload(document.encoded(), to: "\(app)/realms/ada").status == 201)
        var version = fault.version
        for (schema, script) in (mended ? fault.mendedBetween : nil) ?? fault.between {
            version += 1
            let body: JSONValue = ["schema": try parsed(schema), "migration": Self.migration(script)]
            let answer = try server.send("PUT", "\(app)/schemas/\(version)", body)
            #expect(answer.status == 201, "\(answer.json)")
        }
        let script = mended ? fault.mended ?? fault.script : fault.script
        let body: JSONValue = [
            "targetVersion": .int(version + 1),
            "schema": try parsed(mended ? fault.mendedTarget ?? fault.target : fault.target),
            "migration": Self.migration(script), "dryRun": true, "resolveEmbeddedConstraints": .bool(fault.resolves),
            "checks": .array((mended ? fault.mendedChecks : fault.checks).map { .string($0) }),
        ]
        let answer = try server.send("POST", "\(app)/realms/ada/migrations", body, fields: [("Prefer", "wait=20")])
        let path = try #require(answer.fields["location"], "\(answer.json)")
        return (answer.json, try server.send("GET", "\(path)/report").json)
    }

    private static func migration(_ script: String?) -> JSONValue {
        script.map { ["language": "javascript", "source": .string($0)] } ?? .null
    }

    @Test(arguments: faults) func `are found by name`(fault: Fault) throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let (job, report) = try rehearse(fault, mended: false)
        #expect(job["state"] == (fault.fails ? "failed" : "succeeded"), "\(job)")
        let findings = report["findings"]?.elements ?? []
        let found = try #require(findings.first { $0["rule"] == .string(fault.rule) }, "\(report)")
        #expect(found["level"] == .string(fault.level))
        for (member, value) in fault.says { #expect(found[member] == value, "\(found)") }
        // Nothing else is an error but the failure itself.
        let others = findings.filter { $0["level"] == "error" && $0["rule"] != .string(fault.rule) }
        #expect(others.allSatisfy { fault.fails && $0["rule"] == "migrationFailed" }, "\(others)")

        guard fault.mended != nil || fault.mendedBetween != nil || fault.mendedTarget != nil else { return }
        let (sound, good) = try rehearse(fault, mended: true)
        #expect(sound["state"] == "succeeded", "\(sound)")
        #expect(good["findings"] == [], "\(good["findings"] ?? .null)")
        #expect(good["error"] == .null)
        #expect(good["checks"]?.elements?.allSatisfy { $0["passed"] == true } == true)
        #expect(good["checks"]?.elements?.count == fault.mendedChecks.count * 2)
    }

    @Test func `are told of two objects with both their keys and the first that has the value`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let fault = try #require(Self.faults.first { $0.rule == "duplicateKeys" })
        let (_, report) = try rehearse(fault, mended: false)
        #expect(
            report["collisions"] == [
                ["class": "User", "property": "id", "value": "ada", "keys": [0, 2], "firstHolder": 0, "count": 2]
            ])
    }

    @Test func `take no renamed property for a dropped one, though its column is written anew`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let fault = Fault(
            rule: "", schema: Self.dog, objects: Self.dogs,
            target: #"[{"name": "Dog", "properties": {"title": "string?", "age": "string"}}]"#,
            script: """
                function migrate(migration) {
                  migration.renameProperty("Dog", "name", "title");
                  migration.enumerateObjects("Dog", (before, now) => { now.title = `The ${before.name}`; });
                }
                """)
        let (_, report) = try rehearse(fault, mended: false)
        #expect(report["losses"] == [] && report["findings"] == [], "\(report)")
        #expect(report["objects"]?["touched"] == 2)
        #expect(report["changes"]?["schema"]?.elements?.map { $0["kind"] } == ["changePropertyName"])
    }
}
