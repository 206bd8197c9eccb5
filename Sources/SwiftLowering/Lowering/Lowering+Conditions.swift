import SwiftSyntax

/// The conditions of `if`, `guard` and `while`, and the names that they bind.
extension Lowering {
    /// Conditions as one test; the names that they bind are declared in the scope that is open, before the test.
    func conditions(_ list: ConditionElementListSyntax) throws -> (names: [Statement], test: JavaScript) {
        var names: [Statement] = []
        var tests: [JavaScript] = []
        for element in list {
            switch element.condition {
            case .expression(let value):
                tests.append(try valued(expression(value, .bool), at: value).js.marked(mark(value)))
            case .optionalBinding(let binding):
                let bound = try optionalBinding(binding)
                names += bound.names
                tests += bound.tests
            case .matchingPattern(let match):
                let value = try valued(expression(match.initializer.value, nil), at: match)
                let subject = fresh("subject")
                let found = try pattern(match.pattern, Lowered(.name(subject), value.type))
                names += [.variables([subject])] + found.declarations
                let kept = try JavaScript.name(subject).assigned(keep(value, as: nil, at: match, isFixed: true))
                tests.append(JavaScript.sequence([kept, found.condition]).marked(mark(match)))
            case .availability: break
            @unknown default: throw Refusal("This condition is not understood.", at: element)
            }
        }
        return (names, .joined(tests, .and) ?? .bool(true))
    }

    /// The name that a pattern gives a value, `_` where it gives none; nil of a pattern of another kind.
    private func boundName(_ pattern: PatternSyntax) -> String? {
        let isDiscarded =
            pattern.as(ExpressionPatternSyntax.self)?.expression.is(DiscardAssignmentExprSyntax.self) ?? false
        if isDiscarded || pattern.is(WildcardPatternSyntax.self) { return "_" }
        return pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
    }

    /// `let x = y` in a condition: a name, and a test whether there is a value.
    private func optionalBinding(
        _ binding: OptionalBindingConditionSyntax
    ) throws -> (names: [Statement], tests: [JavaScript]) {
        let name = boundName(binding.pattern)
        if context.selfValue == nil, name == "self" || binding.initializer?.value.spelling == "self",
            let owner = ownerType
        {
            // The instance that the block belongs to is not here; its methods are.
            if let name, name != "self" {
                scopes[scopes.count - 1][name] = Local(js: try metatype(owner, at: binding).js, type: .metatype(owner))
            }
            return ([], [])
        }
        let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
        let value: Lowered
        if let initializer = binding.initializer?.value {
            let annotated: SwiftType? = try binding.typeAnnotation.map { try self.type($0.type) }
            let lowered = try valued(expression(initializer, annotated?.optional), at: binding)
            value = Lowered(try keep(lowered, as: nil, at: initializer, isFixed: !isVariable), lowered.type)
        } else if let name {
            value = try reference(name, at: binding.pattern)
        } else {
            throw Refusal(
                "This pattern is not understood here: bind the whole value, and take it apart then.",
                at: binding.pattern)
        }
        // An object that is captured weakly is there as long as the script runs.
        if case .nominal = value.type, let name, (binding.initializer?.value.spelling ?? name) == "self" {
            return name == "self" ? ([], []) : ([.constant(declare(name, value.type), value.js)], [])
        }
        guard value.type.isOptional || value.type == .any else {
            throw Refusal("‘if let’ takes an optional, and this is ‘\(spelled(value.type))’.", at: binding)
        }
        guard let name else {
            let subject = fresh("subject")
            let found = try pattern(
                binding.pattern, Lowered(.name(subject), value.type.unwrapped),
                binds: isVariable ? .variable : .constant)
            let isThere = JavaScript.name(subject).assigned(value.js).isThere.marked(mark(binding))
            return ([.variables([subject])] + found.declarations, [isThere, found.condition])
        }
        if name == "_" { return ([], [value.js.isThere.marked(mark(binding))]) }
        let js = declare(name, value.type.unwrapped, isVariable: isVariable)
        return ([.variables([js])], [JavaScript.name(js).assigned(value.js).isThere.marked(mark(binding))])
    }

}
