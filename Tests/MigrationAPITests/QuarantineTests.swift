import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Objects whose callback throws are set aside; the rest is migrated, and they are later, alone.
@Suite struct `Quarantine` {
    private static let realm = "/v1/apps/shop/realms/ada"
    private let server: APIServer

    init() throws {
        server = try APIServer(followsJobs: true)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
    }

    /// Dogs of which every tenth has no number for an age.
    private func upload(_ count: Int = 30) throws {
        let dogs = (0..<count).map { number -> JSONValue in
            let age = number % 10 == 3 ? "old" : "\(number)"
            let friend: JSONValue = number == 0 ? .int(3) : .null
            return [
                "_key": .int(Int64(number)), "name": .string("dog \(number)"), "age": .string(age),
                "friend": friend, "toys": ["ball"],
            ]
        }
        let document: JSONValue = [
            "schemaVersion": 1,
            "schema": [
                [
                    "name": "Dog",
                    "properties": ["name": "string", "age": "string", "friend": "Dog?", "toys": "string[]"],
                ]
            ], "objects": ["Dog": .array(dogs)],
        ]
        let answer = try server.upload(document.encoded())
        #expect(answer.status == 201, "\(answer.json)")
    }

    private static let target: JSONValue = [
        [
            "name": "Dog",
            "properties": [
                "name": "string", "age": "int", "friend": "Dog?", "toys": "string[]", "label": "string?",
            ],
        ]
    ]

    private static func script(_ body: String) -> JSONValue {
        [
            "language": "javascript",
            "source": .string(
                """
                function migrate(migration) {
                  migration.enumerateObjects("Dog", (before, now) => {
                    now.name = before.name.toUpperCase();
                    now.toys.push("bone");
                    now.label = "seen";
                    \(body)
                  });
                }
                """),
        ]
    }

    private static let strict = script(
        "if (!/^[0-9]+$/.test(before.age)) throw new Error('no number');\n    now.age = Number(before.age);")

    private func migrate(_ members: [JSONMember] = []) throws -> (path: String, job: JSONValue) {
        let body: [JSONMember] = [
            JSONMember("targetVersion", 2), JSONMember("schema", Self.target),
            JSONMember("migration", Self.strict), JSONMember("onError", "quarantine"),
        ]
        let given = Set(members.map(\.name))
        let answer = try server.send(
            "POST", "\(Self.realm)/migrations", .object(body.filter { !given.contains($0.name) } + members),
            fields: [("Prefer", "wait=20")])
        return (try #require(answer.fields["location"], "\(answer.json)"), answer.json)
    }

    private func dogs() throws -> [JSONValue] {
        let current = try #require(try server.send("GET", Self.realm).json["currentSnapshot"]?.string)
        return try server.send("GET", "/v1/snapshots/\(current)/objects/Dog").json["items"]?.elements ?? []
    }

    private func finished(_ path: String) throws -> JSONValue {
        try server.send("GET", path, fields: [("Prefer", "wait=20")]).json
    }

    @Test(arguments: [
        "now.e = null", "now.e.f.w = 9; now.l[0].f = {w: 8}", "now.l.push({f: {w: 7}})", "now.l = []; now.d = {}",
        "now.d.k = {f: {w: 6}}; delete now.d.z", "now.e = {f: null}; now.e.f = {w: 5}", "now.l.splice(0, 1)",
        "m.delete(now.e)", "m.delete(now.e.f)", "m.delete(now.l[0]); now.d.z.f.w = 3", "m.delete(now.d.z)",
    ])
    func `gives objects back what is embedded in them`(change: String) throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let properties: JSONValue = ["e": "E?", "l": "E[]", "d": "E{}"]
        let schema: JSONValue = [
            ["name": "A", "properties": properties], ["name": "E", "embedded": true, "properties": ["f": "F?"]],
            ["name": "F", "embedded": true, "properties": ["w": "int"]],
        ]
        func part(_ number: Int64) -> JSONValue { ["f": ["w": .int(number)]] }
        let objects = (0..<3).map { key -> JSONValue in
            ["_key": .int(key), "e": part(1 + key), "l": [part(2), part(3)], "d": ["z": part(4)]]
        }
        let document: JSONValue = ["schemaVersion": 1, "schema": schema, "objects": ["A": .array(objects)]]
        #expect(try server.upload(document.encoded()).status == 201)
        let source = """
            function migrate(m) {
              m.enumerateObjects("A", (before, now) => { \(change); if (before.e.f.w === 2) throw Error("no"); });
            }
            """
        let (_, job) = try migrate([
            JSONMember("schema", schema),
            JSONMember("migration", ["language": "javascript", "source": .string(source)]),
        ])
        #expect(job["state"] == "succeeded" && job["quarantinedCount"] == 1, "\(job)")
        let current = try #require(try server.send("GET", Self.realm).json["currentSnapshot"]?.string)
        let items = try server.send("GET", "/v1/snapshots/\(current)/objects/A").json["items"]?.elements ?? []
        #expect(items.count == 3 && items[1] == objects[1] && items[0] != objects[0], "\(items)")
    }

    @Test func `fails where a callback deletes its object and then throws, as it can't come back`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload()
        let body = "if (before.name === 'dog 4') { migration.delete(now); throw new Error('deleted'); }"
        let (_, job) = try migrate([JSONMember("migration", Self.script(body))])
        #expect(job["state"] == "failed" && job["error"]?["detail"]?.string?.contains("deleted") == true, "\(job)")
        #expect(try dogs().count == 30)
    }

    @Test func `sets objects aside as they were, finishes the rest, and is retried alone by a mended script`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload()
        let (path, job) = try migrate()
        #expect(job["state"] == "succeeded" && job["quarantinedCount"] == 3, "\(job)")
        let list = try server.send("GET", "\(path)/quarantine?limit=2").json
        let first = try #require(list["items"]?.elements?.first)
        #expect(first["class"] == "Dog" && first["key"] == 3 && first["object"]?["age"] == "old")
        #expect(first["error"]?["message"] == "no number" && first["error"]?["line"] == 6)
        let next = try #require(list["next"]?.string)
        let rest = try server.send("GET", "\(path)/quarantine?cursor=\(next)").json
        #expect(rest["items"]?.elements?.map { $0["key"] } == [23] && rest["next"] == .null)

        // The callback's changes to them before it threw are undone; the others are whole.
        let after = try dogs()
        #expect(after.count == 30)
        #expect(after[3]["name"] == "dog 3" && after[3]["age"] == 0 && after[3]["toys"] == ["ball"])
        #expect(after[3]["label"] == .null && after[0]["friend"] == 3)
        #expect(after[4]["name"] == "DOG 4" && after[4]["age"] == 4 && after[4]["toys"] == ["ball", "bone"])

        // One that is mended for some of them alone.
        let mended = Self.script(
            "if (before.name === 'dog 13') throw new Error('not this one');\n    now.age = Number(before.age) || -1;")
        let retry = try server.send("POST", "\(path)/quarantine/retry", ["migration": mended])
        #expect(retry.status == 202, "\(retry.json)")
        let again = try #require(retry.fields["location"])
        let second = try finished(again)
        #expect(second["state"] == "succeeded" && second["quarantinedCount"] == 1, "\(second)")
        #expect(second["retryOf"] == job["id"])
        let mendedDogs = try dogs()
        let ages: [Int64] = (0..<30).map { number in
            if number == 13 { return 0 }
            return number % 10 == 3 ? -1 : Int64(number)
        }
        #expect(mendedDogs.compactMap { $0["age"]?.int } == ages)
        #expect(mendedDogs[3]["name"] == "DOG 3" && mendedDogs[3]["toys"] == ["ball", "bone"])
        #expect(mendedDogs[4]["toys"] == ["ball", "bone"] && mendedDogs[13]["name"] == "dog 13")
        #expect(try server.send("GET", "\(path)/quarantine").json["items"] == [])
        #expect(try server.send("POST", "\(path)/quarantine/retry").problem == "nothing_quarantined")
        // And the last.
        let last = try server.send(
            "POST", "\(again)/quarantine/retry", ["migration": Self.script("now.age = -2;")])
        #expect(try finished(try #require(last.fields["location"]))["quarantinedCount"] == 0)
        #expect(try dogs()[13]["age"] == -2)
    }

    @Test func `leaves an object that one enumeration set aside out of all others, and counts it once`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload()
        func script(_ age: String, fails: Bool) -> JSONValue {
            [
                "language": "javascript",
                "source": .string(
                    """
                    const setAge = (before, now) => { now.age = \(age); };
                    function migrate(migration) {
                      migration.enumerateObjects("Dog", setAge);
                      migration.enumerateObjects("Dog", (before, now) => { now.label = (now.label ?? "") + "x"; });
                      // More often than objects may be set aside.
                      for (let i = 0; i < 400; i++) migration.enumerateObjects("Dog", setAge);
                      migration.enumerateObjects("Dog", (before, now) => {
                        if (before.name === "dog 0") migration.enumerateObjects("Dog", (_, inner) => { inner.toys.push("bone"); });
                        if (before.name !== "dog 5") return;
                        migration.enumerateObjects("Dog", (_, inner) => { if (inner.name === "dog 5" && \(fails)) throw new Error("x"); });
                        now.label = "changed after it was set aside";
                      });
                    }
                    """),
            ]
        }
        let strict = script(
            "/^[0-9]+$/.test(before.age) ? Number(before.age) : (() => { throw new Error('no number'); })()",
            fails: true)
        let (path, job) = try migrate([JSONMember("migration", strict)])
        #expect(job["state"] == "succeeded" && job["quarantinedCount"] == 4, "\(job)")
        #expect(
            try server.send("GET", "\(path)/quarantine").json["items"]?.elements?.map { $0["key"] } == [3, 13, 23, 5])
        for (number, dog) in try dogs().enumerated() {
            let isAside = number % 10 == 3 || number == 5
            #expect(
                dog["label"] == (isAside ? .null : "x") && dog["toys"] == (isAside ? ["ball"] : ["ball", "bone"]),
                "\(number)")
        }
        let retry = try server.send(
            "POST", "\(path)/quarantine/retry", ["migration": script("Number(before.age) || -1", fails: false)])
        #expect(try finished(try #require(retry.fields["location"]))["quarantinedCount"] == 0)
        #expect(
            try dogs().enumerated().allSatisfy { $1["label"] == ($0 == 5 ? "changed after it was set aside" : "x") })
    }

    @Test func `says the line of the Swift file that an object failed at`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload(5)
        let block = """
            func migrate(_ migration: Migration, from version: UInt64) {
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    let age = old!["age"] as! String
                    new!["age"] =
                        Int(age)!
                }
            }
            """
        let migration: JSONValue = [
            "language": "swift", "sources": [["name": "Migration.swift", "text": .string(block)]],
        ]
        let (path, job) = try migrate([JSONMember("migration", migration)])
        #expect(job["state"] == "succeeded" && job["quarantinedCount"] == 1, "\(job)")
        let error = try server.send("GET", "\(path)/quarantine").json["items"]?.elements?.first?["error"]
        #expect(
            error?["message"]?.string?.contains("found nil while unwrapping") == true, "\(String(describing: error))")
        #expect(error?["line"] == 5 && error?["column"] == 13, "\(String(describing: error))")
    }

    @Test func `is limited, and of another realm's state nothing is retried`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload(1_200)
        let (_, failed) = try migrate([JSONMember("migration", Self.script("throw new Error('none');"))])
        #expect(failed["state"] == "failed")
        #expect(
            failed["error"]?["detail"]?.string?.hasPrefix("More than 1000 objects would be quarantined") == true,
            "\(failed)")
        // Without it the first fails.
        let (_, aborted) = try migrate([JSONMember("onError", "abort")])
        #expect(aborted["state"] == "failed" && aborted["quarantinedCount"] == 0)
        let (path, _) = try migrate()
        try upload()
        #expect(try server.send("POST", "\(path)/quarantine/retry").problem == "realm_changed")
        #expect(try server.send("POST", "\(path)/quarantine/retry", ["migration": 1]).status == 422)
    }

    @Test func `does nothing once more that stands outside of enumerations`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload()
        let (path, _) = try migrate()
        let programs = [
            "function migrate(migration) { migration.create('Dog', {name: 'new', age: 1}); }",
            "function onMigration(oldRealm, newRealm) { for (const dog of newRealm.objects('Dog')) dog.age += 1; }",
            "function migrate(migration) { migration.deleteData('Dog'); }",
        ]
        for program in programs {
            let migration: JSONValue = ["language": "javascript", "source": .string(program)]
            let retry = try server.send("POST", "\(path)/quarantine/retry", ["migration": migration])
            let job = try finished(try #require(retry.fields["location"]))
            #expect(job["state"] == "failed")
            #expect(job["error"]?["detail"]?.string?.hasPrefix("A retry changes objects") == true, "\(job)")
        }
        #expect(try server.send("GET", path).json["quarantinedCount"] == 3)
    }

    @Test func `keeps what renames of the script brought, and knows its classes again`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        try upload()
        let target: JSONValue = [
            [
                "name": "Hound",
                "properties": [
                    "title": "string", "age": "int", "friend": "Hound?", "toys": "string[]", "label": "string?",
                ],
            ]
        ]
        func script(_ body: String) -> JSONValue {
            [
                "language": "javascript",
                "source": .string(
                    """
                    function migrate(migration) {
                      migration.renameClass("Dog", "Hound");
                      migration.renameProperty("Hound", "name", "title");
                      migration.enumerateObjects("Hound", (before, now) => {
                        now.title = "seen";
                        \(body)
                      });
                    }
                    """),
            ]
        }
        let strict = "if (!/^[0-9]+$/.test(before.age)) throw new Error('no number');"
        let (path, job) = try migrate([JSONMember("schema", target), JSONMember("migration", script(strict))])
        #expect(job["quarantinedCount"] == 3, "\(job)")
        let items = try server.send("GET", "\(path)/quarantine").json["items"]?.elements
        #expect(items?.first?["class"] == "Hound" && items?.first?["object"]?["name"] == "dog 3")
        func hounds() throws -> [JSONValue] {
            let current = try #require(try server.send("GET", Self.realm).json["currentSnapshot"]?.string)
            return try server.send("GET", "/v1/snapshots/\(current)/objects/Hound").json["items"]?.elements ?? []
        }
        #expect(try hounds()[3]["title"] == "dog 3")
        // It throws again: what the rename brought is there still.
        let again = try server.send("POST", "\(path)/quarantine/retry", ["migration": script(strict)])
        let second = try finished(try #require(again.fields["location"]))
        #expect(second["state"] == "succeeded" && second["quarantinedCount"] == 3, "\(second)")
        #expect(try hounds()[3]["title"] == "dog 3" && hounds()[0]["friend"] == 3)
        let last = try server.send(
            "POST", "\(try #require(again.fields["location"]))/quarantine/retry",
            ["migration": script("now.title = before.name + '!'; now.age = -1;")])
        #expect(try finished(try #require(last.fields["location"]))["quarantinedCount"] == 0)
        #expect(try hounds()[3]["title"] == "dog 3!" && hounds()[3]["age"] == -1)
    }
}
