import SwiftSyntax

/// Subscripts that the app declares: functions that read, and that set.
extension Lowering {
    /// A subscript of the app that takes the arguments of an access, bound to it.
    struct OwnSubscript {
        var type: SwiftType
        var arguments: [JavaScript]
        /// Whether the arguments may call code that changes something.
        var isCalling: Bool
        var getter: JavaScript
        /// Nil of one that can be read alone.
        var setter: JavaScript?
    }

    /// The subscript of the app that is meant; nil where the value has none that takes these arguments.
    func ownSubscript(_ node: SubscriptCallExprSyntax, of type: SwiftType) throws -> OwnSubscript? {
        let arguments = node.arguments.map { Argument(label: $0.label?.identifierText, node: $0.expression) }
        let call = Call("subscript", arguments, at: node)
        var refusal: (any Error)?
        for (declaration, owner) in subscripts(of: type, arguments) {
            do {
                return try trying { try bound(declaration, in: owner, call) }
            } catch { refusal = refusal ?? error }
        }
        // The library's own takes what the app's does not, and has no label but one.
        let isOwn =
            if case .nominal = type { true } else { !arguments.allSatisfy { [nil, "default"].contains($0.label) } }
        if isOwn, let refusal { throw refusal }
        return nil
    }

    private func subscripts(
        of type: SwiftType, _ arguments: [Argument]
    ) -> [(SubscriptDeclSyntax, FunctionContext.Owner)] {
        let all: [(SubscriptDeclSyntax, FunctionContext.Owner)]
        if case .nominal(let number) = type {
            all = lineage(of: declarations.nominals[number]).flatMap { owner in
                owner.members.subscripts.map { ($0, .nominal(owner)) }
            }
        } else {
            all = extensionNames(type).flatMap { key in
                (declarations.extensions[key]?.subscripts ?? []).filter { mayHave($0, type) }.map {
                    ($0, .library(type, key))
                }
            }
        }
        // The library's own subscripts have no label and count, but for texts, whose indices are no numbers.
        let isLibrary = if case .nominal = type { false } else { ![.string, .substring].contains(type) }
        return all.filter { declaration, _ in
            let labels = declaration.labels
            return !declaration.modifiers.isStatic && labels == arguments.map(\.label)
                && !(isLibrary && labels.allSatisfy { $0 == nil }) && declaration.getter != nil
        }
    }

    private func bound(
        _ declaration: SubscriptDeclSyntax, in owner: FunctionContext.Owner, _ call: Call
    ) throws -> OwnSubscript {
        if case .nominal(let nominal) = owner, isReplaced(declaration, of: nominal) {
            throw Refusal("A subscript that subclasses have, too, is not understood: write a method.", at: call.node)
        }
        guard declaration.genericParameterClause == nil else {
            throw Refusal("A generic subscript is not understood: write a method.", at: call.node)
        }
        let (parameters, result) = try inFunction(FunctionContext(owner: owner)) {
            (try self.parameters(declaration.parameterClause), try self.type(declaration.returnClause.type))
        }
        var unlabeled = parameters
        for index in unlabeled.indices { unlabeled[index].label = nil }
        let plain = Call("subscript", call.arguments.map { Argument(label: nil, node: $0.node) }, at: call.node)
        let calls = self.calls
        let values = try bind(plain, to: unlabeled).values
        let isCalling = self.calls > calls
        self.calls += 1
        let names = try accessors(declaration, in: owner, unlabeled, result)
        return OwnSubscript(
            type: result, arguments: values, isCalling: isCalling, getter: names.getter, setter: names.setter)
    }

    private func isReplaced(_ declaration: SubscriptDeclSyntax, of nominal: Nominal) -> Bool {
        subclasses(of: nominal).contains { $0.members.subscripts.contains { $0.labels == declaration.labels } }
    }

    /// The functions of a subscript.
    private func accessors(
        _ declaration: SubscriptDeclSyntax, in owner: FunctionContext.Owner, _ parameters: [Parameter],
        _ result: SwiftType
    ) throws -> (getter: JavaScript, setter: JavaScript?) {
        guard let getter = declaration.getter else {
            throw Refusal("The subscript has no getter here.", at: declaration)
        }
        let get = function(
            FunctionKey(declaration.id, in: owner), "get_subscript", getter, parameters, result, in: owner,
            isMutating: false, at: declaration)
        guard let setter = declaration.setter, let body = setter.body else { return (get, nil) }
        let value = Parameter(label: nil, name: setter.parameters?.name.identifierText ?? "newValue", type: result)
        let set = function(
            FunctionKey(setter.id, in: owner), "set_subscript", body.statements, parameters + [value], .void, in: owner,
            isMutating: setter.modifier?.name.tokenKind != .keyword(.nonmutating), at: declaration)
        return (get, set)
    }

    private func function(
        _ key: FunctionKey, _ name: String, _ body: CodeBlockItemListSyntax, _ parameters: [Parameter],
        _ result: SwiftType, in owner: FunctionContext.Owner, isMutating: Bool, at node: some SyntaxProtocol
    ) -> JavaScript {
        once(key, name, methodContext(owner, result, isMutating: isMutating), at: node) { [self] name in
            let signature = Signature(name: name, parameters: parameters, result: result, owner: owner)
            return try declared(signature, body, at: node, takesSelf: true)
        }
    }

    /// The place of what a subscript of the app gives.
    func ownPlace(_ found: OwnSubscript, of base: Place, at node: some SyntaxProtocol) throws -> Place {
        let place = mark(node)
        guard let setter = found.setter else {
            // The value is read before the arguments.
            let whole = found.isCalling && isCopied(base.type) ? copied(base.read, base.type) : base.read
            let call = found.getter.called([whole] + found.arguments).marked(place)
            return valuePlace(Lowered(sequence(base.setup + base.begin, call), found.type, ownership: .moved))
        }
        let open = try opened(base, at: node)
        var setup = open.setup
        let arguments = found.arguments.map { held(Lowered($0, .any, ownership: .borrowed), &setup) }
        let this = open.write == nil && isInPlace(open.type) ? open.read : try receiver(open, at: node)
        return Place(
            type: found.type, read: found.getter.called([open.read] + arguments).marked(place),
            setup: setup, begin: open.begin,
            write: { setter.called([this] + arguments + [$0]).marked(place) },
            finish: open.finish, isDirect: false)
    }
}

extension SubscriptDeclSyntax {
    /// The labels of its parameters: those of two names alone have one.
    fileprivate var labels: [String?] {
        parameterClause.parameters.map { parameter in
            guard parameter.secondName != nil, parameter.firstName.identifierText != "_" else { return nil }
            return parameter.firstName.identifierText
        }
    }

    var getter: CodeBlockItemListSyntax? { accessorBlock?.getter }

    fileprivate var setter: AccessorDeclSyntax? { accessorBlock?.accessor(.set) }
}
