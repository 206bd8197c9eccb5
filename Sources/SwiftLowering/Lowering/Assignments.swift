import SwiftSyntax

/// Assignments, of which each works out its place once.
extension Lowering {
    func assignment(_ node: InfixOperatorExprSyntax) throws -> Lowered {
        if node.leftOperand.is(DiscardAssignmentExprSyntax.self) {
            return try Lowered(expression(node.rightOperand, nil, isDiscarded: true).js, .void)
        }
        if let tuple = node.leftOperand.as(TupleExprSyntax.self), tuple.elements.count > 1 {
            return try tupleAssignment(tuple, node.rightOperand)
        }
        return try inChain {
            let place = try self.place(node.leftOperand)
            let calls = self.calls
            try CheckedText(propertyOf: node.leftOperand)?.check(node.rightOperand)
            let value = try expression(node.rightOperand, place.type)
            if let raw = value.raw, let (object, key) = place.property {
                // Another object's property as it is, without a look at its type.
                let copied = runtime("copyProperty", at: node, object, key, raw.js, raw.object, raw.key)
                return Lowered(sequence(place.setup, copied), .void)
            }
            if let plain = place.writePlain, value.type.unwrapped == .string {
                return Lowered(sequence(place.setup, plain(value.js)), .void)
            }
            guard let write = place.write else { throw Self.notAssignable(node.leftOperand) }
            try mustStayAlive(value, in: node.leftOperand, at: node.rightOperand)
            var kept = try keep(value, as: place.type, at: node.rightOperand)
            var setup = place.setup
            // A function of the app that is called here may put another value where the place is a part of.
            let isCalling = self.calls > calls && place.read.identifier == nil
            let begin = place.begin + (place.isReadFirst ? [place.read] : [])
            kept = settled([kept], before: begin, isCalling: isCalling, &setup)[0]
            return Lowered(sequence(setup + begin, behind(write(kept), place.finish)), .void)
        }
    }

    /// The types of what is added to values of others.
    private static let beside: [SwiftType: SwiftType] = [
        .named("Date"): .double, .named("Data"): .array(.int("UInt8")),
    ]

    private static func notAssignable(_ node: ExprSyntax) -> Refusal {
        Refusal("Nothing can be assigned to this here: keep the value in a variable, and assign to that.", at: node)
    }

    private func behind(_ js: JavaScript, _ finish: [Finish]) -> JavaScript {
        finish.isEmpty ? js : .sequence([js] + finish.map(\.js))
    }

    /// Refuses a new object that nothing but a weak property would hold: it is gone at once.
    private func mustStayAlive(_ value: Lowered, in target: ExprSyntax, at node: ExprSyntax) throws {
        guard value.ownership == .moved, let nominal = appType(value.type.unwrapped),
            nominal.kind == .classType,
            let name = target.as(MemberAccessExprSyntax.self)?.declName.baseName
                ?? target.as(DeclReferenceExprSyntax.self)?.baseName,
            declarations.weakNames.contains(name.identifierText), node.is(FunctionCallExprSyntax.self)
        else { return }
        throw Refusal("A new object that a weak property alone holds is gone at once: keep it in a constant.", at: node)
    }

    /// Where a chain of `?` before the `=` finds nil, nothing is done.
    private func inChain(_ body: () throws -> Lowered) throws -> Lowered {
        let (lowered, tests) = try collectingTests(body)
        return tests.isEmpty ? lowered : Lowered(lowered.js.unlessNil(tests), .void)
    }

    private func tupleAssignment(_ tuple: TupleExprSyntax, _ value: ExprSyntax) throws -> Lowered {
        let places = try tuple.elements.map { element -> Place? in
            element.expression.is(DiscardAssignmentExprSyntax.self) ? nil : try place(element.expression)
        }
        let types = places.map { SwiftType.Element(label: nil, type: $0?.type ?? .any) }
        let expected: SwiftType? = places.contains { $0 == nil } ? nil : .tuple(types)
        let lowered = try expression(value, expected)
        guard case .tuple(let given) = lowered.type, given.count == places.count else {
            throw Refusal("The value is no tuple of \(places.count).", at: value)
        }
        let holder = temporary()
        var steps = places.flatMap { $0?.setup ?? [] }
        steps.append(holder.assigned(try keep(lowered, as: nil, at: value)))
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            guard let write = place.write else { throw Self.notAssignable(ExprSyntax(tuple)) }
            let part = try coerce(Lowered(holder[index], given[index].type), to: place.type, at: value)
            steps += place.begin + [write(part.js)] + place.finish.map(\.js)
        }
        return Lowered(.sequence(steps), .void)
    }

    func compound(_ node: InfixOperatorExprSyntax, _ symbol: String) throws -> Lowered {
        try inChain {
            let place = try self.place(node.leftOperand)
            guard place.type != .substring else {
                throw Refusal("A part of a text is not changed here: make a ‘String’ of it.", at: node)
            }
            if let own = try compoundOperator(symbol + "=", place, node) { return own }
            if case .array(let element) = place.type, symbol == "+" { return try appended(node, place, element) }
            let wanted: SwiftType =
                ["<<", ">>", "&<<", "&>>"].contains(symbol) ? .integer : Self.beside[place.type] ?? place.type
            let calls = self.calls
            var right = try expression(node.rightOperand, wanted)
            var setup = place.setup
            // The place is read behind all that is worked out on the right.
            right.js = settled([right.js], before: place.begin, isCalling: self.calls > calls, &setup)[0]
            guard let write = place.write else { throw Self.notAssignable(node.leftOperand) }
            let left = Lowered(place.read, place.type, ownership: .borrowed)
            let result = try customOperator(symbol, left, right, at: node) ?? arithmetic(symbol, left, right, at: node)
            return Lowered(
                sequence(
                    setup + place.begin, behind(write(try coerce(result, to: place.type, at: node).js), place.finish)),
                .void)
        }
    }

    /// `+=` of an array, which is changed where it is.
    private func appended(_ node: InfixOperatorExprSyntax, _ place: Place, _ element: SwiftType) throws -> Lowered {
        var open = try opened(place, at: node)
        let calls = self.calls
        let value = try expression(node.rightOperand, place.type)
        var list: JavaScript
        if value.type == place.type {
            list = try keep(value, as: nil, at: node.rightOperand)
        } else {
            let items = try iterated(value, at: node.rightOperand)
            list = try keep(
                Lowered(items.js, .array(items.element), ownership: value.ownership.ofPart), as: .array(element),
                at: node.rightOperand)
        }
        list = settled([list], before: open.begin, isCalling: self.calls > calls, &open.setup)[0]
        let change = behind(.runtime("appendAll", open.read, list), open.finish)
        return Lowered(sequence(open.setup + open.begin, change), .void)
    }

    /// An operator like `+=` that the app declares.
    private func compoundOperator(_ symbol: String, _ place: Place, _ node: InfixOperatorExprSyntax) throws -> Lowered?
    {
        for (function, owner) in operators(symbol, of: [place.type]) {
            guard let types = try operatorTypes(of: function, in: owner, for: [place.type]) else { continue }
            let signature = try self.signature(of: function, in: owner, isStatic: true, types)
            guard signature.parameters.count == 2, signature.parameters[0].type == place.type else { continue }
            let taken = signature.parameters[1]
            var value =
                try taken.isDeferred
                ? deferred(node.rightOperand, taken.type)
                : kept(node.rightOperand, as: taken.type, isFixed: true)
            var open = try opened(place, at: node)
            calls += 1
            value = settled([value], before: open.begin, isCalling: false, &open.setup)[0]
            let call = signature.js.called([try cell(open, at: node), value]).marked(mark(node))
            return Lowered(
                sequence(open.setup + open.begin, finished(call, open.finish, mayThrow: signature.mayThrow)), .void)
        }
        return nil
    }
}
