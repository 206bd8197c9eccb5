import SwiftSyntax

/// Members that extensions give to types of the library under a condition: `extension Array where Element == Int`.
extension Lowering {
    /// Whether a type may have a member: no condition of its own or its extension's is known not to hold.
    func mayHave(_ member: some SyntaxProtocol, _ type: SwiftType) -> Bool {
        let clauses = [
            member.asProtocol((any WithGenericParametersSyntax).self)?.genericWhereClause,
            member.ancestors.lazy.compactMap { $0.as(ExtensionDeclSyntax.self) }.first?.genericWhereClause,
        ]
        return clauses.compactMap(\.self).flatMap { $0.requirements.map(\.requirement) }.allSatisfy {
            holds($0, of: type) ?? true
        }
    }

    /// Nil where it is not known.
    private func holds(_ requirement: GenericRequirementSyntax.Requirement, of type: SwiftType) -> Bool? {
        switch requirement {
        case .sameTypeRequirement(let same):
            guard let part = part(same.leftType.trimmedDescription, of: type),
                case .type(let node) = same.rightType, let other = try? self.type(node),
                !part.hasVariables, !other.hasVariables
            else { return nil }
            return part == other
        case .conformanceRequirement(let bound):
            guard let part = part(bound.leftType.trimmedDescription, of: type), !part.hasVariables else { return nil }
            return conforms(part, to: bound.rightType.trimmedDescription)
        default: return nil
        }
    }

    private func part(_ name: String, of type: SwiftType) -> SwiftType? {
        let name = name.hasPrefix("Self.") ? String(name.dropFirst(5)) : name
        return switch (name, type) {
        case ("Element", .array(let element)), ("Element", .slice(let element)), ("Element", .set(let element)),
            ("Element", .list(let element)), ("Wrapped", .optional(let element)), ("Element", .realmSet(let element)):
            element
        case ("Key", .dictionary(let key, _)): key
        case ("Value", .dictionary(_, let value)): value
        case ("Element", .string), ("Element", .substring): .character
        default: nil
        }
    }

    /// Protocols of the library to which no types conform but those that are known to.
    private static let closed: Set<String> = [
        "Numeric", "SignedNumeric", "AdditiveArithmetic", "BinaryInteger", "FixedWidthInteger", "SignedInteger",
        "UnsignedInteger", "FloatingPoint", "BinaryFloatingPoint", "StringProtocol",
    ]

    private func conforms(_ type: SwiftType, to name: String) -> Bool? {
        if let found = declarations.types[name], found.kind == .protocolType {
            if let nominal = appType(type) { return isKind(nominal, of: found) }
            return extensionNames(type).contains(name)
        }
        guard Self.closed.contains(name) else { return nil }
        if case .nominal = type { return nil }
        return extensionNames(type).contains(name)
    }
}
