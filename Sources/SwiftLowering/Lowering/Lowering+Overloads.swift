import SwiftSyntax

/// Which of several functions of a name is called: the one that the compiler takes, or none where that is not sure.
extension Lowering {
    /// A function that takes the arguments of a call, with what becomes of them.
    struct Overload<Function> {
        var function: Function
        var parameters: [Parameter]
        var isGeneric = false
        var bound: Attempt<BoundArguments>
    }

    /// The conversions of the arguments, the worst first: a smaller one is better.
    private struct Effort: Comparable {
        var (forced, literals, wrapped, erased) = (0, 0, 0, 0)

        static func < (left: Effort, right: Effort) -> Bool {
            (left.forced, left.literals, left.wrapped, left.erased)
                < (right.forced, right.literals, right.wrapped, right.erased)
        }
    }

    /// The parameters that take the arguments, in the order of these, and how they do it.
    private struct Matched {
        var types: [SwiftType] = []
        var isVariadic = false
        var defaults = 0
    }

    /// Those of several functions that take the arguments of a call.
    ///
    /// - Parameter open: what is called, and its parameters.
    /// - Throws: what the first one refuses, where none takes them.
    func taking<Candidate, Function>(
        _ candidates: [Candidate], _ call: Call,
        _ open: (Candidate) throws -> (Function, [Parameter], isGeneric: Bool)
    ) throws -> [Overload<Function>] {
        var (refusal, overloads): ((any Error)?, [Overload<Function>]) = (nil, [])
        for candidate in candidates {
            do {
                let (function, parameters, isGeneric) = try open(candidate)
                let bound = try attempt { try bind(call, to: parameters) }.get()
                overloads.append(
                    Overload(function: function, parameters: parameters, isGeneric: isGeneric, bound: bound))
            } catch { refusal = refusal ?? error }
        }
        if let refusal, overloads.isEmpty { throw refusal }
        return overloads
    }

    /// The one of several functions that the compiler calls.
    ///
    /// - Throws: `Refusal` where it is not sure which one that is.
    func preferred<Function>(_ overloads: [Overload<Function>], _ call: Call) throws -> Overload<Function> {
        if overloads.count == 1 { return overloads[0] }
        let given = call.arguments.map { argument in naturalType(argument.node) }
        var best: [(Overload<Function>, Matched)] = []
        var least: Effort?
        let all = overloads.map { ($0, matched($0.parameters, call.arguments)) }
        // Where some leave parameters out, the compiler takes literals for other types than their own.
        let isEven = Set(all.map { $0.1.isVariadic || $0.1.defaults > 0 }).count == 1
        for (overload, matched) in all {
            var effort = Effort()
            for (index, type) in matched.types.enumerated() {
                let isSame = all.allSatisfy { $0.1.types.indices.contains(index) && $0.1.types[index] == type }
                guard isSame || isEven || !isLiteral(call.arguments[index].node) else { throw unclear(call.node) }
                guard isSame || add(call.arguments[index].node, given[index], type, to: &effort) else {
                    throw unclear(call.node)
                }
            }
            if let least, effort > least { continue }
            if let known = least, effort < known { best = [] }
            least = effort
            best.append((overload, matched))
        }
        if best.count == 1 { return best[0].0 }
        for (index, candidate) in best.enumerated() {
            let others = best.indices.filter { $0 != index }.map { best[$0] }
            if others.allSatisfy({ isBetter(candidate, $0) }) { return candidate.0 }
        }
        throw unclear(call.node)
    }

    /// A call of a function that an extension gives to a type of the library, which may have one of the name, too.
    ///
    /// - Parameter library: the call of the library's; nil where it has none that takes the arguments.
    func calledOfExtension(
        _ candidates: [FunctionDeclSyntax], _ call: Call, _ owner: FunctionContext.Owner, _ receiver: Lowered,
        besides library: () throws -> Lowered?
    ) throws -> Lowered? {
        let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: call) }
        guard let first = fitting.first else { return nil }
        let own = { [self] in
            try overloaded(candidates, call, owner, isStatic: false, receiver: receiver)
        }
        guard self.library.methods(first.name.identifierText).contains(where: { $0.fits(call.arguments) }) else {
            return try own()
        }
        if try fitting.contains(where: { try isExact($0, call.arguments, in: owner) }) { return try own() }
        let other = attempt(library).flatMap { found in
            found.value == nil ? .failure(unclear(call.node)) : .success(found)
        }
        switch (attempt(own), other) {
        case (.success, .success): throw unclear(call.node)
        case (.success(let found), .failure): return take(found)
        case (.failure, .success(let found)): return take(found)
        // The refusal of the app's own function says more than that the library has none.
        case (.failure(let refusal), .failure): throw refusal
        }
    }

    /// Whether a function takes the arguments as they are by themselves.
    private func isExact(
        _ function: FunctionDeclSyntax, _ arguments: [Argument], in owner: FunctionContext.Owner
    ) throws -> Bool {
        guard function.genericParameterClause == nil else { return false }
        let parameters = try self.parameters(function.signature.parameterClause, in: owner)
        let types = matched(parameters, arguments).types
        return types.count == arguments.count
            && zip(types, arguments).allSatisfy { type, argument in
                argument.node.is(ClosureExprSyntax.self) || naturalType(argument.node) == type
            }
    }

    private func unclear(_ node: some SyntaxProtocol) -> Refusal {
        Refusal(
            "Which of several functions of this name is called can't be told here: give them other names.", at: node)
    }

    /// The type of an argument by itself; nil of one that has none without its place.
    private func naturalType(_ node: ExprSyntax) -> SwiftType? {
        if node.is(ClosureExprSyntax.self) || node.is(InOutExprSyntax.self) { return nil }
        return typeAlone(of: node).success
    }

    private func matched(_ parameters: [Parameter], _ arguments: [Argument]) -> Matched {
        var (found, rest) = (Matched(), arguments[...])
        for parameter in parameters {
            if parameter.isVariadic, case .array(let element) = parameter.type {
                found.isVariadic = true
                var isFirst = true
                while let next = rest.first, !next.isTrailing, next.label == (isFirst ? parameter.label : nil) {
                    (isFirst, rest) = (false, rest.dropFirst())
                    found.types.append(element)
                }
            } else if let next = rest.first, parameter.takes(next) {
                rest = rest.dropFirst()
                found.types.append(parameter.type)
            } else {
                found.defaults += 1
            }
        }
        return found
    }

    /// Adds what has to be done with an argument; false where that is not known.
    private func add(_ node: ExprSyntax, _ given: SwiftType?, _ wanted: SwiftType, to effort: inout Effort) -> Bool {
        if node.is(NilLiteralExprSyntax.self) { return wanted.isOptional }
        guard var given, !given.hasVariables else { return false }
        var wanted = wanted
        if given == wanted { return true }
        if given.isOptional, wanted.isOptional {
            (given, wanted) = (given.unwrapped, wanted.unwrapped)
        } else if given.isOptional, wanted != .any {
            effort.forced += 1
            given = given.unwrapped
        } else if wanted.isOptional {
            effort.wrapped += 1
            wanted = wanted.unwrapped
        }
        if given == wanted { return true }
        if wanted == .any {
            effort.erased += 1
            return true
        }
        if node.is(StringLiteralExprSyntax.self), wanted == .character {
            effort.literals += 1
            return true
        }
        if isLiteral(node), given.isNumber, wanted.isNumber {
            effort.literals += 1
            return true
        }
        return isSpecific(given, wanted)
    }

    private func isBetter<Function>(_ one: (Overload<Function>, Matched), _ other: (Overload<Function>, Matched))
        -> Bool
    {
        let isLess = { (one: Bool, other: Bool) in one == other ? 0 : other ? 1 : -1 }
        let (types, otherTypes) = (one.1.types, other.1.types)
        guard types.count == otherTypes.count else { return false }
        let pairs = zip(types, otherTypes)
        guard pairs.allSatisfy({ isSpecific($0, $1) }) else { return false }
        if types != otherTypes, pairs.allSatisfy({ isSpecific($1, $0) }) { return false }
        let verdicts = [
            isLess(one.1.isVariadic, other.1.isVariadic), (other.1.defaults - one.1.defaults).signum(),
            isLess(one.0.isGeneric, other.0.isGeneric), types == otherTypes ? 0 : 1,
        ]
        return !verdicts.contains(-1) && verdicts.contains(1)
    }

    /// Whether all values of a type are of another one.
    private func isSpecific(_ type: SwiftType, _ other: SwiftType) -> Bool {
        if type == other || other == .any { return true }
        if other.isOptional { return isSpecific(type.unwrapped, other.unwrapped) }
        switch (type, other) {
        case (.nominal(let number), .nominal(let target)):
            return isKind(declarations.nominals[number], of: declarations.nominals[target])
        case (.nominal, .error): return true
        default: return false
        }
    }
}
