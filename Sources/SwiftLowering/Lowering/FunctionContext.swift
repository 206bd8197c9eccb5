import SwiftWire
import SwiftSyntax

/// The state that lowering changes as it goes on: an attempt works on a copy, which is thrown away where it fails.
struct CodeState {
    var context = FunctionContext()
    /// The names in sight, those of the outermost block first.
    var scopes: [[String: Local]] = []
    /// The refusals that were told of the source.
    var diagnostics: [SwiftDiagnostic] = []
    /// How many calls of functions of the app, and of such of the library that change a value, were lowered: what calls one may
    /// change what is read before.
    var calls = 0
}

extension Result {
    /// The value of a success; nil of a failure.
    var success: Success? { if case .success(let made) = self { made } else { nil } }
}

/// The value that an attempt made, and the state to go on with where the value is kept.
struct Attempt<Value> {
    var value: Value
    var state: CodeState
}

/// A name in a scope.
struct Local {
    var js: JavaScript
    var type: SwiftType
    var isVariable = false
    var isView = false
    /// Whether reading it runs code.
    var isComputed = false
    /// Whether that code runs once, and its value is held.
    var isLazy = false
    /// The function that gives it a value where that runs code.
    var setter: JavaScript?
    /// A parameter that is `inout`: an object that holds the place.
    var isReference = false
    var function: FunctionDeclSyntax?
    /// Whether its declaration was refused: what uses it is not told again.
    var isRefused = false
    /// A type that a function declares.
    var nominal: Nominal?

    /// The expression that reads it.
    var value: JavaScript { isReference ? js.field("v") : js }
}

/// The function whose body is lowered.
struct FunctionContext {
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
    /// Whether the code is a static member, in which names are first those of other static ones.
    var isStatic = false
    /// Labels of the loops and switches around a statement: the source's own, that of JavaScript, and whether it is a loop.
    var exits: [(name: String?, js: String, isLoop: Bool)] = []
    /// The labels of other statements, which ‘break’ leaves by their names alone: the source's own, and that of JavaScript.
    var labelledBlocks: [(name: String, js: String)] = []
    /// The chains of `?` that are being lowered, each with its tests.
    var chains: [[JavaScript]] = []
    /// Closure parameters without names.
    var anonymous: [Local] = []
    /// The types of a generic function's parameters.
    var typeArguments: [String: SwiftType] = [:]
    /// The type that declares the initializer whose code this is: its own properties are not observed there.
    var madeType: Nominal?
    /// The property whose observer this is: what it gives it is not observed.
    var observed: String?
    /// Whether `self` is being made, by code that may fail.
    var isInitializer = false
    var mayFail = false

    /// A function that stands in this one, and sees its `self`.
    func inner(result: SwiftType? = nil) -> FunctionContext {
        FunctionContext(
            result: result, selfValue: selfValue, selfForm: selfForm, isSelfConstant: isSelfConstant, owner: owner,
            isStatic: isStatic, typeArguments: typeArguments)
    }

    /// How `self` is replaced: its parts are, a variable of JavaScript is, or the place that was given is.
    enum SelfForm { case object, variable, cell }

    enum Owner {
        case nominal(Nominal)
        case library(SwiftType, String)
    }
}
