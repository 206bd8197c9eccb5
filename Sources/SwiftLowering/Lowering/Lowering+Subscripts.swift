import SwiftSyntax

extension Lowering {
    func subscripted(_ node: SubscriptCallExprSyntax) throws -> Lowered {
        let plain = { [self] in try subscripted(node, of: postfix(node.calledExpression, nil)) }
        guard isPlace(node.calledExpression), node.arguments.holds({ $0.is(FunctionCallExprSyntax.self) }),
            let found = ifMade({ try readBehindIndices(node) })
        else { return try plain() }
        return found
    }

    /// What a subscript gives of a variable, or of a property with a setter, that is read behind the indices, which call code; nil of
    /// any other.
    private func readBehindIndices(_ node: SubscriptCallExprSyntax) throws -> Lowered? {
        let base = try attempt { try postfix(node.calledExpression, nil) }.get().value
        switch base.type.unwrapped {
        case .array, .slice, .dictionary, .nominal, .named("Data"): break
        default: return nil
        }
        guard node.arguments.contains(where: { callsCode($0.expression) }),
            base.ownership == .borrowed || isSettable(node.calledExpression)
        else { return nil }
        if let found = try followedBehindPath(node) { return found }
        let place = try subscriptPlace(node)
        return Lowered(sequence(place.setup + place.begin, place.read), place.type, ownership: .borrowed)
    }

    /// Whether an expression names a place that can be given a value.
    private func isSettable(_ node: ExprSyntax) -> Bool {
        attempt { try place(node).write != nil }.map(\.value).success ?? false
    }

    /// Whether working out an expression may call code that changes something.
    private func callsCode(_ node: ExprSyntax) -> Bool {
        let calls = self.calls
        return attempt { () throws -> Bool in
            _ = try expression(node, nil)
            return self.calls > calls
        }.map(\.value).success ?? true
    }

    func subscripted(_ node: SubscriptCallExprSyntax, of base: Lowered) throws -> Lowered {
        if base.type == .stub { return Lowered(.undefined, .stub) }
        let arguments = Array(node.arguments)
        guard let first = arguments.first?.expression else {
            throw Refusal("This subscript is not understood: write a method.", at: node)
        }
        let place = mark(node)
        var value = base
        if base.type.isOptional { value = base.made(.runtime("unwrap", base.js).marked(place), base.type.unwrapped) }
        if let found = try followed(node, from: value) { return found }
        if let own = try ownSubscript(node, of: value.type) {
            let whole = own.isCalling ? unchanged(value) : value
            return Lowered(own.getter.called([whole.js] + own.arguments).marked(place), own.type, ownership: .moved)
        }
        switch value.type {
        case .array(let element), .slice(let element): return try item(element, of: value, first, at: node)
        case .dictionary(let key, let element): return try entry(of: value, key, element, arguments, at: node)
        case .string, .substring: return try character(of: value, first, at: node)
        case .list(let element):
            let index = try coerced(first, to: .integer)
            return Lowered(.runtime("listAt", value.js, index, descriptor(element)).marked(place), element)
        case .named("MigrationObject"): return try property(value, first, at: node)
        case .realmMap(let element):
            guard !element.isOptional || Self.isUnwrappedTwice(Syntax(node)) else {
                throw Self.optionalOfOptional(node)
            }
            let key = try coerced(first, to: .string)
            let wrapped = element.unwrapped
            return Lowered(.runtime("realmMapAt", value.js, key, descriptor(wrapped)).marked(place), wrapped.optional)
        case .named("Data"): return try byte(of: value, first, at: node)
        case .named("Schema"):
            return Lowered(
                .runtime("schemaClass", value.js, try coerced(first, to: .string)),
                .optional(.named("ObjectSchema")))
        case .named("ObjectSchema"):
            return Lowered(
                .runtime("schemaProperty", value.js, try coerced(first, to: .string)),
                .optional(.named("Property")))
        default: break
        }
        throw Refusal("A subscript of ‘\(spelled(base.type))’ is not understood here: write a method.", at: node)
    }

    /// The value of a key in a dictionary.
    private func entry(
        of map: Lowered, _ key: SwiftType, _ element: SwiftType, _ arguments: [LabeledExprSyntax],
        at node: SubscriptCallExprSyntax
    ) throws -> Lowered {
        let first = arguments[0].expression
        let index = try expression(first, key)
        guard index.type != .substring || key == .substring else {
            throw Refusal("A literal is not asked for a ‘Substring’ here: make a ‘String’ of it.", at: first)
        }
        let found = map.js.method("get", try coerce(index, to: key, at: first).js)
        if arguments.count == 2, arguments[1].label?.text == "default" {
            let fallback = try kept(arguments[1].expression, as: element)
            return Lowered(.binary(.orElse, found, fallback), element, ownership: map.ownership.ofPart)
        }
        guard !element.isOptional else {
            throw Refusal("Optional values of a dictionary are not understood: leave out what is nil.", at: node)
        }
        return map.made(found, element.optional)
    }

    /// A character of a text, or a part of it by a range.
    private func character(of text: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax) throws -> Lowered {
        if let part = try slice(first, text, at: node) { return Lowered(part, .substring) }
        let index = try coerced(first, to: .named("StringIndex"))
        let name = text.type == .string ? "characterAt" : "partCharacterAt"
        return Lowered(runtime(name, at: node, text.js, index), .character)
    }

    /// A byte of a `Data`, or a part of it by a range, which has the indices of the whole.
    private func byte(of data: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax) throws -> Lowered {
        let bytes = Lowered(.runtime("bytes", data.js), .array(.int("UInt8")), ownership: .moved)
        if let part = try slice(first, bytes, at: node) {
            var found = Lowered(part, .slice(.int("UInt8")), ownership: .moved)
            found.isView = true
            return found
        }
        let index = try coerced(first, to: .integer)
        return Lowered(runtime("at", at: node, data.js, index), .int("UInt8"))
    }

    /// An element of an array or a slice, or a part of it by a range.
    private func item(
        _ element: SwiftType, of value: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax
    ) throws -> Lowered {
        if let part = try slice(first, value, at: node) {
            let isShared = isCopied(element)
            return Lowered(part, .slice(element), ownership: isShared ? value.ownership.ofPart : .moved)
        }
        let index = try coerced(first, to: .integer)
        var name = "at"
        if case .slice = value.type { name = "sliceAt" }
        return value.made(runtime(name, at: node, value.js, index), element)
    }

    /// A property of an object by its name.
    func property(_ object: Lowered, _ key: ExprSyntax, at node: some SyntaxProtocol) throws -> Lowered {
        let name = try coerced(key, to: .string)
        return property(object, name, plain: LiteralValue.string(key).flatMap(Self.plainName), at: node)
    }

    func property(_ object: Lowered, _ name: JavaScript, plain: String?, at node: some SyntaxProtocol) -> Lowered {
        var setup: [JavaScript] = []
        let holder = object.isSimple ? object.js : held(object, &setup)
        let name = name.isConstant ? name : held(Lowered(name, .string), &setup)
        let raw = sequence(setup, plain.map { holder.field($0) } ?? .runtime("rawProperty", holder, name))
        var lowered = Lowered(runtime("read", at: node, raw, holder, name), .optional(.any))
        lowered.raw = Lowered.Raw(js: raw.marked(mark(node)), object: holder, key: name)
        return lowered
    }

    /// The half-open range of indices that an index of an array is, as JavaScript; nil where it is none.
    ///
    /// - Parameter setup: the steps that work out its bounds.
    func indexRange(
        _ index: ExprSyntax, of list: JavaScript, _ setup: inout [JavaScript]
    ) throws -> JavaScript? {
        if let form = index.rangeForm, form.from == nil || form.to == nil {
            let from = try form.from.map { held(try expression($0, .integer), &setup) } ?? .integer(0)
            let to = try form.to.map { held(try expression($0, .integer), &setup) } ?? list.field("length")
            return .array([from, form.isClosed ? .binary(.plus, to, .integer(1)) : to])
        }
        let found = try expression(index, .range(.integer))
        switch found.type {
        case .range(.int): return held(found, &setup)
        case .closedRange(.int): return .runtime("opened", held(found, &setup))
        default: return nil
        }
    }

    /// A part of an array or a text by a range; nil where the index is none.
    func slice(_ index: ExprSyntax, _ base: Lowered, at node: some SyntaxProtocol) throws -> JavaScript? {
        let element: SwiftType = [.string, .substring].contains(base.type) ? .named("StringIndex") : .integer
        if let form = index.rangeForm {
            let from = try form.from.map { try expression($0, element).js } ?? .null
            let to = try form.to.map { try expression($0, element).js } ?? .null
            return runtime("slice", at: node, base.js, from, to, .bool(form.isClosed))
        }
        // Where it is no range, it is an index, which is refused where it is lowered as one.
        guard case .success(let attempt) = attempt({ try expression(index, nil) }) else { return nil }
        let type = attempt.value.type
        guard type == .range(element) || type == .closedRange(element) else { return nil }
        return runtime("sliceRange", at: node, base.js, take(attempt).js, .bool(type == .closedRange(element)))
    }
}
