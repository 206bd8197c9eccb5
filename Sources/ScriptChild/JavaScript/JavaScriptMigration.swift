import CJavaScriptCore
import Glibc
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

/// A migration script in JavaScript: its world, its text, and one run of it.
///
/// Belongs to one thread, the one that made it. Nothing of the script is left when this is gone, or, where the world is used again, nothing
/// that another run could see.
final class JavaScriptMigration {
    /// The name that the script has in stacks of calls.
    static let scriptName = "migration.js"

    let world: JavaScriptWorld
    var context: JavaScriptContext { world.context }
    let prelude: ProtectedValue
    private let machine: JavaScriptMachine
    private let memoryBytes: Int
    private let clock: ProcessorClock
    private let log: (String, LogLevel) -> Void
    private(set) var source = ""
    /// Whether the script was written in Swift.
    private var isOfSwift = false
    /// Errors of Swift that scripts were thrown; they find them back by their index when nobody catches them.
    private var raised: [any Error] = []
    /// The schemas of the run, by the numbers of their sides.
    private var schemas: [Schema] = []
    /// The findings about the script.
    private(set) var findings = ScriptFindings()
    /// How often the script asked for objects or changed anything.
    private(set) var operationCount = 0

    /// Begins a run in a world.
    ///
    /// - Parameters:
    ///   - world: nobody else runs there.
    ///   - log: takes the lines of the script's console.
    init(in world: JavaScriptWorld, of machine: JavaScriptMachine, log: @escaping (String, LogLevel) -> Void) throws {
        self.world = world
        self.machine = machine
        memoryBytes = machine.memoryBytes
        clock = machine.clock
        self.log = log
        prelude = try world.makePrelude()
        try LazyFunctions.define(
            on: try context.object(prelude.reference), in: context, raise: { _ in nil },
            body: { [unowned self] in helper($0) })
    }

    /// A function that the prelude calls for what is easier in Swift; nil where there is none of that name.
    private func helper(_ name: String) -> NativeFunction.Body? {
        switch name {
        case "log":
            return { [unowned self] in
                note(try $0.string(0), LogLevel(rawValue: try $0.string(1)) ?? .log)
                return context.undefined
            }
        case "processorTime": return { $0.context.make(ProcessorClock.milliseconds) }
        case "decimal":
            return { arguments in
                let context = arguments.context
                return Decimal128(try arguments.string(0)).map { context.make($0.description) } ?? context.null
            }
        case "decimalText":
            return { arguments in
                let words = try (0..<4).map { UInt64(UInt32(truncatingIfNeeded: try arguments.int($0))) }
                let number = Decimal128(low: words[0] | words[1] << 32, high: words[2] | words[3] << 32)
                return arguments.context.make(number.description)
            }
        case "decimalWords":
            return { arguments in
                let number = Decimal128(try arguments.string(0)) ?? .zero
                let words = [number.low, number.low >> 32, number.high, number.high >> 32].map {
                    Int32(truncatingIfNeeded: $0)
                }
                return try arguments.context.makeTypedArray(words, as: kJSTypedArrayTypeInt32Array)
            }
        case "isSameNumber":
            return { arguments in
                let context = arguments.context
                let decimal = Decimal128(try arguments.string(0)) ?? .zero
                let other: Value =
                    JSValueIsNumber(context.reference, arguments[1])
                    ? .double(try context.number(arguments[1]))
                    : .decimal128(Decimal128(try arguments.string(1)) ?? .zero)
                return context.make(ValueOrder.isSame(.decimal128(decimal), other))
            }
        default: return nil
        }
    }

    deinit {
        world.end()
    }

    /// Has the script be told the time and chance of its source in place of the machine's; before its text is run.
    ///
    /// - Parameter seed: four numbers.
    func setOrigin(milliseconds: Int64, seed: [UInt32]) throws {
        do {
            _ = try context.call(
                try context.member("setOrigin", of: prelude.reference), context.make(Double(milliseconds)),
                context.make(Double(seed[0])), context.make(Double(seed[1])), context.make(Double(seed[2])),
                context.make(Double(seed[3])))
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    /// Takes the script's text.
    ///
    /// - Throws: `MigrationError` with line and column where the text is no program.
    func load(_ source: String) throws {
        self.source = source
        do {
            try machine.checkSyntax(source, in: context)
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference, script: .syntax)
        }
        if !isOfSwift { try refuseWaiting(in: source) }
        try prepare(for: source)
    }

    /// Refuses a program with a part that would run after its end, when nobody takes what it does or throws.
    func refuseWaiting(in program: String) throws {
        guard machine.traits(of: program).mayWait else { return }
        do {
            try context.checkSyntax(WaitingWords.spoiled(program), name: Self.scriptName)
        } catch let exception as JavaScriptContext.Exception {
            let place = try failure(exception.value.reference, script: .syntax) as? MigrationError
            var error = MigrationError(
                nil, "Migrations are synchronous: a script has no async, await, import() or Promise.", script: .syntax)
            error.details = [ProblemItem(error.message, line: place?.details.first?.line)]
            throw ScriptAdvice(source: program, schemas: []).adding(to: error)
        }
    }

    /// Has the world give a text what it may ask for; before the text is run.
    func prepare(for source: String) throws {
        let traits = machine.traits(of: source)
        guard traits.needsPreparation else { return }
        do {
            _ = try context.call(
                try context.member("prepare", of: prelude.reference), context.make(traits.changesLanguage),
                context.make(traits.usesConsole), context.make(traits.makesValues), context.make(traits.asksForTime))
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    /// Gives the script the library of lowered Swift; before its text is run.
    func addSwift() throws {
        (isOfSwift, context.tellsNumberTypes) = (true, true)
        do {
            _ = try context.call(
                try context.member("addSwift", of: prelude.reference), try machine.swiftLibrary.get().run(in: context))
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    /// Runs what stands outside of the script's functions, and finds the one that a migration would call.
    ///
    /// - Parameter placed: is told the line that the script is in, some times a second.
    /// - Throws: `MigrationError` where that fails, or where there is none.
    func checkDeclaration(placed: @escaping (Int) -> Void = { _ in }) throws {
        do {
            let functions = try PlaceWatch(of: machine, told: placed).during { try world.run(source) }
            let outcome = try context.call(try context.member("check", of: prelude.reference), functions.reference)
            guard context.type(of: outcome) == kJSTypeNull else { throw try failure(description: outcome) }
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    /// Runs the script's migration function on a transaction; once.
    ///
    /// - Parameters:
    ///   - policies: their functions merge objects of one primary key when the script has ended.
    ///   - usesColumns: whether values of single types are read and written by columns.
    ///   - progressed: is told how far the script is, some times a second.
    ///   - enumerating: is told of which independent class an enumeration begins; nil where one has ended.
    ///   - placed: is told the line that the script is in, some times a second.
    func run(
        _ transaction: MigrationTransaction, merging policies: [PrimaryKeyPolicy] = [], usesColumns: Bool,
        progressed: @escaping (MigrationProgress) -> Void, enumerating: @escaping (String?) -> Void = { _ in },
        placed: @escaping (Int) -> Void = { _ in }
    ) throws {
        try PlaceWatch(of: machine, told: placed).during {
            try within(
                transaction, merging: policies, usesColumns: usesColumns, progressed: progressed,
                enumerating: enumerating
            ) {
                try callMigration($0.reference, merging: policies)
            }
        }
    }

    /// Calls the function that the script declares, and then those that merge objects of one primary key.
    private func callMigration(_ functions: JSValueRef, merging policies: [PrimaryKeyPolicy]) throws {
        let functions = try context.object(functions)
        let merges = try context.makeArray()
        for (index, policy) in policies.filter({ $0.merge != nil }).enumerated() {
            let merge = try context.makeArray()
            try context.set(0, of: merge, to: context.make(policy.className))
            try context.set(1, of: merge, to: try function(policy.merge ?? "").0)
            try context.set(index, of: merges, to: merge)
        }
        try context.set(2, of: functions, to: merges)
        let outcome = try context.call(try context.member("run", of: prelude.reference), functions)
        guard context.type(of: outcome) == kJSTypeNull else { throw try failure(description: outcome) }
    }

    /// Gives the script's world a transaction, and runs what stands outside of the script's functions and then something else.
    ///
    /// - Parameters:
    ///   - policies: their functions will run in the world as well.
    ///   - body: takes the functions that the script declares.
    func within<Result>(
        _ transaction: MigrationTransaction, merging policies: [PrimaryKeyPolicy] = [], usesColumns: Bool,
        progressed: @escaping (MigrationProgress) -> Void,
        enumerating: @escaping (String?) -> Void = { _ in }, _ body: (ProtectedValue) throws -> Result
    ) throws -> Result {
        do {
            schemas = [transaction.oldSchema, transaction.newSchema]
            clock.start()
            defer { clock.stop() }
            let bridge = makeBridge(transaction, progressed: progressed, enumerating: enumerating)
            defer { operationCount = bridge.operationCount }
            let native = try bridge.makeNative(raise: { [unowned self] in raise($0) })
            let begin = try context.member("begin", of: prelude.reference)
            let traits = machine.traits(of: ([source] + policies.compactMap(\.merge)).joined(separator: "\n"))
            _ = try context.call(
                begin, native, try description(of: transaction.oldSchema), try description(of: transaction.newSchema),
                try context.make(schemaVersion: transaction.oldSchemaVersion),
                try context.make(schemaVersion: transaction.newSchemaVersion), context.make(usesColumns),
                context.make(traits.spreadsObjects), context.make(traits.reflects),
                context.make(traits.matchesExpressions), context.make(traits.callsExec))
            return try body(try world.run(source))
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    private func makeBridge(
        _ transaction: MigrationTransaction, progressed: @escaping (MigrationProgress) -> Void,
        enumerating: @escaping (String?) -> Void
    ) -> TransactionBridge {
        TransactionBridge(
            transaction, context: context, memoryBytes: memoryBytes,
            output: .init(
                progressed: progressed, enumerating: enumerating, warned: { [unowned self] in note($0, .warn) },
                found: { [unowned self] in findings.add($0) },
                quarantined: { [unowned self] in try quarantined($0, $1, $2) }))
    }

    /// The problem that goes into quarantine with an object.
    ///
    /// - Throws: an error that is not the object's: of the store, of memory that is used up.
    private func quarantined(_ description: JSValueRef, _ className: String, _ key: ObjectKey) throws -> ProblemItem {
        let error = try plainFailure(description: description)
        guard let known = error as? MigrationError, known.script == .exception else { throw error }
        let place = known.details.first { $0.line != nil }
        let primaryKey = known.details.first { $0.key == key && $0.className == className }?.primaryKey
        return ProblemItem(
            known.message, className: className, property: known.details.lazy.compactMap(\.property).first, key: key,
            primaryKey: primaryKey, line: place?.line, column: place?.column)
    }

    private func description(of schema: Schema) throws -> JSValueRef {
        try context.make(json: machine.description(of: schema))
    }

    // MARK: Console

    private func note(_ text: String, _ level: LogLevel) {
        log(text.bounded(toBytes: ScriptReport.lineBytes), level)
    }

    // MARK: Errors

    /// The exception that a script catches of an error of the transaction.
    private func raise(_ error: any Error) -> JSValueRef? {
        // Without a parent there is nobody to answer, whatever the script would make of it.
        if error is HostChannel.Closed { _exit(1) }
        raised.append(error)
        let known = error as? MigrationError
        let message = known?.message ?? "The objects could not be read or written."
        let code = known?.code.map { context.make($0.rawValue) } ?? context.null
        guard let maker = try? context.member("makeError", of: prelude.reference) else { return nil }
        return try? context.call(
            maker, context.make(message), code, context.make(raised.count - 1),
            context.make(known?.script == .notIndependent))
    }

    /// The error that a value means that nobody caught.
    func failure(
        _ thrown: JSValueRef, script: MigrationError.ScriptFailure = .exception
    ) throws -> any Error {
        do {
            let describe = try context.member("describe", of: prelude.reference)
            return try failure(description: try context.call(describe, thrown), script: script)
        } catch is JavaScriptContext.Exception {
            // Where there is no memory left, even that takes too much.
            return MemoryExhaustion.growthBytes >= memoryBytes / 2
                ? MigrationError(nil, MigrationError.memoryMessage(memoryBytes), script: .memoryLimit)
                : MigrationError(nil, "The script failed, and its error can't be read.", script: script)
        }
    }

    /// The error of a description, with advice to the script's author.
    ///
    /// - Parameter description: what the prelude's `describe` answers.
    func failure(
        description: JSValueRef, script: MigrationError.ScriptFailure = .exception
    ) throws -> any Error {
        let error = try plainFailure(description: description, script: script)
        // Advice is about JavaScript.
        guard let error = error as? MigrationError, !isOfSwift else { return error }
        return ScriptAdvice(source: source, schemas: schemas).adding(to: error)
    }

    private func plainFailure(
        description: JSValueRef, script: MigrationError.ScriptFailure = .exception
    ) throws -> any Error {
        let thrown = try ThrownError(description, in: context, memoryBytes: memoryBytes)
        let known = raised.indices.contains(thrown.index) ? raised[thrown.index] : nil
        if let known, !(known is MigrationError) { return known }
        return thrown.migrationError(from: known as? MigrationError, script: script, schemas: schemas)
    }
}
