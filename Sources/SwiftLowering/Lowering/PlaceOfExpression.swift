import SwiftSyntax

/// The places that expressions name.
extension Lowering {
    /// The place that an expression names; of any other expression its value.
    func place(_ node: ExprSyntax) throws -> Place {
        if let inout_ = node.as(InOutExprSyntax.self) { return try place(inout_.expression) }
        if let inner = node.inParentheses { return try place(inner) }
        if let reference = node.as(DeclReferenceExprSyntax.self) { return try namedPlace(reference) }
        if let member = node.as(MemberAccessExprSyntax.self) { return try memberPlace(member) }
        if let access = node.as(SubscriptCallExprSyntax.self) { return try subscriptPlace(access) }
        if let forced = node.as(ForceUnwrapExprSyntax.self) {
            return try self.forced(place(forced.expression), at: forced)
        }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            return try chained(place(optional.expression), at: optional)
        }
        return valuePlace(try postfix(node, nil))
    }

    /// The place of what an optional wraps.
    func forced(_ place: Place, at node: some SyntaxProtocol) throws -> Place {
        guard place.type.isOptional else { return place }
        var inner = place.isDirect || place.write == nil ? place : try opened(place, at: node)
        let (before, write) = (inner.read, inner.write)
        inner.type = place.type.unwrapped
        inner.read = runtime("unwrap", at: node, before)
        inner.held = inner.held.map { .runtime("unwrap", $0) }
        inner.write = write.map { write in { .sequence([.runtime("unwrap", before), write($0)]) } }
        (inner.isSimple, inner.cell) = (false, nil)
        return inner
    }

    /// The place of what an optional wraps, where there is a value: else the chain ends.
    private func chained(_ place: Place, at node: some SyntaxProtocol) throws -> Place {
        if place.type == .stub || !place.type.isOptional && place.type != .any { return place }
        let isOpened = !place.isDirect && place.write != nil && place.property == nil
        var inner = isOpened ? try opened(place, at: node) : place
        var test = inner.read
        let hasIdentity = hasIdentity(place.type.unwrapped)
        if !inner.isSimple || !inner.finish.isEmpty || hasIdentity && !inner.isFixed {
            let holder = temporary()
            test = holder.assigned(inner.read)
            inner.held = holder
            if hasIdentity { (inner.read, inner.isSimple, inner.isFixed) = (holder, true, true) }
            // Where there is nothing, that is put back all the same.
            let none = JavaScript.sequence(inner.finish.map(\.js) + [.null])
            if !inner.finish.isEmpty { test = .conditional(test.isNil, none, holder) }
        }
        ask(sequence(inner.setup + inner.begin, test))
        (inner.setup, inner.begin, inner.type, inner.cell) = ([], [], place.type.unwrapped, nil)
        return inner
    }

    /// `self`, as a place.
    func selfPlace(_ value: Lowered) -> Place {
        let write: (JavaScript) -> JavaScript =
            switch context.selfForm {
            case .object: { .runtime("assignSelf", .this, $0) }
            case .variable: { .this.assigned($0) }
            case .cell: { .this.field("v").assigned($0) }
            }
        return Place(
            type: value.type, read: value.js, write: write, isSimple: true, isSelf: true,
            isConstant: context.isSelfConstant, cell: context.selfForm == .cell ? .this : nil)
    }

    private func namedPlace(_ reference: DeclReferenceExprSyntax) throws -> Place {
        let name = reference.baseName.identifierText
        if name == "self", let value = context.selfValue { return selfPlace(value) }
        if let local = lookUp(name), local.nominal == nil, local.function == nil {
            if local.isRefused { throw Refusal.known }
            let js = local.value
            if let setter = local.setter {
                if local.isComputed { calls += 1 }
                return Place(
                    type: local.type, read: js, write: { setter.called([$0]) }, isDirect: false,
                    isSimple: !local.isComputed)
            }
            if local.isComputed { return valuePlace(try self.reference(name, at: reference)) }
            let isFixed = !local.isVariable && !local.isReference
            return Place(
                type: local.type, read: js, write: { js.assigned($0) }, isSimple: true,
                isFixed: isFixed, isConstant: isFixed,
                cell: local.isReference ? local.js : nil)
        }
        if let value = context.selfValue, let place = try memberPlace(of: selfPlace(value), name, at: reference) {
            return place
        }
        let value = try self.reference(name, at: reference)
        guard value.ownership == .borrowed else { return try staticPlace(value) ?? valuePlace(value) }
        return Place(type: value.type, read: value.js, write: { value.js.assigned($0) }, isSimple: true)
    }
}
