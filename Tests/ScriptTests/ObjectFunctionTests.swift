import Columns
import RealmMigration
import RealmModel
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// Functions of one object, called for many in a real host.
struct ObjectFunctionTests {
    /// Objects of a class, by the columns of their properties, and a function of them.
    struct Call {
        var source: String
        var inputs: [Property]
        var values: [[Value]]
        var answer: ObjectFunction.Answer
        var policy = FunctionFailurePolicy.stops
        var limits = FunctionLimits(timeoutSeconds: 120)
        var hosts: HostPool?
        var back: ReturnFunction?

        private static let hosts = Result {
            HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 2))
        }

        func answers() throws -> FunctionAnswers { try outcome().answers }

        func outcome(
            logged: @escaping (String, LogLevel) -> Void = { _, _ in }, meanwhile: () throws -> Void = {}
        ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?) {
            let function = ObjectFunction(
                ScriptSource(.javaScript, source), of: "A", inputs: inputs, answer: answer)
            let count = values.first?.count ?? 0
            let objects = FunctionObjects(
                keys: (0..<count).map { ObjectKey(Int64(100 + $0)) },
                columns: try zip(inputs, values).map { try ColumnArray($1, as: ColumnType($0)) }, primaryKey: 0)
            return try SandboxedScriptRunner(hosts: try hosts ?? Self.hosts.get()).call(
                function, andBack: back, on: objects, policy: policy,
                for: FunctionCaller(app: TestRealm.app, limits: limits, logged: logged), meanwhile: meanwhile)
        }

        /// The values of one property that was given for all objects.
        func given(_ index: Int = 0) throws -> [Value] {
            let (answers, properties) = (
                try answers(),
                ObjectFunction(
                    ScriptSource(.javaScript, ""), of: "A", inputs: [], answer: answer
                ).outputs.properties
            )
            let column = answers.columns[index]
            return try (0..<column.values.count).map { row in
                try #require(column.isGiven(row))
                return try column.values.value(at: row, as: ColumnType(properties[index]))
            }
        }

        func error() throws -> MigrationError {
            try #require(throws: MigrationError.self) { _ = try answers() }
        }
    }

    static let numbers = [Property("_id", .int), Property("n", .int)]

    /// A function of three objects {_id, n}.
    static func call(_ source: String, _ outputs: [Property] = [Property("m", .string)]) -> Call {
        Call(
            source: source, inputs: numbers, values: [[.int(1), .int(2), .int(3)], [.int(7), .int(8), .int(9)]],
            answer: .members(of: "B", outputs))
    }

    /// Values of each type, the extremes among them.
    static let samples: [(property: Property, values: [Value])] = [
        (Property("p", .int), [.int(0), .int(-1), .int(.max), .int(.min), .int(1 << 53)]),
        (Property("p", .int, isOptional: true), [.int(5), .null]),
        (Property("p", .bool), [.bool(true), .bool(false)]),
        (Property("p", .float), [.float(0.5), .float(-.infinity)]),
        (Property("p", .double), [.double(0.1), .double(.infinity), .double(-0.0)]),
        (Property("p", .string), [.string(""), .string("ä\u{0}😀"), .string("plain")]),
        (Property("p", .string, isOptional: true), [.null, .string("a"), .null]),
        (Property("p", .data), [.data([0, 255]), .data([])]),
        (
            Property("p", .date),
            [
                .date(Timestamp(seconds: -5, nanoseconds: -7)),
                .date(Timestamp(seconds: 1 << 40, nanoseconds: 999_999_999)),
            ]
        ),
        (
            Property("p", .decimal128),
            ["1.50", "-Inf", "9E+6000"].compactMap { Decimal128($0).map { .decimal128($0) } }
        ),
        (
            Property("p", .objectId),
            [.objectId(.zero), ObjectId("00ff00ff00ff00ff00ff00ff").map { .objectId($0) } ?? .null]
        ),
        (Property("p", .uuid), [.uuid(.uuid(1)), .uuid(.zero)]),
        (
            Property("p", .mixed),
            [.null, .int(1), .string("x"), .list([.int(1), .dictionary([DictionaryEntry("k", .null)])])]
        ),
        (Property("p", .int, collection: .list), [.list([.int(3), .int(1)]), .list([])]),
        (Property("p", .string, collection: .set), [.list([.string("a"), .string("b")]), .list([])]),
        (
            Property("p", .double, collection: .dictionary),
            [.dictionary([DictionaryEntry("a", .double(0.5))]), .dictionary([])]
        ),
        (Property("__proto__", .string), [.string("a member like any other")]),
        (Property("with \"quotes\" and \\", .int), [.int(1)]),
        (Property("stored", .int, alias: "shown"), [.int(4)]),
    ]

    @Test(arguments: samples.indices)
    func `gives back what it was given, of every type`(index: Int) throws {
        let (property, values) = Self.samples[index]
        for source in ["o => o", "o => ({ ...o })"] where property.name != "__proto__" || source == "o => o" {
            let call = Call(source: source, inputs: [property], values: [values], answer: .members(of: "A", [property]))
            #expect(try call.given() == values, "\(property.name) \(property.type)")
        }
    }

    @Test(arguments: [
        "o => ({ m: `${o._id}:${o.n}` })", "function (o) { return { m: o._id + ':' + o.n } }",
        "function join(o) { return { m: o._id + ':' + o.n } }", "({ _id, n }) => ({ m: [_id, n].join(':') }) // done",
        "o => {\n  const { _id, n } = o;\n  return { m: _id + ':' + n };\n}",
    ])
    func `is any expression that is a function`(source: String) throws {
        #expect(try Self.call(source).given() == [.string("1:7"), .string("2:8"), .string("3:9")])
    }

    @Test func `tells what was left out from what is null`() throws {
        let answers = try Self.call(
            "o => o._id === 1 ? {} : o._id === 2 ? { m: null } : { m: 'three', n: undefined }",
            [Property("m", .string, isOptional: true), Property("n", .int)]
        ).answers()
        #expect((0..<3).map { answers.columns[0].isGiven($0) } == [false, true, true])
        #expect(answers.columns[0].values.isNull(1))
        #expect((0..<3).map { answers.columns[1].isGiven($0) } == [false, false, false])
    }

    @Test func `answers the value of one property`() throws {
        var call = Self.call("o => o.n * 2")
        call.answer = .value(of: "A", Property("double", .int))
        #expect(try call.given() == [.int(14), .int(16), .int(18)])
    }

    @Test(arguments: [
        ("o => { if (o._id === 2) throw new Error('no'); return {} }", "no"),
        ("o => o._id === 2 ? null : {}", "The function must return an object."),
        ("o => o._id === 2 ? [] : {}", "The function must return an object."),
        ("o => o._id === 2 ? new Map() : {}", "The function must return a plain object."),
        ("o => o._id === 2 ? { x: 1 } : {}", "Property 'B.x' does not exist."),
        ("o => ({ m: o._id === 2 ? 5 : 'a' })", "Expected 'B.m' to be a string, got a number"),
        ("o => ({ m: o._id === 2 ? null : 'a' })", "Invalid null value for non-nullable property 'B.m'."),
        ("o => ({ m: o._id === 2 ? () => 1 : 'a' })", "A function can't be stored."),
        ("o => { o.x.y; return {} }", "undefined is not an object (evaluating 'o.x.y')"),
        (
            "o => o._id === 2 ? { __proto__: { then() {} } } : {}",
            "Migrations are synchronous: a function returned a Promise."
        ),
    ])
    func `names the object that it fails for`(source: String, message: String) throws {
        let error = try Self.call(source).error()
        #expect(error.message == message)
        #expect(error.script == .exception)
        let item = try #require(error.details.first)
        let isFirst = source.contains("o.x.y")
        #expect(item.key == ObjectKey(isFirst ? 100 : 101))
        #expect(item.primaryKey == .int(isFirst ? 1 : 2))
    }

    @Test(arguments: ["async o => ({})", "function (o) { Promise.resolve().then(f); return {} }"])
    func `refuses what would run after its end`(source: String) throws {
        let error = try Self.call(source).error()
        #expect(error.message == "Migrations are synchronous: a script has no async, await, import() or Promise.")
        #expect(error.details.first?.line == 1)
    }

    @Test(arguments: [
        ("o => {\n  throw new Error('x')\n}", 2, 18), ("function (o) { throw new Error('x') }", 1, 31),
    ])
    func `names the line and the column`(source: String, line: Int, column: Int) throws {
        let item = try #require(try Self.call(source).error().details.first)
        #expect((item.line, item.column) == (line, column))
    }

    @Test func `goes on with the others where failures are collected`() throws {
        var call = Self.call("o => { if (o._id !== 2) throw new Error(`no ${o._id}`); return { m: 'two' } }")
        call.policy = .collects
        let answers = try call.answers()
        #expect(answers.failures.map(\.row) == [0, 2])
        #expect(answers.failures.map(\.error.message) == ["no 1", "no 3"])
        #expect(answers.failures.map { $0.error.details.first?.key } == [ObjectKey(100), ObjectKey(102)])
        #expect((0..<3).map { answers.columns[0].isGiven($0) } == [false, true, false])
    }

    @Test func `keeps nothing of an object that failed`() throws {
        var call = Self.call(
            "o => ({ m: 'a', get n() { if (o._id === 2) throw new Error('late'); return 1; } })",
            [Property("m", .string), Property("n", .int)])
        call.policy = .collects
        let answers = try call.answers()
        #expect(answers.failures.map(\.row) == [1])
        for column in answers.columns { #expect((0..<3).map { column.isGiven($0) } == [true, false, true]) }
    }

    @Test(arguments: ["while (true) {}", "/^(a+)+$/.test('a'.repeat(40) + 'b'); for (;;);"])
    func `names the object that takes too long`(body: String) throws {
        var call = Self.call("o => { if (o._id === 3) { \(body) } return {} }")
        call.limits.secondsPerObject = 0.2
        let clock = ContinuousClock()
        var error: MigrationError?
        let elapsed = try clock.measure { error = try call.error() }
        #expect(error?.script == .timeLimit)
        #expect(error?.message == "The function took longer than 0.2 seconds for one object.")
        #expect(error?.details.first?.key == ObjectKey(102))
        #expect(elapsed < .seconds(10))
    }

    @Test func `may take long for all objects together`() throws {
        var call = Self.call("o => { const end = Date.now() + 150; while (Date.now() < end); return { m: 'x' } }")
        call.limits.secondsPerObject = 0.4
        #expect(try call.given().count == 3)
    }

    @Test func `is stopped at the limits of the call`() throws {
        var call = Self.call("o => { for (;;); }")
        call.limits = FunctionLimits(secondsPerObject: 60, timeoutSeconds: 0.5)
        #expect(try call.error().script == .timeLimit)
        call = Self.call("o => { const a = []; for (;;) a.push(new Uint8Array(1 << 20)); }")
        call.limits = FunctionLimits(secondsPerObject: 60, timeoutSeconds: 60, memoryBytes: 64 << 20)
        #expect(try call.error().script == .memoryLimit)
    }

    @Test(arguments: [
        ("o => {", "script_syntax_error"), ("5", "script_syntax_error"), ("({ a: 1 })", "script_syntax_error"),
        ("", "script_syntax_error"), ("undefinedName", "script_failed"),
    ])
    func `is refused where the text is no function`(source: String, code: String) throws {
        #expect(try Self.call(source).error().script?.rawValue == code)
    }

    @Test func `finds nothing of the call before`() throws {
        let hosts = HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 1))
        defer { hosts.close() }
        var call = Self.call("o => { globalThis.count = (globalThis.count ?? 0) + 1; return { m: `${count}` } }")
        call.hosts = hosts
        for _ in 0..<2 { #expect(try call.given() == [.string("1"), .string("2"), .string("3")]) }
    }

    @Test func `offers nothing that reaches out of the language`() throws {
        let call = Self.call("o => ({ m: [typeof fetch, typeof require, typeof migration, typeof api].join() })")
        #expect(try call.given().first == .string("undefined,undefined,undefined,undefined"))
    }

    // MARK: The way back

    /// There the number as a text, and back again; what is not given is 0, or not known.
    private static func thereAndBack(
        _ there: String, _ back: String, otherwise: ReturnFunction.Otherwise = .value(.string("0"))
    ) -> Call {
        var call = call(there)
        call.back = ReturnFunction(
            ObjectFunction(
                ScriptSource(.javaScript, back), of: "B",
                inputs: [Property("_id", .int), Property("m", .string)],
                answer: .members(of: "A", [Property("n", .int)])),
            inputs: [.init(answer: nil, otherwise: .input(0)), .init(answer: 0, otherwise: otherwise)])
        return call
    }

    @Test(arguments: [
        ("o => ({ m: `${o.n}` })", [7, 8, 9]), ("o => ({})", [0, 0, 0]),
        ("o => o._id === 2 ? {} : { m: `${o.n}` }", [7, 0, 9]),
    ])
    func `calls the function that leads back with what was answered, and with what is known otherwise`(
        there: String, back: [Int64]
    ) throws {
        let outcome = try Self.thereAndBack(there, "o => ({ n: Number(o.m) })").outcome()
        let returned = try #require(outcome.back)
        #expect(
            try (0..<3).map { try returned.columns[0].values.value(at: $0, as: ColumnType(.int)) }
                == back.map { .int($0) })
        let ids = try #require(try Self.thereAndBack(there, "o => ({ n: o._id })").outcome().back)
        #expect(ids.columns[0].values.values == .int([1, 2, 3]))
    }

    @Test func `does not lead back from what failed, and from what is not known`() throws {
        var call = Self.thereAndBack("o => { if (o._id === 2) throw new Error('no'); return { m: '1' } }", "o => ({})")
        call.policy = .collects
        let outcome = try call.outcome()
        #expect(outcome.answers.failures.map(\.row) == [1])
        #expect(outcome.back == nil)
        let unknown = Self.thereAndBack("o => o._id === 3 ? {} : { m: '1' }", "o => ({})", otherwise: .unknown)
        #expect(try unknown.outcome().back == nil)
        #expect(try Self.thereAndBack("o => ({ m: '1' })", "o => ({})", otherwise: .unknown).outcome().back != nil)
    }

    @Test func `collects what fails on the way back`() throws {
        let call = Self.thereAndBack(
            "o => ({ m: `${o.n}` })", "o => { if (o._id === 2) throw new Error('no way'); return { n: 1 } }")
        let outcome = try call.outcome()
        #expect(outcome.answers.failures.isEmpty)
        #expect(outcome.back?.failures.map(\.row) == [1])
        #expect(outcome.back?.failures.first?.error.message == "no way")
    }

    @Test func `finds nothing on the way back that was left behind on the way there`() throws {
        let call = Self.thereAndBack(
            "o => { globalThis.left = o.n; return { m: 'x' } }", "o => ({ n: globalThis.left ?? -1 })")
        #expect(try call.outcome().back?.columns[0].values.values == .int([-1, -1, -1]))
    }

    @Test func `names the object that takes too long on the way back, and the text that is no function`() throws {
        var call = Self.thereAndBack("o => ({ m: 'x' })", "o => { while (o._id === 2); return {} }")
        call.limits.secondsPerObject = 0.2
        let error = try call.error()
        #expect(error.script == .timeLimit && error.details.first?.key == ObjectKey(101))
        #expect(try Self.thereAndBack("o => ({ m: 'x' })", "5").error().script == .syntax)
    }

    @Test func `calls back once while functions run, and is ended by what that throws`() throws {
        struct Failure: Error {}
        let pool = HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 2))
        var call = Self.call("o => ({ m: `${o.n}` })")
        call.hosts = pool
        var count = 0
        let outcome = try call.outcome(meanwhile: { count += 1 })
        #expect(count == 1 && outcome.answers.columns[0].given == nil)
        #expect(throws: Failure.self) { _ = try call.outcome(meanwhile: { throw Failure() }) }
        // Nobody uses what the host has done by then: the next call begins with another one.
        #expect(try call.given() == [.string("7"), .string("8"), .string("9")])
    }

    @Test func `tells what functions log`() throws {
        var lines: [String] = []
        let call = Self.thereAndBack(
            "o => { console.log('there', o._id); return { m: 'x' } }", "o => { console.warn('back', o._id); return {} }"
        )
        _ = try call.outcome { line, level in lines.append("\(level) \(line)") }
        #expect(lines == [1, 2, 3].map { "log there \($0)" } + [1, 2, 3].map { "warn back \($0)" })
    }

    @Test func `logs no more than it may`() throws {
        var call = Self.call("o => { console.log('x'.repeat(99)); return { m: 'x' } }")
        call.limits.logBytes = 300
        #expect(try call.given().count == 3)
        call.limits.logBytes = 299
        let error = try call.error()
        #expect(error.script == .outputLimit)
        #expect(error.message == "The function logged more than 299 bytes of lines.")
    }
}
