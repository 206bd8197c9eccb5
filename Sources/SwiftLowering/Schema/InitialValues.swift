import RealmModel
import SwiftSyntax

/// The value that a property of a new object begins with where it is given none.
enum InitialValue: Equatable {
    /// A value that a schema can say; nil for none, and for a null.
    case literal(Value?)
    /// A value of the object's own: the time, or a new id.
    case own
    /// A value that the app alone works out.
    case unknown
}

extension InitialValue {
    /// The value that a property's declaration gives it.
    init(_ value: ExprSyntax?, _ shape: PropertyShape, in declarations: Declarations) {
        if let inner = value?.inParentheses {
            self.init(inner, shape, in: declarations)
        } else if let value, !value.isNone, shape.type != .linkingObjects {
            self = Self.made(value, shape) ?? declarations.literal(value, shape).map { .literal($0) } ?? .unknown
        } else {
            let hasZero = !shape.isOptional && shape.collection == .none
            self = .literal(hasZero ? shape.zero : nil)
        }
    }

    /// The value of a call without arguments, and of an empty literal of a collection; nil of any other expression.
    private static func made(_ value: ExprSyntax, _ shape: PropertyShape) -> InitialValue? {
        if shape.collection != .none, ["[]", "[:]"].contains(value.bareSpelling) { return .literal(nil) }
        guard let call = value.as(FunctionCallExprSyntax.self) else {
            return shape.type == .date && [".now", "Date.now"].contains(value.spelling) ? .own : nil
        }
        guard call.arguments.isEmpty, call.trailingClosure == nil else { return nil }
        let callee = call.calledExpression
        if shape.collection != .none || callee.is(GenericSpecializationExprSyntax.self) { return .literal(nil) }
        switch (shape.type, callee.spelling) {
        case (.date, "Date"), (.date, ".init"), (.uuid, "UUID"), (.uuid, ".init"),
            (.objectId, "ObjectId.generate"), (.objectId, ".generate"):
            return .own
        case (.decimal128, "Decimal128"), (.decimal128, ".init"): return .literal(.decimal128(.zero))
        case (.string, "String"), (.data, "Data"), (.int, "Int"), (.bool, "Bool"), (.double, "Double"),
            (.float, "Float"):
            return .literal(shape.zero)
        default: return nil
        }
    }
}

extension Declarations {
    /// The value of a literal as a property has it; nil where it is none.
    fileprivate func literal(_ value: ExprSyntax, _ shape: PropertyShape) -> Value? {
        if shape.collection != .none { return nil }
        return switch shape.type {
        case .date: LiteralValue.date(value).map { .date($0) }
        case .decimal128: LiteralValue.decimal(value).map { .decimal128($0) }
        case .mixed: mixed(value)
        default: scalar(value, shape.type) ?? enumerationValue(value, shape)
        }
    }

    private func scalar(_ value: ExprSyntax, _ type: PropertyType) -> Value? {
        switch type {
        case .int: LiteralValue.int(value).map { .int($0) }
        case .double: LiteralValue.double(value).map { .double($0) }
        case .float: LiteralValue.double(value).map { .float(Float($0)) }
        case .bool: value.as(BooleanLiteralExprSyntax.self).map { .bool($0.literal.text == "true") }
        case .string: LiteralValue.string(value).map { .string($0) }
        default: nil
        }
    }

    /// A case of `AnyRealmValue` with a literal.
    private func mixed(_ value: ExprSyntax) -> Value? {
        guard let call = value.as(FunctionCallExprSyntax.self), let first = call.arguments.first?.expression,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self),
            ["AnyRealmValue", nil].contains(member.base?.spelling),
            let type = PropertyType(rawValue: member.declName.baseName.text), type != .mixed
        else { return nil }
        return literal(first, PropertyShape(type: type))
    }

    private func enumerationValue(_ value: ExprSyntax, _ shape: PropertyShape) -> Value? {
        guard var member = value.as(MemberAccessExprSyntax.self) else { return nil }
        var enumeration = shape.enumeration
        if member.declName.baseName.text == "rawValue", let base = member.base?.as(MemberAccessExprSyntax.self) {
            member = base
            enumeration = base.base.flatMap {
                nominal(path: $0.pathNames)
            }
        }
        guard let enumeration else { return nil }
        let values = EnumerationValues(enumeration)
        return values.values[member.declName.baseName.identifierText]
    }
}

extension ExprSyntax {
    /// Whether it is nil, or the case of an optional and of `AnyRealmValue` that holds nothing.
    fileprivate var isNone: Bool {
        self.is(NilLiteralExprSyntax.self) || [".none", "AnyRealmValue.none"].contains(spelling)
    }
}
