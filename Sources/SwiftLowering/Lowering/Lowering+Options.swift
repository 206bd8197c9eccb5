import SwiftSyntax

/// Structures of the app that conform to `OptionSet`: a number, of which each bit is an option.
extension Lowering {
    /// The type of the raw value of a set of options; nil of every other type.
    func optionBits(_ nominal: Nominal) -> SwiftType? {
        guard nominal.kind == .structure, nominal.inheritedNames.contains("OptionSet"),
            storedProperties(of: nominal).count == 1, let raw = nominal.members.variable("rawValue", isStatic: false),
            // The descriptor tells a type that is not understood.
            nominal.members.initializers.isEmpty,
            let type = attempt({ try fieldType(raw, of: nominal) }).success?.value, type.isInteger
        else { return nil }
        return type
    }

    /// A set of options that a literal is.
    func options(_ array: ArrayExprSyntax, of type: SwiftType) throws -> Lowered? {
        guard let nominal = appType(type), let bits = optionBits(nominal) else { return nil }
        let values = try array.elements.map { try kept($0.expression, as: type) }
        return Lowered(.runtime("options", descriptor(type), .array(values), descriptor(bits)), type, ownership: .moved)
    }

    /// `isEmpty` of a set of options; nil of every other property.
    func optionProperty(_ base: Lowered, _ name: String) -> Lowered? {
        guard name == "isEmpty", let nominal = appType(base.type), optionBits(nominal) != nil else { return nil }
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
    func calledOfOptions(_ base: Lowered, _ call: Call) throws -> Lowered? {
        guard let nominal = appType(base.type), let bits = optionBits(nominal),
            call.arguments.count == 1, let only = call.arguments.first,
            only.label == (call.name.hasPrefix("is") ? (call.name == "isDisjoint" ? "with" : "of") : nil)
        else { return nil }
        guard (Self.questions + Self.makers + Self.changes).contains(call.name) else { return nil }
        let calls = self.calls
        let other = try coerced(only.node, to: base.type)
        let made = { [self] (js: JavaScript, other: JavaScript) in
            JavaScript.runtime("optionCall", .text(call.name), js, other, descriptor(bits))
        }
        if Self.questions.contains(call.name) { return Lowered(made(base.js, other), .bool) }
        if Self.makers.contains(call.name) { return Lowered(made(base.js, other), base.type, ownership: .moved) }
        guard let place = base.place, place.write != nil || base.ownership == .borrowed else {
            throw Self.keptNowhere(call.node)
        }
        let open = try opened(place, at: call.node)
        var bound = BoundArguments(values: [other], isCalling: self.calls > calls)
        bound.surround(by: open)
        let js = called(bound, isReading: true, mayThrow: false) { made(open.read, $0[0]).marked(mark(call.node)) }
        // The results of `insert` and `remove` are seldom asked for.
        return Lowered(sequence(open.setup, js), .void)
    }
}
