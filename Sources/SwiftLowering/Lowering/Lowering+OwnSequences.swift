import SwiftSyntax

/// Types of the app that are sequences: by `next()` of their own, or by that of what `makeIterator()` gives.
extension Lowering {
    /// The elements of a sequence of the app; nil of every other value.
    func ownSequence(_ base: Lowered, at node: some SyntaxProtocol) throws -> Lowered? {
        guard let nominal = appType(base.type), conforms(nominal, to: ["Sequence"]) else { return nil }
        guard !nominal.members.functions("makeIterator", isStatic: false).isEmpty else {
            return try steps(of: base, at: node)
        }
        guard let made = try calledOfNominal(nominal, base, Call("makeIterator", [], at: node)) else { return nil }
        if case .iterator = made.type { return made }
        return try steps(of: made, at: node)
    }

    /// The elements that an iterator of the app gives.
    private func steps(of iterator: Lowered, at node: some SyntaxProtocol) throws -> Lowered? {
        guard let nominal = appType(iterator.type) else { return nil }
        guard nominal.kind == .structure || nominal.kind == .classType, conforms(nominal, to: ["IteratorProtocol"]),
            let next = nominal.members.functions("next", isStatic: false).first(where: { $0.labels.isEmpty })
        else { return nil }
        let signature = try signature(of: next, in: .nominal(nominal), isStatic: false)
        guard case .optional(let element) = signature.result else { return nil }
        calls += 1
        let value = try keep(iterator, as: nil, at: node)
        return Lowered(
            runtime("stepsOf", at: node, value, .arrow([.name("it")], signature.js.called([.name("it")]))),
            .iterator(element))
    }
}
