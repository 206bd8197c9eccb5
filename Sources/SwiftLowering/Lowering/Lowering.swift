import SwiftScripts
import SwiftSyntax

/// A name in a scope.
struct Local {
    var js: JavaScript
    var type: SwiftType
    var isVariable = false
    var isView = false
    /// Whether reading it runs code, and the function that gives it a value where that does.
    var isComputed = false
    var setter: JavaScript?
    /// A parameter that is `inout`: an object that holds the place.
    var isReference = false
    var function: FunctionDeclSyntax?
    /// A type that a function declares.
    var nominal: Nominal?

    /// What reads it.
    var value: JavaScript { isReference ? js.field("v") : js }
}

/// The state of the function whose body is lowered.
final class FunctionContext {
    var temporaries = 0
    /// The type that `return` gives; nil where a closure's body tells it.
    var result: SwiftType?
    var isResultKnown = true
    /// Whether the body of a closure is one expression that never gives a value.
    var neverEnds = false
    /// Whether what a closure's body tells is wrapped in an optional.
    var givesOptional = false
    var selfValue: Lowered?
    var selfForm = SelfForm.object
    /// Whether `self` is a value that the code does not change: one that closures have to keep as it is.
    var isSelfConstant = false
    /// The type whose members are named without it.
    var owner: Owner?
    /// Labels of the loops and switches around a statement: the source's own, that of JavaScript, and whether it is a loop.
    var exits: [(name: String?, js: String, isLoop: Bool)] = []
    /// The labels of other statements, which ‘break’ leaves by their names alone: the source's own, and that of JavaScript.
    var labelledBlocks: [(name: String, js: String)] = []
    /// The chains of `?` that are being lowered, each with its tests.
    var chains: [[JavaScript]] = []
    /// Closure parameters without names.
    var anonymous: [Local] = []
    var usedAnonymous = 0
    /// The types of a generic function's parameters.
    var typeArguments: [String: SwiftType] = [:]
    /// The type whose own initializer this is, where it calls no other one: its properties are not observed there.
    var madeType: Nominal?
    /// The property whose observer this is: what it gives it is not observed.
    var observed: String?
    /// Whether `self` is being made, by code that may fail.
    var isInitializer = false
    var mayFail = false

    /// The state of a function that stands in this one, and sees its `self`.
    func inner() -> FunctionContext {
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.typeArguments) = (owner, selfValue, typeArguments)
        (inner.selfForm, inner.isSelfConstant) = (selfForm, isSelfConstant)
        return inner
    }

    /// How `self` is replaced: its parts are, a variable of JavaScript is, or the place that was given is.
    enum SelfForm { case object, variable, cell }

    enum Owner {
        case nominal(Nominal)
        case library(SwiftType, String)
    }
}

/// A parameter of a function of the app.
struct Parameter {
    var label: String?
    var name: String
    var type: SwiftType
    var isReference = false
    var isVariadic = false
    /// Whether it is a function that gives the argument's value: `@autoclosure`.
    var isDeferred = false
    var defaultValue: ExprSyntax?
}

/// The signature of a function of the app.
struct Signature {
    var name: String
    var parameters: [Parameter]
    var result: SwiftType
    /// Nil of a function that is no method.
    var owner: FunctionContext.Owner?
    var isStatic = false
    var isMutating = false
    var mayThrow = false

    var js: JavaScript { .name(name) }

    /// The type of its value.
    var type: SwiftType {
        .function(parameters.map { $0.isReference ? .reference($0.type) : $0.type }, result)
    }
}

/// The identity of a function or a global value: one of an extension is another one for each type that it is used of, and
/// so is a generic one.
struct FunctionKey: Hashable {
    var node: SyntaxIdentifier
    var extended: SwiftType?
    var typeArguments: [String: SwiftType]

    init(
        _ node: SyntaxIdentifier, in owner: FunctionContext.Owner? = nil, _ typeArguments: [String: SwiftType] = [:]
    ) {
        (self.node, self.typeArguments) = (node, typeArguments)
        switch owner {
        case .library(let type, _)?: extended = type
        case .nominal(let nominal)? where nominal.template != nil: extended = .nominal(nominal.number)
        default: break
        }
    }
}

/// Lowers what a migration block reaches to JavaScript.
final class Lowering {
    let declarations: Declarations
    let program: SwiftProgram
    let library = Library()
    private(set) var diagnostics: [SwiftDiagnostic] = []
    private var chunks: [[Statement]] = []
    private var names = 0
    var descriptors: [SwiftType: JavaScript] = [:]
    /// The functions that copy values, by type.
    var copiers: [SwiftType: JavaScript] = [:]
    /// The types whose descriptors say how values are shown, by number.
    var described: Set<Int> = []
    /// Whether structures are copied, by number.
    var copiedStructures: [Int: Bool] = [:]
    /// How many calls of functions of the app were lowered: what calls one may change what is read before.
    var calls = 0
    var signatures: [FunctionKey: Signature] = [:]
    var globals: [FunctionKey: Lowered] = [:]
    var structures: Set<Int> = []
    /// The types whose descriptors say how their values are written as JSON.
    var coded: Set<Int> = []
    /// The types of arguments of generic functions.
    var argumentTypes: [FunctionKey: SwiftType] = [:]
    var fieldTypes: [FunctionKey: SwiftType] = [:]
    /// Bodies that wait to be lowered.
    private var pending: [() -> Void] = []
    /// How many expressions are being lowered, each for the one before.
    var depth = 0
    /// How many expressions and types were worked out, those that were worked out again counted again.
    private var steps = 0
    private lazy var stepLimit =
        200_000 + 20 * declarations.files.flatMap(\.trees).reduce(0) { $0 + $1.totalLength.utf8Length }
    /// Where that became too many.
    private var exceeded: SwiftDiagnostic?
    /// Operators of one expression, and as many calls around them.
    static let depthLimit = 1_500
    /// The global values that are being lowered.
    var opened: Set<FunctionKey> = []
    var scopes: [[String: Local]] = []
    var context = FunctionContext()
    /// The code around the block, whose constants it may name.
    var surroundings: [CodeBlockItemListSyntax] = []
    var surrounded: [SyntaxIdentifier: Local] = [:]
    /// The block itself.
    var blockNode: SyntaxIdentifier?
    /// The methods that values' own types tell, and that are there at run time.
    var dispatched: Set<String> = []
    /// Whether the cases of the next switch give the value of a function.
    var returning = false
    /// The library's `Result` of two types each.
    var results: [[SwiftType]: Nominal] = [:]
    /// The functions of computed properties.
    var computed: [FunctionKey: (getter: JavaScript, setter: JavaScript?)] = [:]
    /// The work that each type needs that conforms to a protocol or inherits from a class, also one that is made later.
    private var ofAllTypes: [() throws -> Void] = []
    private var typesSeen = 0
    /// The types that names of protocols stand for, and those that are being worked out.
    var associated: [AssociatedName: SwiftType] = [:]
    var openedAssociated: Set<AssociatedName> = []

    init(_ declarations: Declarations, _ program: SwiftProgram) {
        self.declarations = declarations
        self.program = program
    }

    // MARK: Telling what is wrong

    /// Counts a step of the work.
    ///
    /// - Throws: `Refusal` where there were so many that something is worked out again and again.
    func step(at node: some SyntaxProtocol) throws {
        steps += 1
        guard steps > stepLimit else { return }
        let refusal = Refusal(
            "This stands for so much that it can't be worked out: divide it, or write its type.", at: node)
        if exceeded == nil { exceeded = declarations.file(of: node).diagnostic(refusal.message, at: node) }
        throw refusal
    }

    func tell(_ error: any Error, at node: some SyntaxProtocol) {
        if let told = error as? SwiftRefusal {
            for diagnostic in told.diagnostics where !diagnostics.contains(diagnostic) {
                diagnostics.append(diagnostic)
            }
        }
        guard let refusal = error as? Refusal, let at = refusal.node else { return }
        let diagnostic = declarations.file(of: at).diagnostic(refusal.message, at: declarations.origin(of: at))
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }

    /// Tries something, and forgets what it made where it fails.
    func trying<Result>(_ body: () throws -> Result) throws -> Result {
        let (temporaries, scopes, told, chains) = (context.temporaries, scopes, diagnostics, context.chains)
        let (used, result, known) = (context.usedAnonymous, context.result, context.isResultKnown)
        do {
            let result = try body()
            // Errors that were told and not thrown say that it does not fit either.
            guard diagnostics.count == told.count else { throw SwiftRefusal(Array(diagnostics[told.count...])) }
            return result
        } catch {
            context.temporaries = temporaries
            (self.scopes, diagnostics, context.chains) = (scopes, told, chains)
            (context.usedAnonymous, context.result, context.isResultKnown) = (used, result, known)
            throw error
        }
    }

    // MARK: Names

    func fresh(_ name: String) -> String {
        names += 1
        let plain = name.unicodeScalars.map {
            $0.isASCII && ($0.properties.isAlphabetic || $0.value < 58 && $0.value > 47) || $0 == "_" ? String($0) : "_"
        }.joined()
        return (plain.first?.isNumber ?? true ? "_" : "") + plain + "$" + String(names)
    }

    func temporary() -> JavaScript {
        context.temporaries += 1
        return .name(Self.temporary(context.temporaries))
    }

    private static func temporary(_ number: Int) -> String { "$t\(number)" }

    /// The place that what is made of a piece of source is marked with.
    func mark(_ node: some SyntaxProtocol) -> SourcePlace {
        declarations.file(of: node).place(of: declarations.origin(of: node))
    }

    /// A call of a function of the runtime, which may stop the script: it is marked.
    func runtime(_ name: String, at node: some SyntaxProtocol, _ arguments: [JavaScript]) -> JavaScript {
        .runtime(name, arguments).marked(mark(node))
    }

    func runtime(_ name: String, at node: some SyntaxProtocol, _ arguments: JavaScript...) -> JavaScript {
        runtime(name, at: node, arguments)
    }

    func emit(_ statement: Statement) { chunks.append([statement]) }

    /// Keeps a place for a piece of the script, before all that is made from now on.
    func reserve() -> Int {
        chunks.append([])
        return chunks.count - 1
    }

    func fill(_ place: Int, _ statement: Statement) { chunks[place] = [statement] }

    func later(_ body: @escaping () -> Void) { pending.append(body) }

    /// Does something now, and again where more types are there.
    func ofAllTypes(_ body: @escaping () throws -> Void) throws {
        try body()
        ofAllTypes.append(body)
    }

    /// Lowers what waits, until nothing does.
    private func finish() {
        repeat {
            while let next = pending.popLast(), exceeded == nil { next() }
            guard exceeded == nil, typesSeen < declarations.nominals.count else { return }
            typesSeen = declarations.nominals.count
            for body in ofAllTypes { do { try body() } catch { tell(error, at: declarations.files[0].trees[0]) } }
        } while true
    }

    /// Runs a body in a function of its own.
    func inFunction<Result>(_ context: FunctionContext, scopes: [[String: Local]] = [], _ body: () throws -> Result)
        rethrows -> Result
    {
        let (before, outer) = (self.context, self.scopes)
        (self.context, self.scopes) = (context, scopes)
        defer { (self.context, self.scopes) = (before, outer) }
        return try body()
    }

    /// The body of the function that is lowered, with the variables that it needs besides its own.
    func withTemporaries(_ statements: [Statement]) -> [Statement] {
        guard context.temporaries > 0 else { return statements }
        return [.variables((1...context.temporaries).map(Self.temporary))] + statements
    }

    func declare(_ name: String, _ type: SwiftType, isVariable: Bool = false, isReference: Bool = false) -> String {
        let js = fresh(name)
        scopes[scopes.count - 1][name] = Local(
            js: .name(js), type: type, isVariable: isVariable, isReference: isReference)
        return js
    }

    func lookUp(_ name: String) -> Local? {
        for scope in scopes.reversed() { if let local = scope[name] { return local } }
        return nil
    }

    // MARK: The whole

    /// Lowers a block and all that it reaches.
    ///
    /// - Throws: `SwiftRefusal` with all that is not understood.
    func lower(_ block: MigrationBlock) throws -> LoweredScript {
        let context = FunctionContext()
        context.owner = block.owner.map { .nominal($0) }
        context.result = .void
        surroundings = block.surroundings
        blockNode = block.node.id
        let function = inFunction(context, scopes: [[:]]) { () -> JavaScript? in
            do {
                return try closureOrFunction(block)
            } catch {
                tell(error, at: block.node)
                return nil
            }
        }
        finish()
        if let exceeded { throw SwiftRefusal([exceeded]) }
        guard diagnostics.isEmpty, let function else { throw SwiftRefusal(sorted(diagnostics)) }
        let values = [JavaScript.name("migration"), .name("version")]
        let main = Statement.function("migrate", values, [.give(.runtime("run", [function] + values))])
        return ScriptPrinter.script(
            [.constant("$", .name("$swift"))] + chunks.joined() + [main], files: declarations.files.map(\.name),
            schemaVersion: block.schemaVersion)
    }

    private func sorted(_ diagnostics: [SwiftDiagnostic]) -> [SwiftDiagnostic] {
        diagnostics.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    private func closureOrFunction(_ block: MigrationBlock) throws -> JavaScript {
        switch block.code {
        case .closure(let closure):
            let types: [SwiftType] = [.named("Migration"), .int("UInt64")]
            return try self.closure(closure, .function(types, .void)).js
        case .function(let function):
            let signature = try signature(of: function, in: block.owner.map { .nominal($0) }, isStatic: true)
            var arguments: [JavaScript] = []
            for parameter in signature.parameters {
                switch parameter.type {
                case .named("Migration"): arguments.append(.name("m"))
                case .int("UInt64"), .int("Int"): arguments.append(.name("v"))
                default:
                    guard parameter.defaultValue != nil else {
                        throw Refusal(
                            "The migration function takes more than a migration and the old schema version.",
                            at: function.name)
                    }
                    arguments.append(.undefined)
                }
            }
            return .arrow([.name("m"), .name("v")], signature.js.called(arguments))
        }
    }
}
