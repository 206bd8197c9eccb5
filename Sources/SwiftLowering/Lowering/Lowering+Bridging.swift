import SwiftSyntax

extension Lowering {
    /// Members that `NSString` has and `String` has not: on a `String` such a name is an app's own.
    private static let bridged: Set<String> = [
        "boolValue", "intValue", "integerValue", "longLongValue", "doubleValue", "length", "lastPathComponent",
        "pathExtension",
        "deletingPathExtension", "appendingPathComponent",
    ]

    /// Refuses a member of `NSString` of what is none by its spelling, unless the files declare it, and one that is another of a
    /// `String`.
    func mustBeBridged(_ name: String, _ base: Lowered, _ baseNode: ExprSyntax, at node: some SyntaxProtocol) throws {
        guard base.type.unwrapped == .string, Self.bridged.contains(name) || name == "range",
            !extensionNames(.string).contains(where: { declares(name, $0) })
        else { return }
        let variable = baseNode.as(DeclReferenceExprSyntax.self)?.baseName.identifierText
        let isBridged =
            baseNode.spelling.contains("NSString")
            || variable.map { Syntax(baseNode).root.declaresBridged($0) } ?? false
        guard isBridged == (name == "range") else { return }
        if isBridged {
            throw Refusal(
                "‘range’ of an ‘NSString’, which gives an ‘NSRange’, is not understood: ask the ‘String’ for the range.",
                at: node)
        }
        throw Refusal(
            "‘String’ has no ‘\(name)’ of its own: add the file that declares it, or write it behind ‘as NSString’.",
            at: node)
    }

    private func declares(_ name: String, _ extended: String) -> Bool {
        guard let members = declarations.extensions[extended] else { return false }
        return members.variable(name, isStatic: false) != nil || !members.functions(name, isStatic: false).isEmpty
    }
}

extension Syntax {
    /// Whether a variable of a name that is an `NSString` is declared.
    fileprivate func declaresBridged(_ name: String) -> Bool {
        holds { node in
            let parameter = node.as(FunctionParameterSyntax.self).map {
                (($0.secondName ?? $0.firstName).identifierText, $0.type.spelling)
            }
            let variable = node.as(PatternBindingSyntax.self).map {
                ($0.pattern.spelling, ($0.typeAnnotation?.spelling ?? $0.initializer?.spelling ?? ""))
            }
            let bound = node.as(OptionalBindingConditionSyntax.self).map {
                ($0.pattern.spelling, ($0.typeAnnotation?.spelling ?? $0.initializer?.spelling ?? ""))
            }
            let matched = node.as(AsExprSyntax.self).flatMap {
                $0.expression.is(PatternExprSyntax.self) ? ($0.expression.spelling, $0.type.spelling) : nil
            }
            return (parameter ?? variable ?? bound ?? matched).map { $0 == name && $1.contains("NSString") } ?? false
        }
    }
}
