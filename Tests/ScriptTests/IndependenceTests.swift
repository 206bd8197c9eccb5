import Columns
import Foundation
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import TestRandomness
import Testing

@testable import ScriptParent

/// Scripts that declare independent classes: in shares they make what they make as a whole, or are refused.
@Suite struct IndependenceTests {
    /// A script made at random, and what is expected of it.
    private struct RandomScript {
        enum Outcome {
            case same
            case refused
            /// It keeps something between calls: nobody sees that but who compares.
            case compared
        }

        var source: String
        var outcome: Outcome
    }

    private static let schema = #"""
        [{"name": "Person", "primaryKey": "id", "properties": {
           "id": "int", "name": "string", "n": "int", "x": "double", "text": "string?", "tags": "string[]",
           "friend": "Person", "friends": "Person[]", "dog": "Dog", "bag": "int<>", "table": "string{}", "any": "mixed",
           "home": "Home", "owned": {"type": "linkingObjects", "objectType": "Person", "property": "friend"}}},
         {"name": "Dog", "primaryKey": "id", "properties": {"id": "int", "name": "string", "age": "int"}},
         {"name": "Home", "embedded": true, "properties": {"street": "string"}}]
        """#
    private static let target = schema.replacing(
        #""bag": "int<>""#,
        with: #""bag": "int<>", "sum": "int", "full": "string?", "when": "date?", "half": "double?""#)

    private static func json(_ count: Int) -> String {
        let people = (0..<count).map { i in
            let friends = (0..<i % 3).map { "\((i + $0 + 1) % count)" }.joined(separator: ",")
            let home = i % 4 == 0 ? #"{"street": "s\#(i)"}"# : "null"
            return #"""
                {"id": \#(i), "name": "p\#(i)", "n": \#(i * 7 % 11), "x": \#(i).5, "text": \#(i % 5 == 0 ? "null" : "\"é\(i)\""),
                 "tags": ["t\#(i % 2)"], "friend": \#(i % 6 == 0 ? "null" : "\(i * 5 % count)"), "friends": [\#(friends)],
                 "dog": \#(i % 3), "bag": [\#(i)], "table": {"k": "v\#(i)"}, "any": \#(i), "home": \#(home)}
                """#
        }
        let dogs = (0..<3).map { #"{"id": \#($0), "name": "d\#($0)", "age": \#($0)}"# }
        return #"""
            {"schemaVersion": 0, "schema": \#(schema),
             "objects": {"Person": [\#(people.joined(separator: ","))], "Dog": [\#(dogs.joined(separator: ","))]}}
            """#
    }

    /// Operations that look at the two objects and the old realm alone.
    private static let pure = [
        "n.sum = o.n * 3 + 1;", "n.sum += n.n;", "n.full = o.name + '!' + (o.text ?? '');", "n.text = null;",
        "n.x = -o.x;",
        "n.tags.push(o.name, 'more');", "n.tags = o.tags;", "n.tags = n.tags.map(t => t + t);", "n.friend = o.friend;",
        "n.friend = null;", "n.sum = o.friend ? o.friend.n : -1;", "n.full = o.friends.map(f => f.name).join();",
        "n.friends = [...o.friends].reverse();", "n.dog = m.oldRealm.objectForPrimaryKey('Dog', o.n % 3);",
        "n.sum = m.oldRealm.objects('Dog').length + m.oldRealm.objects('Person').filtered('n > $0', o.n).length;",
        "n.full = o.dog.name + n.dog._key;", "n.bag.add(o.n); n.bag.delete(o.id);", "n.table.more = o.name;",
        "n.any = o.text;",
        "n.any = o.friend;", "console.log(o.id, n.name);", "if (o.id % 7 === 3) console.warn('seven');",
        "n.when = new Date(o.n * 1000); n.half = o.x / 2;", "n.sum = o.friends.length * 2;",
        "n.full = String(n.friends.length);",
        "n.full = o.home ? o.home.street : null;", "for (const f of o.friends) n.tags.push(f.name);",
        "const { name, ...rest } = o; n.full = Object.keys(rest).join();", "n.sum = m.oldSchemaVersion;",
    ]
    /// Operations that look at or change something else, wherever they are done.
    private static let impure = [
        "n.sum = n.friend ? n.friend.n : m.newRealm.objects('Dog').length;",
        "m.create('Dog', { id: 1000 + o.id, name: 'x', age: 1 });",
        "if (o.id === 5) m.delete(n);", "n.sum = m.newRealm.objects('Person').length;", "n.dog.age = 7;",
        "n.sum = m.newRealm.objectForPrimaryKey('Dog', 1).age;", "n.half = Math.random();", "n.when = new Date();",
        "n.home = { street: 'new' };", "n.dog = { id: 2000 + o.id, name: 'y', age: 2 };",
        "if (n.home) n.home.street += 'x';",
        "m.enumerateObjects('Dog', (p, q) => {});", "n.sum = n.owned.length;", "if (n.home) n.home = null;",
        "n.sum = n.friends.filtered('n > 1').length;", "if (kept) n.sum = kept.n; kept = n;",
        "if (kept) kept.n = 1; kept = n;",
        "m.deleteData('Dog');", "n.full = String(Date.now());",
        "n.full = n.friends.map(f => f.name).join(); n.dog.name;",
        "m.renameProperty('Person', 'a', 'b');", "n.friend = o; if (kept) n.sum = kept.n; kept = n.friend;",
        "n.full = JSON.stringify(n.dog.toJSON());",
        "n.full = new UUID().toString();",
    ]
    private static let keeping = [
        "n.sum = count++;", "n.full = last; last = o.name;", "memo[o.n] ??= o.id; n.sum = memo[o.n];",
    ]

    private static func script(_ seed: Int) -> RandomScript {
        var random = SeededGenerator(seed: UInt64(seed))
        var lines = (0..<1 + random.below(6)).map { _ in random.pick(pure) ?? "" }
        var outcome = RandomScript.Outcome.same
        let kind = seed % 4
        if kind == 1 {
            let line = random.pick(impure) ?? ""
            lines.insert(random.below(2) == 0 ? line : "try { \(line) } catch {}", at: random.below(lines.count + 1))
            outcome = .refused
        } else if kind == 2, random.below(2) == 0 {
            lines.append(random.pick(keeping) ?? "")
            outcome = .compared
        }
        let body = lines.enumerated().map { "{ \($0.element) }" }.joined(separator: "\n    ")
        let second =
            random.below(3) == 0 ? "m.enumerateObjects('Person', (o, n) => { n.sum += 1; console.log(n.sum); });" : ""
        return RandomScript(
            source: """
                let kept = null, count = 0, last = '', memo = {};
                function migrate(m) {
                  console.log('begins');
                  m.enumerateObjects('Person', (o, n) => {
                    \(body)
                  });
                  console.log('between');
                  \(second)
                  m.enumerateObjects('Nobody', () => {});
                }
                """, outcome: outcome)
    }

    private static let origin = ScriptOrigin(source: RealmModel.UUID.uuid(9), milliseconds: 1_000_000)
    private static let hosts = Result {
        HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 6))
    }

    /// How a script runs.
    private struct Way {
        var shares = 1
        var hosts = 1
        var isDeclared = true
        var isRehearsal = false
        var quarantineLimit: Int?
        var limits = ScriptLimits(timeoutSeconds: 120)
        var observer = TestObserver()
        var independent = ["Person"]
        var hostPool: HostPool?
    }

    private static let count = 41

    private func migrate(_ realm: TestRealm, _ source: String, _ way: Way) throws -> MigrationResult {
        var request = MigrationRequest(
            source: realm.snapshot, target: try TargetJSON(Array("{\"schema\":\(Self.target)}".utf8)).schema,
            targetVersion: 1,
            migration: DeclaredMigration(script: ScriptSource(.javaScript, source)), origin: Self.origin)
        if way.isDeclared { request.migration.independent = way.independent }
        request.quarantineLimit = way.quarantineLimit
        let limits = RowGroupLimits(rows: 3, bytes: 1 << 20)
        let host = SandboxedScriptRunner(
            hosts: try way.hostPool ?? Self.hosts.get(), slots: HostSlots(way.hosts), rowGroups: limits)
        return try MigrationRunner(
            by: host, of: TestRealm.app, rowGroups: limits,
            division: ShareDivision(
                objectsPerShare: max(Self.count / way.shares, 1),
                counts: [2, 3, 4, way.shares].filter { $0 <= way.shares }),
            isRehearsal: way.isRehearsal
        ).run(request, limits: way.limits, store: realm.store, observer: way.observer)
    }

    /// All that a migration came to: its cells as they are stored, its log, and its error.
    private func outcome(_ source: String, _ way: Way) throws -> [String] {
        let realm = try TestRealm(Self.json(Self.count))
        do {
            let result = try migrate(realm, source, way)
            var lines = way.observer.lines + way.observer.levels.map(\.rawValue) + result.warnings
            lines += ["\(result.quarantined)", "\(result.findings)", "\(result.renames)", "\(result.output.logBytes)"]
            for stored in result.snapshot.classes {
                let reader = try ClassReader(stored, store: realm.store)
                lines.append("\(stored.schema) \(reader.rowGroups) \(stored.nextSequence)")
                for group in reader.rowGroups.indices {
                    lines.append("\(try reader.keys(inGroup: group))")
                    for property in stored.columns.indices {
                        lines.append("\(SegmentCoding.encode(try reader.column(property, inGroup: group)))")
                    }
                }
            }
            return lines
        } catch let error as MigrationError {
            return way.observer.lines + [
                "\(error.message)", "\(error.details)", "\(error.stack)", "\(error.objectsDone ?? -1)",
            ]
        }
    }

    private func error(_ source: String, _ way: Way) throws -> MigrationError {
        let realm = try TestRealm(Self.json(Self.count))
        return try #require(throws: MigrationError.self) { _ = try migrate(realm, source, way) }
    }

    @Test(arguments: 0..<120)
    func `make in shares what they make as a whole, or are refused`(seed: Int) throws {
        let script = Self.script(seed)
        let (shares, hosts) = (2 + seed % 4, 1 + seed % 3)
        switch script.outcome {
        case .same:
            let whole = try outcome(script.source, Way(isDeclared: false))
            #expect(try outcome(script.source, Way(shares: shares, hosts: hosts)) == whole, "\(script.source)")
            #expect(try outcome(script.source, Way()) == whole)
        case .refused:
            for way in [Way(), Way(shares: shares, hosts: hosts)] {
                let error = try error(script.source, way)
                #expect(error.script == .notIndependent, "\(script.source)\n\(error)")
                #expect(error.details.contains { $0.line != nil }, "\(script.source)\n\(error) \(error.details)")
            }
        case .compared:
            let one = try outcome(script.source, Way(shares: shares, hosts: 1))
            #expect(try outcome(script.source, Way(shares: shares, hosts: 3)) == one)
            let whole = try outcome(script.source, Way(isDeclared: false))
            guard one != whole else { break }
            #expect(
                try error(script.source, Way(shares: shares, hosts: 2, isRehearsal: true)).script == .notIndependent)
        }
    }

    @Test(arguments: 0..<40)
    func `fail where one script would`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let failing = (0..<1 + random.below(3)).map { _ in "\(random.below(Self.count))" }.joined(separator: ", ")
        let caught = random.below(3) == 0
        let source = """
            function migrate(m) {
              console.log('first');
              m.enumerateObjects('Person', (o, n) => { console.log(o.id); n.sum = o.n; });
              \(caught ? "try {" : "")
              m.enumerateObjects('Person', (o, n) => {
                if ([\(failing)].includes(o.id)) { if (o.id % 2) null.x; else n.name = null; }
                console.log(n.sum);
              });
              \(caught ? "} catch (e) { console.log('caught'); }" : "")
            }
            """
        // As a whole it is held to the declaration, too: an error that leaves an enumeration is the end.
        let whole = try outcome(source, Way())
        if !caught { #expect(try outcome(source, Way(isDeclared: false)) == whole) }
        // A script that catches goes on to its end, and says so; the error counts.
        let shared = try outcome(source, Way(shares: 2 + seed % 4, hosts: 1 + seed % 3))
        #expect(shared.filter { $0 != "caught" } == whole.filter { $0 != "caught" })
    }

    @Test func `give each share a world of its own, however many hosts there are`() throws {
        let source =
            "let count = 0; function migrate(m) { m.enumerateObjects('Person', (o, n) => { console.log(count++); }); }"
        for hosts in 1...4 {
            let way = Way(shares: 4, hosts: hosts)
            _ = try outcome(source, way)
            // Fourteen row groups of three objects, the last of two.
            #expect(way.observer.lines.indices.filter { way.observer.lines[$0] == "0" } == [0, 9, 21, 30])
        }
    }

    @Test func `name the line of what they may not do`() throws {
        let source = """
            function migrate(m) {
              m.enumerateObjects('Person', (o, n) => {
                n.sum = o.n;
                n.dog.age = 3;
              });
            }
            """
        let error = try error(source, Way(shares: 3, hosts: 2))
        #expect(error.message.contains("a new object of class 'Dog' that is not the callback's own"))
        #expect(error.details.first?.line == 4 && error.details.first?.key == ObjectKey(0))
        let other = try self.error("function migrate(m) { m.enumerateObjects('Dog', () => {}); }", Way(shares: 2))
        #expect(other.script == .notIndependent && other.message.contains("class 'Dog'"))
    }

    @Test func `ask whether another class was meant`() throws {
        let source = "function migrate(m) { m.enumerateObjects('Person', () => {}); }"
        for (name, hint) in [
            ("Persn", "It names 'Persn', and no schema has such a class. Did you mean 'Person'?"),
            ("Xyzzy", "It names 'Xyzzy', and no schema has such a class."), ("Dog", nil),
        ] {
            let error = try error(source, Way(shares: 2, independent: [name]))
            #expect(error.details.first?.hint == hint && error.details.first?.line == 1, "\(error.details)")
        }
    }

    @Test func `hold to the limits of one script`() throws {
        let source =
            "function migrate(m) { m.enumerateObjects('Person', (o, n) => { console.log('12345'); n.full = o.name; }); }"
        for bytes in [6 * 10, 6 * Self.count - 1, 6 * Self.count] {
            let ways = [Way(isDeclared: false), Way(shares: 4, hosts: 3)].map { way in
                var way = way
                way.limits.output.logBytes = bytes
                return way
            }
            #expect(try outcome(source, ways[1]) == outcome(source, ways[0]))
        }
        var way = Way(shares: 4, hosts: 2)
        way.limits.output.writtenBytes = 500
        #expect(try error(source, way).script == .outputLimit)
        way = Way(shares: 4, hosts: 2)
        way.limits.timeoutSeconds = 1
        let endless = try error("function migrate(m) { m.enumerateObjects('Person', () => { while (true); }); }", way)
        #expect(endless.script == .timeLimit && endless.message.contains("1.0 seconds"))
    }

    @Test func `tell how far all of them are`() throws {
        let way = Way(shares: 4, hosts: 3)
        _ = try outcome("function migrate(m) { m.enumerateObjects('Person', (o, n) => { n.sum = 1; }); }", way)
        let done = way.observer.progress.filter { $0.className == "Person" }
        #expect(done.map(\.objectsDone) == done.map(\.objectsDone).sorted())
        #expect(done.allSatisfy { $0.objectsTotal == Self.count && $0.objectsDone <= Self.count })
        #expect(way.observer.progress.map(\.phase).first == "prepare" && way.observer.progress.last?.phase == "finish")
    }

    @Test func `set objects aside as a whole`() throws {
        let source =
            "function migrate(m) { m.enumerateObjects('Person', (o, n) => { n.sum = 1; if (o.id % 9 === 2) null.x; }); }"
        let whole = try outcome(source, Way(isDeclared: false, quarantineLimit: 50))
        #expect(try outcome(source, Way(shares: 3, hosts: 2, quarantineLimit: 50)) == whole)
    }

    @Test func `stop where they are cancelled`() throws {
        let way = Way(shares: 4, hosts: 2)
        way.observer.questionsUntilCancelled = 3
        let error = try error("function migrate(m) { m.enumerateObjects('Person', () => { while (true); }); }", way)
        #expect(error.script == .cancelled)
    }
}
