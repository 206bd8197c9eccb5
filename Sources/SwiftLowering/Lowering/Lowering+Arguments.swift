import SwiftSyntax

/// The arguments of calls, and calls of the functions of the app.
extension Lowering {
    func labels(of clause: FunctionParameterClauseSyntax, fit call: Call) -> Bool {
        let arguments = call.arguments
        var index = 0
        for parameter in clause.parameters {
            let label = parameter.firstName.identifierText == "_" ? nil : parameter.firstName.identifierText
            if index < arguments.count, arguments[index].node.is(ClosureExprSyntax.self), parameter.isKeyPath {
                return false
            }
            if index < arguments.count,
                arguments[index].isTrailing
                    ? parameter.mayTakeClosure(declarations) : arguments[index].label == label
            {
                index += 1
                if parameter.ellipsis != nil {
                    while index < arguments.count, arguments[index].label == nil, !arguments[index].isTrailing {
                        index += 1
                    }
                }
            } else if parameter.defaultValue == nil, parameter.ellipsis == nil {
                return false
            }
        }
        return index == arguments.count
    }

    /// The arguments of a call as the parameters take them.
    func bind(_ call: Call, to parameters: [Parameter]) throws -> BoundArguments {
        var rest = call.arguments[...]
        var bound = BoundArguments()
        let calls = self.calls
        for parameter in parameters {
            if parameter.isVariadic, case .array(let element) = parameter.type {
                var items: [JavaScript] = []
                while let next = rest.first, !next.isTrailing,
                    next.label == (items.isEmpty ? parameter.label : nil)
                {
                    items.append(try kept(next.node, as: element))
                    rest = rest.dropFirst()
                }
                bound.values.append(.array(items))
                continue
            }
            if let next = rest.first, parameter.takes(next) {
                rest = rest.dropFirst()
                if parameter.isDeferred {
                    bound.values.append(try deferred(next.node, parameter.type))
                } else if parameter.isReference {
                    try bound.add(place(next.node), in: self, at: next.node)
                } else {
                    if parameter.type.isOptional { try mustStayPlain(next.node) }
                    bound.values.append(try kept(next.node, as: parameter.type, isFixed: true))
                }
            } else if parameter.defaultValue != nil {
                bound.values.append(.undefined)
            } else {
                throw Refusal("The argument ‘\(parameter.label ?? parameter.name)’ is missing.", at: call.node)
            }
        }
        guard rest.isEmpty else { throw Refusal("There are more arguments than the function takes.", at: call.node) }
        bound.isCalling = self.calls > calls
        return bound
    }

    /// An argument that the function works out when it asks for it.
    func deferred(_ node: ExprSyntax, _ type: SwiftType) throws -> JavaScript {
        guard case .function(let types, let result) = type, types.isEmpty else {
            throw Refusal("This argument is not understood: work it out before.", at: node)
        }
        var inner = context.inner()
        inner.anonymous = context.anonymous
        return try inFunction(inner, scopes: scopes) {
            let value = try kept(node, as: result)
            return .closure([], withTemporaries([.give(value)]))
        }
    }

    /// A call of a function of the app; one that changes its value is given the place of it.
    ///
    /// - Parameter make: the call, of the value that the function is called of and the arguments, where it is none by the name.
    func invoke(
        _ signature: Signature, of receiver: Lowered?, _ bound: BoundArguments, at node: some SyntaxProtocol,
        _ make: (([JavaScript]) -> JavaScript)? = nil
    ) throws -> Lowered {
        calls += 1
        var bound = bound
        var (setup, first) = ([JavaScript](), [JavaScript]())
        if let receiver, signature.isMutating {
            guard let place = receiver.place, place.write != nil || isObject(receiver.type) else {
                throw Self.keptNowhere(node)
            }
            let open = try opened(place, at: node)
            (setup, first) = (open.setup, [try self.receiver(open, at: node)])
            bound.surround(by: open)
        } else if let receiver {
            bound.values.insert(receiver.js, at: 0)
        }
        let js = called(bound, isReading: !first.isEmpty, mayThrow: signature.mayThrow) { values in
            (make?(first + values) ?? signature.js.called(first + values)).marked(mark(node))
        }
        return Lowered(sequence(setup, js), signature.result, ownership: .moved)
    }

    /// A call with its arguments, behind which the access to places begins that it changes.
    ///
    /// - Parameters:
    ///   - isReading: whether the call reads a place, which an argument may change before.
    ///   - make: the call, of the values of the arguments.
    func called(
        _ bound: BoundArguments, isReading: Bool = false, mayThrow: Bool = true,
        _ make: ([JavaScript]) -> JavaScript
    ) -> JavaScript {
        var setup: [JavaScript] = []
        let isCalling = isReading && bound.isCalling
        let values = settled(bound.values, before: bound.begin, isCalling: isCalling, &setup)
        return sequence(setup + bound.begin, finished(make(values), bound.finish, mayThrow: mayThrow))
    }

    private func isObject(_ type: SwiftType) -> Bool {
        guard let nominal = appType(type) else { return false }
        return nominal.kind == .classType
    }
}

extension Parameter {
    /// Whether it takes the argument that comes next: a closure behind the parentheses is for the next parameter that is a function.
    func takes(_ argument: Argument) -> Bool {
        guard argument.isTrailing else { return argument.label == label }
        if case .function = type.unwrapped { return !isDeferred }
        return defaultValue == nil && !isVariadic
    }
}

extension FunctionParameterSyntax {
    /// Whether a closure behind the parentheses may be for it, rather than for one that follows.
    fileprivate func mayTakeClosure(_ declarations: Declarations) -> Bool {
        if defaultValue == nil, ellipsis == nil { return true }
        var type = type
        while true {
            if let attributed = type.as(AttributedTypeSyntax.self) {
                type = attributed.baseType
            } else if let optional = type.as(OptionalTypeSyntax.self) {
                type = optional.wrappedType
            } else if let tuple = type.as(TupleTypeSyntax.self), let only = tuple.elements.first,
                tuple.elements.count == 1
            {
                type = only.type
            } else if let name = type.as(IdentifierTypeSyntax.self),
                let alias = declarations.typealiases[name.name.identifierText]
            {
                type = alias
            } else {
                return type.is(FunctionTypeSyntax.self)
            }
        }
    }

    /// Whether it takes a key path, which no closure is.
    fileprivate var isKeyPath: Bool {
        let name = type.as(IdentifierTypeSyntax.self)?.name.identifierText ?? ""
        return ["KeyPath", "WritableKeyPath", "ReferenceWritableKeyPath"].contains(name)
    }
}

/// The arguments of a call.
struct BoundArguments {
    var values: [JavaScript] = []
    /// Whether working them out calls code.
    var isCalling = false
    /// The steps that begin the accesses to places among them.
    var begin: [JavaScript] = []
    /// The steps behind the call that make changes of them count.
    var finish: [Finish] = []

    /// Gives a place.
    mutating func add(_ place: Place, in lowering: Lowering, at node: some SyntaxProtocol) throws {
        let open = try lowering.opened(place, at: node)
        values.append(lowering.sequence(open.setup, try lowering.cell(open, at: node)))
        begin += open.begin
        finish = open.finish + finish
    }

    /// Adds the access to the value that the function is called of: it begins before the others, and ends behind them.
    mutating func surround(by open: Place) {
        begin = open.begin + begin
        finish += open.finish
    }
}

/// A call as it stands in the source.
struct Call {
    /// The name of the function, which may be one that the source does not write.
    var name: String
    var arguments: [Argument]
    /// The type that the place wants.
    var expected: SwiftType?
    /// The expression before the dot; nil where there is none.
    var base: ExprSyntax?
    var node: Syntax

    init(
        _ name: String, _ arguments: [Argument], _ expected: SwiftType? = nil, of base: ExprSyntax? = nil,
        at node: some SyntaxProtocol
    ) {
        (self.name, self.arguments, self.expected, self.base, self.node) = (
            name, arguments, expected, base, Syntax(node)
        )
    }

    /// The same call of something else, of which the place wants no type.
    func of(_ base: ExprSyntax?, _ name: String? = nil) -> Call {
        Call(name ?? self.name, arguments, of: base, at: node)
    }

    var hasClosure: Bool { arguments.contains { $0.node.is(ClosureExprSyntax.self) } }

    /// The one argument, where there is no other and it has no label.
    var onlyUnlabelled: ExprSyntax? {
        arguments.count == 1 && arguments[0].label == nil ? arguments[0].node : nil
    }
}

/// An argument of a call.
struct Argument {
    var label: String?
    var node: ExprSyntax
    var isTrailing = false

    /// Those of a call, its closures behind the parentheses included.
    static func all(_ call: FunctionCallExprSyntax) -> [Argument] {
        var all = call.arguments.map { Argument(label: $0.label?.identifierText, node: $0.expression) }
        if let closure = call.trailingClosure {
            all.append(Argument(label: nil, node: ExprSyntax(closure), isTrailing: true))
        }
        for closure in call.additionalTrailingClosures {
            all.append(Argument(label: closure.label.identifierText, node: ExprSyntax(closure.closure)))
        }
        return all
    }
}
