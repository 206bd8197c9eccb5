import SwiftSyntax

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

    init(_ node: SyntaxIdentifier, in owner: FunctionContext.Owner? = nil, _ typeArguments: [String: SwiftType] = [:]) {
        (self.node, self.typeArguments) = (node, typeArguments)
        switch owner {
        case .library(let type, _)?: extended = type
        case .nominal(let nominal)? where nominal.template != nil: extended = .nominal(nominal.number)
        default: break
        }
    }
}
