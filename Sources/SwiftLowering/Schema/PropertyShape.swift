import RealmModel
import SwiftSyntax

/// The type that a property of a model class stores.
struct PropertyShape {
    var type: PropertyType
    var collection: CollectionKind = .none
    var objectType: String?
    var isOptional = false
    /// The enumeration whose raw values are stored.
    var enumeration: Nominal?

    /// The value of a new object that is given none; nil where a type has none such.
    var zero: Value? {
        switch type {
        case .int: enumeration == nil ? .int(0) : nil
        case .bool: .bool(false)
        case .float: .float(0)
        case .double: .double(0)
        case .string: enumeration == nil ? .string("") : nil
        case .data: .data([])
        default: nil
        }
    }
}

extension Declarations {
    /// The shape of a property of a type, as it is seen from a class.
    func shape(_ type: TypeSyntax, in nominal: Nominal) throws(Refusal) -> PropertyShape {
        if let optional = type.as(OptionalTypeSyntax.self) {
            var shape = try shape(optional.wrappedType, in: nominal)
            shape.isOptional = true
            return shape
        }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            var shape = try shape(optional.wrappedType, in: nominal)
            shape.isOptional = true
            return shape
        }
        if let member = type.as(MemberTypeSyntax.self), member.baseType.spelling == "RealmSwift" {
            return try shape(named: member.name.identifierText, member.genericArgumentClause, at: type, in: nominal)
        }
        if let name = type.as(IdentifierTypeSyntax.self) {
            return try shape(named: name.name.identifierText, name.genericArgumentClause, at: type, in: nominal)
        }
        if let found = self.nominal(path: type.pathNames) { return try shape(found, at: type) }
        throw unknown(type)
    }

    private func unknown(_ node: some SyntaxProtocol) -> Refusal {
        Refusal(
            "Realm stores no ‘\(node.spelling)’, or no file declares it: add the file with the class or enumeration.",
            at: node)
    }

    private func shape(
        named name: String, _ arguments: GenericArgumentClauseSyntax?, at node: some SyntaxProtocol, in nominal: Nominal
    ) throws(Refusal) -> PropertyShape {
        let generics: [TypeSyntax] = arguments?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
        if let last = generics.last {
            var element = try shape(last, in: nominal)
            switch name {
            case "List": element.collection = .list
            case "MutableSet": element.collection = .set
            case "Map": element.collection = .dictionary
            case "RealmOptional":
                element.isOptional = true
                return element
            case "RealmProperty": return element
            case "LinkingObjects":
                return PropertyShape(type: .linkingObjects, objectType: element.objectType)
            default: throw unknown(node)
            }
            if element.type == .object { element.isOptional = name == "Map" }
            return element
        }
        // An app's class hides Foundation's type.
        if let found = types[name], realmBase(of: found) != nil { return try shape(found, at: node) }
        switch name {
        case "Int", "Int8", "Int16", "Int32", "Int64": return PropertyShape(type: .int)
        case "Bool": return PropertyShape(type: .bool)
        case "Float": return PropertyShape(type: .float)
        case "Double": return PropertyShape(type: .double)
        case "String", "NSString": return PropertyShape(type: .string)
        case "Data", "NSData": return PropertyShape(type: .data)
        case "Date", "NSDate": return PropertyShape(type: .date)
        case "UUID": return PropertyShape(type: .uuid)
        case "ObjectId": return PropertyShape(type: .objectId)
        case "Decimal128": return PropertyShape(type: .decimal128)
        case "AnyRealmValue": return PropertyShape(type: .mixed, isOptional: true)
        default: break
        }
        var scope: Nominal? = nominal
        while let type = scope {
            if let found = type.nested[name] { return try shape(found, at: node) }
            if let alias = type.typealiases[name] { return try shape(alias, in: type) }
            scope = type.parent
        }
        if let found = types[name] { return try shape(found, at: node) }
        if let alias = typealiases[name] { return try shape(alias, in: nominal) }
        throw unknown(node)
    }

    private func shape(_ nominal: Nominal, at node: some SyntaxProtocol) throws(Refusal) -> PropertyShape {
        if realmBase(of: nominal) != nil {
            return PropertyShape(type: .object, objectType: nominal.realmName, isOptional: true)
        }
        if let stored = nominal.typealiases["PersistedType"] { return try shape(stored, in: nominal) }
        if nominal.kind == .enumeration, let raw = nominal.inherited.first {
            var shape = try shape(raw, in: nominal)
            shape.enumeration = nominal
            return shape
        }
        throw unknown(node)
    }

    /// The type of a property without one, by the value that it begins with.
    func shape(ofValue value: ExprSyntax, in nominal: Nominal) throws(Refusal) -> PropertyShape {
        if value.is(StringLiteralExprSyntax.self) { return PropertyShape(type: .string) }
        if value.is(IntegerLiteralExprSyntax.self) { return PropertyShape(type: .int) }
        if value.is(FloatLiteralExprSyntax.self) { return PropertyShape(type: .double) }
        if value.is(BooleanLiteralExprSyntax.self) { return PropertyShape(type: .bool) }
        if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
            return try shape(ofValue: prefix.expression, in: nominal)
        }
        if let call = value.as(FunctionCallExprSyntax.self) {
            if let generic = call.calledExpression.as(GenericSpecializationExprSyntax.self) {
                return try shape(
                    named: generic.expression.spelling, generic.genericArgumentClause, at: value, in: nominal)
            }
            if call.calledExpression.spelling == "LinkingObjects",
                let type = call.arguments.first?.expression.as(MemberAccessExprSyntax.self)?.base
            {
                let target = try shape(named: type.spelling, nil, at: type, in: nominal)
                return PropertyShape(type: .linkingObjects, objectType: target.objectType)
            }
            if let member = call.calledExpression.as(MemberAccessExprSyntax.self),
                ["generate", "now", "init"].contains(member.declName.baseName.text), let base = member.base
            {
                return try shape(named: base.spelling, nil, at: value, in: nominal)
            }
            return try shape(named: call.calledExpression.spelling, nil, at: value, in: nominal)
        }
        if let member = value.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.identifierText
            if ["uuidString", "stringValue"].contains(name) { return PropertyShape(type: .string) }
            if name == "rawValue", let base = member.base {
                var shape = try shape(ofValue: base, in: nominal)
                shape.enumeration = nil
                return shape
            }
            if ["now", "distantPast", "distantFuture"].contains(name), member.base?.spelling == "Date" {
                return PropertyShape(type: .date)
            }
            if let base = member.base { return try shape(named: base.spelling, nil, at: value, in: nominal) }
        }
        throw Refusal("The type of the property can't be told from this value: write it behind the name.", at: value)
    }
}
