import SwiftSyntax

/// The places of parts of collections, by subscripts.
extension Lowering {
    func subscriptPlace(_ access: SubscriptCallExprSyntax) throws -> Place {
        var base = try place(access.calledExpression)
        if base.type == .stub { return Place(type: .any, read: .undefined, write: { $0 }) }
        base = try forced(base, at: access)
        if hasIdentity(base.type) { base = read(base) }
        if let place = try followedPlace(access, from: base) { return place }
        if let own = try ownSubscript(access, of: base.type) { return try ownPlace(own, of: base, at: access) }
        let arguments = Array(access.arguments)
        guard let first = arguments.first?.expression else {
            throw Refusal("This subscript is not understood: write a method.", at: access)
        }
        switch base.type {
        case .array(let element):
            if let part = try slicePlace(first, base, at: access) { return part }
            return try elementPlace(base, element, first, at: access)
        case .slice(let element) where first.rangeForm == nil:
            return try elementPlace(base, element, first, at: access, isSlice: true)
        case .dictionary(let key, let value): return try entryPlace(base, key, value, arguments, at: access)
        case .object: return try propertyPlace(base.read, first, base.setup, at: access)
        case .list(let element):
            var setup = base.setup
            let index = held(try coerce(expression(first, .integer), to: .integer, at: first), &setup)
            let (list, type) = (base.read, descriptor(element))
            return Place(
                type: element, read: runtime("listAt", at: access, list, index, type), setup: setup,
                write: { self.runtime("setListAt", at: access, list, index, $0, type) }, isDirect: false)
        case .realmMap(let element):
            var setup = base.setup
            let key = held(try coerce(expression(first, .string), to: .string, at: first), &setup)
            let (map, type) = (base.read, descriptor(element.unwrapped))
            return Place(
                type: element.unwrapped.optional, read: runtime("realmMapAt", at: access, map, key, type),
                setup: setup,
                write: { self.runtime("setRealmMapAt", at: access, map, key, type, $0) }, isDirect: false)
        case .named("Data"):
            let open = try opened(base, at: access)
            var setup = open.setup
            let index = held(try expression(first, .integer), &setup)
            return Place(
                type: .int("UInt8"), read: runtime("at", at: access, open.read, index), setup: setup,
                begin: open.begin,
                write: { self.runtime("setAt", at: access, open.read, index, $0) }, finish: open.finish)
        default:
            let value = Lowered(
                base.read, base.type, ownership: base.write != nil ? .borrowed : .shared, isSimple: base.isSimple)
            var found = try subscripted(access, of: value)
            found.js = sequence(base.setup + base.begin, found.js)
            return valuePlace(found)
        }
    }

    /// The collection whose part is meant, under a short name.
    private func collection(_ base: Place, at node: some SyntaxProtocol) throws -> Place {
        var open = try opened(base, at: node)
        if !open.isSimple { open.read = held(Lowered(open.read, open.type), &open.begin) }
        open.isSimple = true
        return open
    }

    private func elementPlace(
        _ base: Place, _ element: SwiftType, _ first: ExprSyntax, at access: SubscriptCallExprSyntax,
        isSlice: Bool = false
    ) throws -> Place {
        let open = try collection(base, at: access)
        var setup = open.setup
        let index = held(try coerce(expression(first, .integer), to: .integer, at: first), &setup)
        let (place, list) = (mark(access), open.read)
        return Place(
            type: element, read: .runtime(isSlice ? "sliceAt" : "at", list, index).marked(place), setup: setup,
            begin: open.begin, write: { .runtime(isSlice ? "setSliceAt" : "setAt", list, index, $0).marked(place) },
            finish: open.finish)
    }

    /// A part of an array by a range of indices.
    private func slicePlace(_ first: ExprSyntax, _ base: Place, at access: SubscriptCallExprSyntax) throws -> Place? {
        guard first.rangeForm != nil else { return nil }
        let open = try collection(base, at: access)
        var setup = open.setup
        guard let range = try indexRange(first, of: open.read, &setup) else { return nil }
        let holder = temporary()
        let (place, list) = (mark(access), open.read)
        guard case .array(let element) = base.type else { return nil }
        return Place(
            type: .slice(element), read: .runtime("slice", list, holder[0], holder[1], .bool(false)).marked(place),
            setup: setup, begin: open.begin + [holder.assigned(range)],
            write: { .runtime("setSlice", list, holder[0], holder[1], $0).marked(place) }, finish: open.finish,
            isDirect: false)
    }

    private func entryPlace(
        _ base: Place, _ key: SwiftType, _ value: SwiftType, _ arguments: [LabeledExprSyntax],
        at access: SubscriptCallExprSyntax
    ) throws -> Place {
        let first = arguments[0].expression
        let open = try collection(base, at: access)
        var setup = open.setup
        let map = open.read
        // The key is what it is now, also where the value that is put there changes the variable.
        let name = held(unchanged(try coerce(expression(first, key), to: key, at: first)), &setup)
        if arguments.count == 2, arguments[1].label?.text == "default" {
            let fallback = try kept(arguments[1].expression, as: value)
            return Place(
                type: value, read: .binary(.orElse, map.method("get", name), fallback), setup: setup,
                begin: open.begin, write: { map.method("set", name, $0) }, finish: open.finish, isDirect: false,
                isReadFirst: !fallback.isInert)
        }
        guard arguments.count == 1, !value.isOptional else {
            throw Refusal("Optional values of a dictionary are not understood: leave out what is nil.", at: access)
        }
        return Place(
            type: value.optional, read: map.method("get", name), setup: setup,
            begin: open.begin, write: { map.method("put", name, $0) }, finish: open.finish)
    }
}
