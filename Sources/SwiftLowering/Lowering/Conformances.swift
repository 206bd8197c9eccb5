import SwiftSyntax

/// Puts into a type's descriptor what the app's own members say of its values, so that all that asks for it finds it there.
extension Lowering {
    /// Whether a type, or one that it inherits from, names one of the protocols behind its colon.
    func conforms(_ nominal: Nominal, to protocols: Set<String>) -> Bool {
        lineage(of: nominal).contains { type in type.inheritedNames.contains(where: protocols.contains) }
    }

    /// Whether values of a type can be compared by `==`.
    func isEquatable(_ nominal: Nominal) -> Bool {
        if nominal.kind == .enumeration, nominal.members.cases.allSatisfy({ $0.parameterClause == nil }) { return true }
        return conforms(nominal, to: ["Equatable", "Hashable", "Comparable", "OptionSet"])
    }

    /// Gives a descriptor the type's own equality, order and hash.
    func addConformances(of nominal: Nominal) {
        let type = SwiftType.nominal(nominal.number)
        guard nominal.kind != .protocolType, isEquatable(nominal) else { return }
        later { [self] in
            told(at: nominal.node) {
                try addOperator("==", "equal", of: nominal)
                if conforms(nominal, to: ["Comparable"]) { try addOperator("<", "less", of: nominal) }
                for owner in lineage(of: nominal) {
                    guard
                        let hash = owner.members.functions("hash", isStatic: false).first(where: {
                            $0.labels == ["into"] && $0.body != nil
                        })
                    else { continue }
                    let signature = try self.signature(of: hash, in: .nominal(owner), isStatic: false)
                    emit(.expression(descriptor(type).field("hash").assigned(signature.js)))
                    break
                }
            }
        }
    }

    private func addOperator(_ symbol: String, _ name: String, of nominal: Nominal) throws {
        // A class has that of its superclass that conforms.
        let owners = lineage(of: nominal).filter { $0.kind == .classType }.reversed() + [nominal]
        for type in owners where isEquatable(type) {
            for (function, owner) in operators(symbol, of: [.nominal(type.number)])
            where function.genericParameterClause == nil {
                let signature = try self.signature(of: function, in: owner, isStatic: true)
                let takesBoth = signature.parameters.allSatisfy { parameter in
                    guard case .nominal(let number) = parameter.type else { return false }
                    return isKind(type, of: declarations.nominals[number])
                }
                guard takesBoth, signature.parameters.count == 2 else { continue }
                emit(.expression(descriptor(.nominal(nominal.number)).field(name).assigned(signature.js)))
                return
            }
        }
    }

    /// Refuses values that can't be compared.
    func mustBeEquatable(_ type: SwiftType, at node: some SyntaxProtocol) throws {
        switch type.unwrapped {
        case .any, .function, .error, .stub, .lazy, .iterator, .named("LocalizedError"),
            .named("DateFormatter"), .named("ISO8601DateFormatter"), .named("JSONDecoder"), .named("JSONEncoder"),
            .named("CharacterSet"), .named("Calendar"), .named("TimeZone"), .named("Locale"), .named("Hasher"),
            .named("Logger"), .named("OSLog"), .named("Schema"), .named("ObjectSchema"), .named("Property"):
            throw Refusal("Values of the type ‘\(spelled(type))’ can't be compared.", at: node)
        case .array(let element), .slice(let element), .set(let element): try mustBeEquatable(element, at: node)
        case .dictionary(_, let value): try mustBeEquatable(value, at: node)
        case .tuple(let elements): for element in elements { try mustBeEquatable(element.type, at: node) }
        case .nominal(let number):
            guard isEquatable(declarations.nominals[number]) else {
                throw Refusal("‘\(spelled(type))’ is not Equatable.", at: node)
            }
            _ = descriptor(type.unwrapped)
        default: break
        }
    }

    /// Whether values of a type have an order.
    func isOrdered(_ type: SwiftType) -> Bool {
        switch type {
        case .int, .double, .float, .string, .substring, .character, .named("Date"), .named("StringIndex"),
            .named("Decimal128"), .named("Decimal"):
            true
        case .nominal(let number): conforms(declarations.nominals[number], to: ["Comparable"])
        default: false
        }
    }

    // MARK: Descriptions

    /// Has the descriptors of a type, and of all that its values hold, say how they are shown.
    func describes(_ type: SwiftType) {
        switch type {
        case .optional(let inner), .array(let inner), .slice(let inner), .set(let inner): describes(inner)
        case .dictionary(let key, let value):
            describes(key)
            describes(value)
        case .tuple(let elements): for element in elements { describes(element.type) }
        case .nominal(let number): describes(declarations.nominals[number])
        default: break
        }
    }

    private func describes(_ nominal: Nominal) {
        guard described.insert(nominal.number).inserted else { return }
        if nominal.kind == .protocolType || nominal.kind == .classType {
            for type in concreteTypes(of: nominal) { describes(type) }
        }
        guard nominal.kind != .protocolType else { return }
        later { [self] in
            told(at: nominal.node) {
                try addDescription(
                    "description", "describe", ["CustomStringConvertible", "LosslessStringConvertible"], nominal)
                try addDescription(
                    "debugDescription", "describeForDebugging", ["CustomDebugStringConvertible"], nominal)
                try addDescription("errorDescription", "describeError", ["LocalizedError"], nominal)
                try addDescription("failureReason", "describeReason", ["LocalizedError"], nominal)
                try addDescription("recoverySuggestion", "describeRecovery", ["LocalizedError"], nominal)
                for field in storedProperties(of: nominal) { describes(try fieldType(field, of: nominal)) }
                for element in nominal.members.cases { try caseTypes(element, of: nominal).forEach { describes($0) } }
            }
        }
    }

    private func addDescription(
        _ property: String, _ name: String, _ protocols: Set<String>, _ nominal: Nominal
    ) throws {
        guard conforms(nominal, to: protocols), let (found, owner) = self.property(property, of: nominal) else {
            return
        }
        let type = try fieldType(found, of: owner)
        let method = try getter(of: found, in: owner, for: nominal, type, at: found.binding)
        emit(.expression(descriptor(.nominal(nominal.number)).field(name).assigned(method)))
    }

    // MARK: Texts

    /// Refuses to show values that have no text here, also as parts of others.
    func mustHaveText(_ type: SwiftType, at node: some SyntaxProtocol) throws {
        var seen: Set<Int> = []
        guard let part = partWithoutText(of: type, &seen) else { return }
        throw Refusal(
            "How a value of the type ‘\(spelled(part))’ is shown is not understood: show what it consists of.", at: node
        )
    }

    /// A type whose values have no text here: the type itself, or one that its values show a part of.
    private func partWithoutText(of type: SwiftType, _ seen: inout Set<Int>) -> SwiftType? {
        let parts: [SwiftType]
        switch type {
        case .named(let name): return SwiftType.namesWithText.contains(name) ? nil : type
        case .list, .realmSet, .realmMap, .model: return type
        case .optional(let inner), .array(let inner), .slice(let inner), .set(let inner), .range(let inner),
            .closedRange(let inner):
            parts = [inner]
        case .dictionary(let key, let value): parts = [key, value]
        case .tuple(let elements): parts = elements.map(\.type)
        case .nominal(let number):
            guard seen.insert(number).inserted else { return nil }
            parts = shownParts(of: declarations.nominals[number])
        default: return nil
        }
        for part in parts {
            if let found = partWithoutText(of: part, &seen) { return found }
        }
        return nil
    }

    /// The types of what a value of the app's type shows of itself.
    private func shownParts(of nominal: Nominal) -> [SwiftType] {
        let isDescribed = conforms(
            nominal, to: ["CustomStringConvertible", "LosslessStringConvertible", "CustomDebugStringConvertible"])
        guard !isDescribed, nominal.kind == .structure || nominal.kind == .enumeration else { return [] }
        // A type that is not understood is refused where the value is made.
        let types = attempt {
            try storedProperties(of: nominal).map { try fieldType($0, of: nominal) }
                + nominal.members.cases.flatMap { try caseTypes($0, of: nominal) }
        }
        return types.success?.value ?? []
    }
}
