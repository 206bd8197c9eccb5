import SwiftSyntax

/// Structures of the app that conform to `OptionSet`: a number, of which each bit is an option.
extension Lowering {
    /// The type of the raw value of a set of options; nil of every other type.
    func optionBits(_ nominal: Nominal) -> SwiftType? {
        guard nominal.kind == .structure, nominal.inheritedNames.contains("OptionSet"),
            storedProperties(of: nominal).count == 1, let raw = nominal.members.variable("rawValue", isStatic: false),
            nominal.members.initializers.isEmpty, let type = try? fieldType(raw, of: nominal), type.isInteger
        else { return nil }
        return type
    }

    /// A set of options that a literal is.
    func options(_ array: ArrayExprSyntax, of type: SwiftType) throws -> Lowered? {
        guard case .nominal(let number) = type, let bits = optionBits(declarations.nominals[number]) else { return nil }
        let values = try array.elements.map { try kept($0.expression, as: type) }
        return Lowered(
            .runtime("options", descriptor(type), .array(values), descriptor(bits)), type, isFresh: true)
    }

    /// `isEmpty` of a set of options; nil of every other property.
    func optionProperty(_ base: Lowered, _ name: String) -> Lowered? {
        guard name == "isEmpty", case .nominal(let number) = base.type,
            optionBits(declarations.nominals[number]) != nil
        else { return nil }
        return Lowered(.binary(.equal, base.js.field("_rawValue"), .integer(0)), .bool)
    }

    /// The questions that a set of options is asked by another one, and their answers from the bits.
    private static let questions = [
        "contains", "isSubset", "isSuperset", "isDisjoint", "isStrictSubset", "isStrictSuperset",
    ]
    private static let makers = ["union", "intersection", "subtracting", "symmetricDifference"]
    private static let changes = [
        "insert", "remove", "formUnion", "formIntersection", "subtract", "formSymmetricDifference",
    ]

    /// A call of a method of a set of options; nil where it is none of those.
    func calledOfOptions(
        _ base: Lowered, _ name: String, _ arguments: [Argument], at node: some SyntaxProtocol
    ) throws -> Lowered? {
        guard case .nominal(let number) = base.type, let bits = optionBits(declarations.nominals[number]),
            arguments.count == 1, let only = arguments.first,
            only.label == (name.hasPrefix("is") ? (name == "isDisjoint" ? "with" : "of") : nil)
        else { return nil }
        let call = { (js: JavaScript) throws -> JavaScript in
            let other = try self.coerce(self.expression(only.node, base.type), to: base.type, at: only.node)
            return .runtime("optionCall", .text(name), js, other.js, self.descriptor(bits))
        }
        if Self.questions.contains(name) { return Lowered(try call(base.js), .bool) }
        if Self.makers.contains(name) { return Lowered(try call(base.js), base.type, isFresh: true) }
        guard Self.changes.contains(name) else { return nil }
        guard let place = base.place, place.write != nil || base.isStored else { throw Self.keptNowhere(node) }
        let open = try opened(place, at: node)
        let js = try sequence(open.setup, finished(call(open.read).marked(mark(node)), open.finish, mayThrow: false))
        // The results of `insert` and `remove` are seldom asked for.
        return Lowered(js, .void)
    }
}
