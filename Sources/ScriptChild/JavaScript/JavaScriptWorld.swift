import CJavaScriptCore
import Sandbox

/// A world with the prelude's program, where a script runs.
///
/// Mostly one script in one migration has it for itself, and its text is run as a program in the global scope. A script that is known to
/// leave nothing behind may run in it for one realm after the other (`SharedScript`).
final class JavaScriptWorld {
    let context: JavaScriptContext
    private let program: ProtectedValue
    private let shared: SharedScript?
    private var isInUse = false

    /// Makes a world for one run.
    convenience init(in machine: JavaScriptMachine) throws {
        try self.init(in: machine) { _ in nil }
    }

    /// Makes a world for runs of a script that follow one another.
    ///
    /// - Parameter words: those of the text, which is a program.
    /// - Throws: `SharedScript.NotAdmitted`; `JavaScriptContext.Exception` where the text is no function's body.
    convenience init(in machine: JavaScriptMachine, sharedBy source: String, _ words: ScriptWords) throws {
        try self.init(in: machine) { try SharedScript(source, words, in: $0) }
        guard try admits(words) else { throw SharedScript.NotAdmitted() }
    }

    private init(in machine: JavaScriptMachine, shared: (JavaScriptContext) throws -> SharedScript?) throws {
        context = try JavaScriptContext(in: machine)
        do {
            program = ProtectedValue(try machine.prelude.run(in: context), in: context)
        } catch let exception as JavaScriptContext.Exception {
            preconditionFailure("The prelude does not run: \(context.describe(exception))")
        }
        self.shared = try shared(context)
        context.forbidEval()
    }

    /// Makes the object that Swift talks to in a run; the run before has ended.
    ///
    /// - Throws: `JavaScriptContext.Exception` where the language is not what it was.
    func makePrelude() throws -> ProtectedValue {
        precondition(!isInUse, "Two runs are in one world.")
        isInUse = true
        let column = context.make(shared == nil ? 0 : SharedScript.textColumn)
        return ProtectedValue(
            try context.call(try context.member("make", of: program.reference), column), in: context)
    }

    /// Runs what stands outside of the script's functions.
    ///
    /// - Returns: the functions that it declares, and room for those that merge objects.
    func run(_ source: String) throws -> ProtectedValue {
        if let shared { return ProtectedValue(try shared.run(in: self), in: context) }
        _ = try context.evaluate(source, name: JavaScriptMigration.scriptName)
        return ProtectedValue(
            try context.evaluate(SharedScript.functions, name: "realmshift"), in: context)
    }

    /// A run's remains.
    enum Remains {
        /// Nothing that another run could see.
        case nothing
        /// All of it, or more than the machine should note: nobody runs here again.
        case everything
        /// Something that the script was not expected to leave.
        case something
    }

    /// Tells what is left of the runs, behind a run that succeeded.
    func remains() -> Remains { shared?.remains(in: context) ?? .everything }

    /// A run has ended.
    func end() {
        context.disconnect()
        isInUse = false
    }

    private func admits(_ words: ScriptWords) throws -> Bool {
        let admits = try context.member("admits", of: program.reference)
        let answer = try context.call(
            admits, Self.list(words.names, in: context), Self.list(words.declared, in: context))
        return JSValueToBoolean(context.reference, answer)
    }

    /// Has the prelude watch the parts of the language that a text can reach.
    fileprivate func watch(_ words: ScriptWords) throws -> ProtectedValue {
        let watch = try context.member("watch", of: program.reference)
        return ProtectedValue(try context.call(watch, Self.list(words.names, in: context)), in: context)
    }

    private static func list(_ words: Set<String>, in context: JavaScriptContext) -> JSValueRef {
        context.make(words.joined(separator: " "))
    }
}

/// A script's text as a function, which is called anew for each realm of a world.
///
/// All that the text declares belongs to one call of the function. The rest that a script can leave behind is in the language's own objects,
/// and it reaches these by names that its text has (`ScriptWords`): whether they are unchanged is looked at after each run.
final class SharedScript {
    /// The text names a part of the language that leads further than its name.
    struct NotAdmitted: Error {}

    /// The function's name in stacks of calls.
    static let name = "$script"
    private static let beginning = "(function \(name)() {"
    /// Columns that stand before the text, in its first line.
    static let textColumn = beginning.utf8.count

    /// The functions that a script may declare, however it declares them, and room for those that merge objects; evaluated in its own scope.
    static let functions = """
        [typeof migrate === "undefined" ? undefined : migrate,
         typeof onMigration === "undefined" ? undefined : onMigration, []]
        """

    /// Runs after which a world is made anew, as a bound of what the machine notes of one.
    private static let mostRuns = 1_024

    private let words: ScriptWords
    private let body: ProtectedValue
    /// Tells whether the language is as it was; nil until the first run begins.
    private var unchanged: ProtectedValue?
    private var runCount = 0

    fileprivate init(_ source: String, _ words: ScriptWords, in context: JavaScriptContext) throws {
        self.words = words
        // The line's end ends a comment.
        let function = try context.evaluate(
            "\(Self.beginning)\(source)\nreturn \(Self.functions)})", name: JavaScriptMigration.scriptName)
        body = ProtectedValue(function, in: context)
    }

    fileprivate func run(in world: JavaScriptWorld) throws -> JSValueRef {
        // The run has been given its console, time and values by now, as each will.
        if runCount == 0 { unchanged = try world.watch(words) }
        runCount += 1
        return try world.context.call(body.reference)
    }

    fileprivate func remains(in context: JavaScriptContext) -> JavaScriptWorld.Remains {
        guard let unchanged, let answer = try? context.call(unchanged.reference),
            JSValueToBoolean(context.reference, answer)
        else { return .something }
        return runCount < Self.mostRuns ? .nothing : .everything
    }
}
