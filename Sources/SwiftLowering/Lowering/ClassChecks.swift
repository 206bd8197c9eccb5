import SwiftSyntax

/// Classes whose objects are not made here.
extension Lowering {
    /// Refuses a class that does with its superclasses, or where it goes away, what is not understood.
    func mustBeUnderstood(_ nominal: Nominal) throws {
        // When an object goes away is not known here.
        for type in lineage(of: nominal) {
            for end in type.members.deinitializers where end.body.map({ !$0.statements.isEmpty }) ?? true {
                throw Refusal(
                    "Code that runs when an object of ‘\(type.path)’ goes away is not supported: move it to the place where the object is no longer needed.",
                    at: end)
            }
        }
        let classes = lineage(of: nominal).filter { $0.kind == .classType }
        for (place, type) in classes.enumerated() {
            for above in classes[(place + 1)...] { try mustDiffer(type, from: above) }
        }
        try mustHaveOneOrder(nominal, classes)
    }

    /// Refuses arguments that call functions, where properties begin with what functions give: the compiler's program works those out
    /// behind the arguments.
    func mustBeWorkedOutFirst(_ arguments: [Argument], of nominal: Nominal) throws {
        guard let argument = arguments.first(where: { callsFunction($0.node) }),
            lineage(of: nominal).contains(where: { $0.kind == .classType && propertyThatCalls(of: $0) != nil })
        else { return }
        throw Refusal(
            "Work this out before ‘\(nominal.path)’ is made, whose properties call functions too.", at: argument.node)
    }

    /// The first stored property of a type that begins with what a function of the app gives.
    func propertyThatCalls(of type: Nominal) -> VariableDeclaration? {
        type.members.variables.first {
            !$0.isStatic && !$0.isComputed && !$0.isLazy
                && ($0.binding.initializer.map { callsFunction($0.value) } ?? false)
        }
    }

    func callsFunction(_ node: some SyntaxProtocol) -> Bool {
        node.calls { self.declarations.declaresFunction($0) }
    }

    /// Refuses members of the same name that do not take each other's place: private ones.
    private func mustDiffer(_ type: Nominal, from above: Nominal) throws {
        for variable in type.members.variables where !variable.isStatic {
            guard let other = above.members.variable(variable.name, isStatic: false) else { continue }
            let isOverride = variable.declaration.modifiers.has(.override)
            guard isOverride, !(variable.hasObservers && other.isComputed) else {
                throw Refusal(
                    isOverride
                        ? "Observers of ‘\(variable.name)’, which ‘\(above.path)’ works out, are not understood here: do it where it is set."
                        : "‘\(type.path)’ and ‘\(above.path)’ each have a ‘\(variable.name)’: give one of them another name.",
                    at: variable.binding)
            }
        }
        for function in type.members.functions
        where !function.modifiers.has(.override) && !function.modifiers.isStatic {
            let types = function.signature.parameterClause.parameters.map(\.type.spelling)
            guard
                above.members.methods(like: function).contains(where: {
                    $0.signature.parameterClause.parameters.map(\.type.spelling) == types
                })
            else { continue }
            throw Refusal(
                "‘\(type.path)’ and ‘\(above.path)’ each have a ‘\(function.name.text)’: give one of them another name.",
                at: function.name)
        }
    }

    /// Refuses a class whose superclass begins with what a function gives, where more of that is done before.
    ///
    /// The compiler's program works out what a subclass begins with first, then runs its initializer up to that of the superclass.
    private func mustHaveOneOrder(_ nominal: Nominal, _ classes: [Nominal]) throws {
        for (place, type) in classes.enumerated().dropFirst() {
            guard let first = propertyThatCalls(of: type) else { continue }
            let isAlone = classes[..<place].allSatisfy { below in
                propertyThatCalls(of: below) == nil
                    && below.members.initializers.allSatisfy { $0.body.map { !callsFunction($0) } ?? true }
            }
            guard !isAlone else { continue }
            throw Refusal(
                "In which order ‘\(type.path)’ and its subclass ‘\(nominal.path)’ call functions for what they begin with is not "
                    + "understood here: give ‘\(first.name)’ its value in an initializer.", at: first.binding)
        }
    }
}
