import RealmMigration
import Sandbox
import Testing

@testable import ScriptChild

@Suite struct ScriptErrorTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            """
            {"schemaVersion": 0,
             "schema": [{"name": "A", "properties": {"n": "int", "s": "string", "l": "A[]", "o": "string?"}}],
             "objects": {"A": [{"n": 1, "s": "secret", "l": [], "o": null}]}}
            """)
    }

    private func place(_ error: MigrationError) -> [Int?] { error.details.last.map { [$0.line, $0.column] } ?? [] }

    @Test func `tells where the text is no program`() throws {
        let error = try realm.error("function migrate() {\n  let x = ;\n}")
        #expect(error.script == .syntax)
        #expect(place(error).first == 2)
    }

    @Test(arguments: ["", "const x = 1;", "export function migrate() {}", "let migrate = 5;"])
    func `needs a migration function`(source: String) throws {
        #expect(try realm.error(source).script == .syntax)
    }

    @Test(arguments: [
        "function migrate(m) { m.deleteData('A') }", "const migrate = m => { m.deleteData('A') }",
        "let migrate = function (m) { m.deleteData('A') }", "var migrate = m => m.deleteData('A') && undefined",
        "const onMigration = (o, n) => { n.deleteModel('A') }",
    ])
    func `takes the function however it is declared`(source: String) throws {
        #expect(try realm.json(source) == #"{"A":[]}"# + "}")
    }

    @Test func `tells what a script throws, and where`() throws {
        let error = try realm.error("function migrate() {\n\n    throw new Error(\"stop right here\")\n}")
        #expect(error.message == "stop right here")
        #expect(error.script == .exception)
        #expect(error.code == nil)
        #expect(place(error).first == 3)
    }

    /// The engine's stack has a hundred calls, and those of coding a deep value are more.
    @Test func `tells where a value nests too deep`() throws {
        let error = try realm.error(
            "function migrate(m) {\n  const a = {};\n  a.a = a;\n  m.create('A', { n: 1, s: '', o: a });\n}")
        #expect(error.message == "A value nests deeper than 100 levels.")
        #expect(place(error).first == 4)
    }

    @Test(arguments: [
        ("n.n = 1.5", "Round the number, by Math.round(…) or Math.trunc(…)."),
        ("n.n = NaN", "Look whether the number is one, by Number.isNaN(…), and give another for it."),
        ("n.n = '5'", "Convert the value by Number(…)."),
        ("throw { code: 5 }", "Throw an Error, as by throw new Error(\"…\"): it knows its line."),
    ])
    func `tells a way that helps`(body: String, hint: String) throws {
        let source = "function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }"
        let error = try realm.error(source)
        #expect(error.details.first?.hint == hint)
    }

    @Test func `tells what stands for a date`() throws {
        let error = try realm.error("function migrate(m) { m.create('A', { n: 1, s: new Proxy(new Date(5), {}) }) }")
        #expect(error.message.hasPrefix("The value is no Date, but stands for one"))
    }

    @Test(arguments: [
        "{ get a() { f(); } }", "{ get .5() { f(); } }", "{ toJSON() { f(); } }", "{ ['to' + 'JSON']() { f(); } }",
        "[Object.assign(new String('x'), { toString() { f(); } })]",
        "{ t: Object.assign(new Date(0), { toISOString() { f(); } }) }",
    ])
    func `does not go on where the console has run out of stack`(shown: String) throws {
        let error = try realm.error(
            "let depth = 0; function f() { depth++; f(); } function migrate() { console.log(\(shown)); }")
        #expect(error.message == "Maximum call stack size exceeded.")
    }

    @Test func `goes on where the console can't show an object`() throws {
        #expect(
            try realm.json("function migrate(m) { console.log({ toJSON() { throw 1; } }); m.deleteData('A'); }")
                == #"{"A":[]}"# + "}")
    }

    @Test(arguments: [
        ("throw 'text'", "text"), ("throw 5", "5"), ("throw null", "null"), ("throw { toString: () => 'o' }", "o"),
        ("throw { toString() { throw 1 } }", "The script threw a value that can't be shown."),
        (
            "throw Object.assign(new Error(), { message: { toString() { throw 1 } } })",
            "The script threw a value that can't be shown."
        ),
        ("throw new Proxy({}, {})", "The script threw an object that is no Error."),
        ("throw { message: 'mine' }", "The script threw an object that is no Error: mine"),
        ("throw Symbol('s')", "Symbol(s)"),
    ])
    func `survives whatever is thrown`(body: String, message: String) throws {
        #expect(try realm.error("function migrate() { \(body) }").message == message)
    }

    @Test func `names the line of a failed expression`() throws {
        let error = try realm.error(
            "function migrate(m) {\n  m.enumerateObjects('A', (o, n) => {\n    n.nope.x = 1\n  })\n}")
        #expect(place(error).first == 3)
    }

    @Test func `keeps Realm's error through the script`() throws {
        let error = try realm.error(
            "function migrate(m) {\n  m.enumerateObjects('A', (o, n) => {\n    n.s = null\n  })\n}")
        #expect(error.code == .propertyNotNullable)
        #expect(error.message == "Invalid null value for non-nullable property 'A.s'.")
        #expect(error.script == .exception)
        #expect(place(error).first == 3)
    }

    @Test func `lets a script catch Realm's error`() throws {
        let lines = try realm.log(
            """
            function migrate(m) {
              try { m.renameProperty("Nope", "a", "b") } catch (error) {
                console.log(error instanceof Error, error.realmCode !== undefined, error.message);
              }
            }
            """)
        #expect(lines == ["true true Cannot rename properties for type 'Nope' because it does not exist."])
    }

    @Test(arguments: [
        "const migrate = () => ({ then() {} })",
        "function migrate(m) { m.enumerateObjects('A', () => ({ then() {} })) }",
        "const migrate = () => globalThis['Promise'].resolve()",
    ])
    func `is synchronous`(source: String) throws {
        let error = try realm.error(source)
        #expect(error.message == "Migrations are synchronous: a function returned a Promise.")
        #expect(error.script == .exception)
    }

    /// The work of a promise's callback, and its errors, would be lost without a word.
    @Test(arguments: [
        "async function other() {}", "async function* other() {}", "const other = () => Promise.resolve()",
        "m.enumerateObjects('A', async () => {})",
        "Promise.resolve().then(() => { throw new Error('boom') })", "(async () => { await 0; m.deleteData('A') })()",
        "for (const a of [1].map(async\tx => x)) a.then(f)", "new globalThis.Promise(f)", "Array.fromAsync([]).then(f)",
        "import('fs').then(f)", "`${(async () => f)()}`", "const a = 4 / 2, b = Promise / 2",
        "class B { async f() {} }", "const a = { async f() {} }", "const a = { async *f() {} }",
        "const a = /'/; Promise.all([]); const b = \"'\"",
    ])
    func `refuses what would run after its end, with the line`(code: String) throws {
        let error = try realm.error("// async\nfunction migrate(m) {}\n\n\(code)")
        #expect(
            error.message == "Migrations are synchronous: a script has no async, await, import() or Promise.")
        #expect(error.script == .syntax)
        #expect(place(error).first == 4)
        #expect(error.details.first?.hint?.hasPrefix("Leave out async, await and promises") == true)
    }

    @Test func `takes words of waiting that are no code`() throws {
        let json = try realm.json(
            """
            // await Promise.all()
            const o = { async: 1, 'Promise': 2, "await": `import ${4 / 2} async`, import : 3 }, $Promise = /async await Promise/;
            function migrate(m) {
              o.async += o.await.length + o["Promise"] /* fromAsync */; o . import = asyncs();
              m.deleteData('A');
            }
            function asyncs() {}
            """)
        #expect(json == #"{"A":[]}"# + "}")
    }

    @Test(arguments: [
        "function* migrate() {}",
        "function migrate(m) { m.enumerateObjects('A', function* (o, n) { n.text = '' }) }",
    ])
    func `is no generator, of which nothing would run`(source: String) throws {
        let error = try realm.error(source)
        #expect(
            error.message == "A generator function was called, and nothing of it has run: write it without *.")
    }

    @Test func `refuses a member that the class has not`() throws {
        let error = try realm.error("function migrate(m) { m.enumerateObjects('A', (o, n) => { n.nope = 1 }) }")
        #expect(error.message == "Property 'A.nope' does not exist")
    }

    @Test(arguments: [
        ("o.s()", "o.s is not a function. (In 'o.s()', 'o.s' is a text)"),
        ("o.n()", "o.n is not a function. (In 'o.n()', 'o.n' is a number)"),
        ("o.x()", "o.x is not a function. (In 'o.x()', 'o.x' is undefined)"),
        ("new (o.s)", "a text is not a constructor (evaluating 'new (o.s)')"),
        ("new (o.n)", "a number is not a constructor (evaluating 'new (o.n)')"),
        ("o.s`x`", "a text is not a function (near '...o.s`x`...')"),
        ("JSON.parse(o.s)", "JSON Parse error: Unexpected identifier"),
        ("JSON.parse('#' + o.s)", "JSON Parse error: Unrecognized token"),
        ("new Intl.NumberFormat(o.s)", "invalid language tag"),
        ("new Date().toLocaleString('en', { timeZone: o.s })", "invalid time zone"),
        ("const f = o.s.repeat(999999); f()", "f is not a function. (In 'f()', 'f' is a text)"),
        ("throw new TypeError(o.s)", "secret' is \"value\""),
    ])
    func `has no value of an object but what the script puts into it`(body: String, message: String) throws {
        let realm = try TestRealm(
            #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "string", "n": "int"}}],
             "objects": {"A": [{"s": "secret' is \"value\"", "n": 77123}]}}
            """#)
        let error = try realm.error("function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }")
        #expect(error.message == message)
    }

    @Test func `keeps the old side as it was`() throws {
        for body in ["o.n = 2", "o.s = 'x'", "o.l.push(n)", "o.l = []", "m.delete(o)"] {
            let error = try realm.error("function migrate(m) { m.enumerateObjects('A', (o, n) => { \(body) }) }")
            #expect(error.code == .wrongTransactionState, "\(body): \(error)")
        }
    }

    @Test func `lets nothing of the migration be used when it has ended`() throws {
        let lines = try realm.log(
            """
            function migrate(m) { globalThis["Promise"].resolve().then(() => {
              try { m.deleteData("A"); console.log("deleted"); } catch (error) { console.log(error.message); }
            }) ; }
            """)
        #expect(lines == ["The migration has ended."])
    }

    @Test func `says why it failed while columns are still on their way to it`() throws {
        let names = (0..<20).map { "p\($0)" }
        let schema = names.map { "\"\($0)\": \"int\"" }.joined(separator: ",")
        let object = "{\(names.map { "\"\($0)\": 1" }.joined(separator: ","))}"
        let realm = try TestRealm(
            """
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {\(schema)}}],
             "objects": {"A": [\(Array(repeating: object, count: 9).joined(separator: ","))]}}
            """)
        let sum = names.map { "o.\($0)" }.joined(separator: " + ")
        for _ in 0..<10 {
            let error = try realm.error(
                "function migrate(m) { m.enumerateObjects('A', (o, n) => { throw new Error(`sum ${\(sum)}`) }) }")
            #expect(error.message == "sum 20")
        }
    }
}
