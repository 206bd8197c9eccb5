import RealmMigration
import RealmModel
import Testing

@testable import ScriptChild

/// Points 9, 12 and 14: what a person is told of a script.
@Suite struct ScriptFailureTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"""
            {"schemaVersion": 1,
             "schema": [{"name": "Person", "primaryKey": "id", "properties": {"id": "string", "age": "int"}},
                        {"name": "Dog", "properties": {"name": "string"}}],
             "objects": {"Person": [{"id": "a", "age": 1}, {"id": "b", "age": 2}, {"id": "c", "age": 3},
                                    {"id": "d", "age": 4}, {"id": "e", "age": 5}],
                         "Dog": [{"_key": 3, "name": "Rex"}, {"_key": 8, "name": "Fido"}]}}
            """#)
    }

    private func key(_ id: String) throws -> ObjectKey? {
        let error = try realm.error(
            "function migrate(m) { m.enumerateObjects('Person', o => { if (o.id === '\(id)') throw 1; }); }")
        return error.details.first?.key
    }

    @Test func `an exception names the object in hand, how many were done, and the stack`() throws {
        let error = try realm.error(
            """
            function check(person) {
              if (person.age === 4) throw new Error("too old");
            }
            function migrate(migration) {
              migration.enumerateObjects("Person", (oldObject, newObject) => { check(oldObject); });
            }
            """)
        #expect(error.message == "too old")
        #expect(error.script == .exception)
        let item = try #require(error.details.first)
        #expect(error.details.count == 1)
        #expect((item.className, item.primaryKey, item.line) == ("Person", .string("d"), 2))
        #expect(item.key == (try key("d")))
        #expect((item.column ?? 0) > 0)
        #expect(
            error.objectsDone == (try realm.error(Self.counting).message).split(separator: " ").last.flatMap { Int($0) }
        )
        #expect(error.stack.count == 3)
        #expect(error.stack[0].hasPrefix("check (2:"))
        #expect(error.stack[1].hasPrefix("(anonymous) (5:"))
        #expect(error.stack[2].hasPrefix("migrate (5:"))
    }

    /// Says after how many others the object is met.
    private static let counting = """
        function migrate(migration) {
          let count = 0;
          migration.enumerateObjects("Person", o => { if (o.age === 4) throw "met after " + count; count += 1; });
        }
        """

    @Test func `an error of Realm's names it as well`() throws {
        let error = try realm.error(
            """
            function migrate(m) {
              m.enumerateObjects("Dog", (o, n) => {
                if (o.name === "Fido") n.name = null;
              });
            }
            """)
        #expect(error.details.contains { $0.className == "Dog" && $0.key == ObjectKey(8) && $0.primaryKey == nil })
        #expect(error.details.allSatisfy { $0.className == "Dog" })
        #expect(error.details.first?.line == 3)
        #expect(error.objectsDone == 1)
    }

    @Test(arguments: ["throw new TypeError('x')", "throw 'x'", "throw undefined", "null.x", "m.delete(1)"])
    func `nested enumerations name theirs, innermost first`(_ body: String) throws {
        let error = try realm.error(
            """
            function migrate(m) {
              m.enumerateObjects("Person", person => {
                m.enumerateObjects("Dog", dog => { if (person.id === "b" && dog.name === "Fido") \(body); });
              });
            }
            """)
        #expect(error.details.map(\.className) == ["Dog", "Person"])
        #expect(error.details.map(\.key) == [ObjectKey(8), try key("b")])
        #expect(error.details.map(\.primaryKey) == [nil, .string("b")])
        #expect(error.objectsDone == 1)
    }

    @Test func `an error that was caught is not taken for the next`() throws {
        let error = try realm.error(
            """
            function migrate(m) {
              try { m.enumerateObjects("Dog", () => { throw new Error("first"); }); } catch { }
              throw new Error("second");
            }
            """)
        #expect(error.message == "second")
        #expect(error.details == [ProblemItem("second", line: 3, column: error.details.first?.column)])
        #expect(error.objectsDone == nil)
    }

    @Test func `the time limit names the class and how far it was`() throws {
        let error = try realm.error(
            "function migrate(m) { m.enumerateObjects('Dog', () => { for (;;) {} }); }",
            TestRealm.Run(limits: ScriptLimits(timeoutSeconds: 2)))
        #expect(error.script == .timeLimit)
        #expect(error.details.first?.className == "Dog")
        #expect(error.details.first?.message == "0 of 2 objects of this class were done.")
        #expect(error.objectsDone == 0)
    }

    @Test func `lines of the console have their levels`() throws {
        let run = TestRealm.Run()
        _ = try realm.migrate(
            """
            function migrate(m) {
              for (const level of ["log", "info", "warn", "error"]) console[level](level);
              console.assert(false, "no");
              m.enumerateObjects("Cat", () => {});
            }
            """, run)
        #expect(run.observer.levels == [.log, .log, .warn, .error, .error, .warn])
    }

    @Test func `a class that neither schema has is pointed out once`() throws {
        let lines = try realm.log(
            """
            function migrate(m) {
              for (const name of ["Dogs", "Dogs", "Elephant", "Dog"]) m.enumerateObjects(name, () => {});
            }
            """)
        #expect(
            lines == [
                "enumerateObjects: no schema has a class 'Dogs'. Did you mean 'Dog'?",
                "enumerateObjects: no schema has a class 'Elephant'.",
            ])
    }

    @Test(arguments: [
        "throw new Error('é'.repeat(5e6))", "throw 'é'.repeat(5e6)",
        "const e = new Error(); e.name = 'é'.repeat(5e6); throw e",
        "const e = new Error('é'); e.stack = 'é'.repeat(5e6); throw e",
    ])
    func `the text of an error is cut in the host`(_ body: String) throws {
        let error = try realm.error("function migrate(m) { \(body); }")
        #expect(error.message.utf8.count <= 8192)
        #expect(error.message.hasPrefix("é"))
        #expect(error.details.allSatisfy { $0.message.utf8.count <= 8192 })
        #expect(error.stack.allSatisfy { $0.utf8.count <= 8192 })
    }

    @Test func `deep recursion has a short stack`() throws {
        let error = try realm.error("function f() { f(); } function migrate(m) { f(); }")
        #expect((1...50).contains(error.stack.count))
    }

    @Test(arguments: [
        "console.log('x'.repeat(3e7))", "console.log({a: 'x'.repeat(3e7)})",
        "console.log('x'.repeat(9000), 'y'.repeat(9000))",
        "console.log(new Array(1e6).fill('x'))", "console.log(new Error('x'.repeat(3e7)))",
    ])
    func `a line of the console is cut in the host`(_ body: String) throws {
        let lines = try realm.log("function migrate(m) { \(body); }")
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.utf8.count <= 8192 && !$0.isEmpty })
    }
}
