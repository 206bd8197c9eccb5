import SwiftWire
import SwiftSyntax

/// Lowers what a migration block reaches to JavaScript.
final class Lowering {
    let declarations: Declarations
    let program: SwiftProgram
    let library = Library()
    private var state = CodeState()
    var scopes: [[String: Local]] {
        get { state.scopes }
        _modify { yield &state.scopes }
    }
    var context: FunctionContext {
        get { state.context }
        _modify { yield &state.context }
    }
    var calls: Int {
        get { state.calls }
        set { state.calls = newValue }
    }
    private var chunks: [[Statement]] = []
    private var names = 0
    var descriptors: [SwiftType: JavaScript] = [:]
    /// The functions that copy values, by type.
    var copiers: [SwiftType: JavaScript] = [:]
    /// The types whose descriptors say how values are shown, by number.
    var described: Set<Int> = []
    /// Whether structures are copied, by number.
    var copiedStructures: [Int: Bool] = [:]
    var signatures: [FunctionKey: Signature] = [:]
    var globals: [FunctionKey: Lowered] = [:]
    var structures: Set<Int> = []
    /// The types whose descriptors say how their values are written as JSON.
    var coded: Set<Int> = []
    /// The types of arguments of generic functions.
    var argumentTypes: [FunctionKey: SwiftType] = [:]
    var fieldTypes: [FunctionKey: SwiftType] = [:]
    /// Whether no optional is taken for what it wraps, as values of types with ‘!’ are.
    var isStrict = false
    /// Whether a call that is lowered is to give elements that are no optionals.
    var wantsPlainElements = false
    /// The expressions where the place wants a value of `Any?`.
    var wantedAsAny: Set<SyntaxIdentifier> = []
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
            for diagnostic in told.diagnostics where !state.diagnostics.contains(diagnostic) {
                state.diagnostics.append(diagnostic)
            }
        }
        guard let refusal = error as? Refusal, let at = refusal.node else { return }
        let diagnostic = declarations.file(of: at).diagnostic(refusal.message, at: declarations.origin(of: at))
        if !state.diagnostics.contains(diagnostic) { state.diagnostics.append(diagnostic) }
    }

    /// How much is told that is not understood.
    var toldCount: Int { state.diagnostics.count }

    /// The value of a body; nil where the body refuses something, which is told.
    @discardableResult
    func told<Value>(at node: some SyntaxProtocol, _ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            tell(error, at: node)
            return nil
        }
    }

    // MARK: Attempts

    /// Tries something, and leaves the state as it was.
    func attempt<Value>(_ body: () throws -> Value) -> Result<Attempt<Value>, any Error> {
        let before = state
        defer { state = before }
        let result = Result { try body() }
        // Errors that were told say that it does not fit either, and may be why another one was thrown.
        let told = state.diagnostics[before.diagnostics.count...]
        guard told.isEmpty else { return .failure(SwiftRefusal(Array(told))) }
        return result.map { Attempt(value: $0, state: state) }
    }

    /// Goes on from what an attempt left behind.
    func take<Value>(_ attempt: Attempt<Value>) -> Value {
        state = attempt.state
        return attempt.value
    }

    /// Tries something, and forgets what it made where it fails.
    func trying<Value>(_ body: () throws -> Value) throws -> Value { take(try attempt(body).get()) }

    /// The value of an attempt; nil, and the state as it was, where it makes nothing or fails.
    func ifMade<Value>(_ body: () throws -> Value?) -> Value? {
        guard case .success(let found) = attempt(body), found.value != nil else { return nil }
        return take(found)
    }

    /// The type of an expression, which is looked at and not made.
    func typeAlone(of node: ExprSyntax, _ expected: SwiftType? = nil) -> Result<SwiftType, any Error> {
        attempt { try expression(node, expected).type }.map(\.value)
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
        declarations.place(of: node)
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
    func ofAllTypes<Failure: Error>(_ body: @escaping () throws(Failure) -> Void) throws(Failure) {
        try body()
        ofAllTypes.append(body)
    }

    /// Lowers what waits, until nothing does.
    private func finish() {
        repeat {
            while let next = pending.popLast(), exceeded == nil { next() }
            guard exceeded == nil, typesSeen < declarations.nominals.count else { return }
            typesSeen = declarations.nominals.count
            for body in ofAllTypes { told(at: declarations.files[0].trees[0], body) }
        } while true
    }

    /// Lowers a function later, in a context of its own, and emits it.
    func emitLater(_ context: FunctionContext, at node: some SyntaxProtocol, _ body: @escaping () throws -> Statement) {
        later { [self] in told(at: node) { try inFunction(context, body) }.map(emit) }
    }

    /// The function of a key, which is lowered when it was asked for first.
    func once(
        _ key: FunctionKey, _ name: String, _ context: FunctionContext, at node: some SyntaxProtocol,
        _ body: @escaping (String) throws -> Statement
    ) -> JavaScript {
        if let known = signatures[key] { return known.js }
        let name = fresh(name)
        signatures[key] = Signature(name: name, parameters: [], result: .void)
        emitLater(context, at: node) { try body(name) }
        return .name(name)
    }

    /// Runs a body in a function of its own.
    func inFunction<Value>(
        _ context: FunctionContext, scopes: [[String: Local]] = [[:]], _ body: () throws -> Value
    ) rethrows -> Value {
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

    /// Runs a body with a scope of its own.
    func inScope<Value>(_ body: () throws -> Value) rethrows -> Value {
        let outer = scopes
        defer { scopes = outer }
        scopes.append([:])
        return try body()
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
        let context = FunctionContext(result: .void, owner: block.owner.map { .nominal($0) })
        surroundings = block.surroundings
        blockNode = block.node.id
        let function = inFunction(context) { told(at: block.node) { try closureOrFunction(block) } }
        finish()
        if let exceeded { throw SwiftRefusal([exceeded]) }
        guard state.diagnostics.isEmpty, let function else {
            throw SwiftRefusal(
                state.diagnostics.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) })
        }
        let values = [JavaScript.name("migration"), .name("version")]
        let main = Statement.function("migrate", values, [.give(.runtime("run", [function] + values))])
        // In no file: without it the lines would be of what stands above them.
        let nowhere = SourcePlace(file: declarations.files.count, line: 1, column: 1)
        return ScriptPrinter.script(
            [.constant("$", .name("$swift"))] + initialValues + chunks.joined() + [.marked(nowhere, main)],
            files: declarations.files.map(\.name),
            schemaVersion: block.schemaVersion)
    }

    /// Tells the initial values of model classes' properties that the schema doesn't.
    private var initialValues: [Statement] {
        ModelSchema.unsaidValues(of: declarations).sorted { $0.key < $1.key }.flatMap { name, values in
            values.sorted { $0.key < $1.key }.map { property, value in
                .expression(.runtime("initialValue", .text(name), .text(property), .bool(value == .own)))
            }
        }
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
