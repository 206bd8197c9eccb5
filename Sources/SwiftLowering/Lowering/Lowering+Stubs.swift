import SwiftSyntax

extension Lowering {
    /// A call that does nothing, but for what its arguments do; closures are never called.
    ///
    /// - Throws: what an argument is refused for that calls a function of the files, which may do more than make a text. Others
    ///   that are not understood are left out.
    func stubbed(_ arguments: [Argument]) throws -> Lowered {
        var lowered: [JavaScript] = []
        for argument in arguments where !argument.node.is(ClosureExprSyntax.self) {
            do {
                let value = try trying { try expression(argument.node, nil) }
                if value.type != .stub, !value.isSimple { lowered.append(value.js) }
            } catch  where !callsOwnFunction(argument.node) {}
        }
        return Lowered(lowered.isEmpty ? .undefined : .sequence(lowered + [.undefined]), .stub)
    }

    /// A value that something depends on, which a stub does not give.
    func valued(_ value: Lowered, at node: some SyntaxProtocol) throws -> Lowered {
        guard value.type == .stub else { return value }
        throw Refusal(
            "A stub gives no value: give the value in the parameters, or add the file that declares it.", at: node)
    }

    private func callsOwnFunction(_ node: ExprSyntax) -> Bool {
        node.calls { [self] in lookUp($0)?.function != nil || declarations.declaresFunction($0) }
    }
}
