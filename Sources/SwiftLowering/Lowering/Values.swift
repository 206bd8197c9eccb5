import SwiftSyntax

/// Values that are kept: which of them are copied, and how.
extension Lowering {
    /// Whether a part of a value may be changed where the value is kept, so that each place has a value of its own.
    func isCopied(_ type: SwiftType) -> Bool {
        switch type {
        case .array, .slice, .set, .dictionary, .tuple, .iterator: true
        case .optional(let type): isCopied(type)
        case .named(let name): ["Data", "DateComponents", "Calendar"].contains(name)
        case .nominal(let number): isCopied(declarations.nominals[number])
        default: false
        }
    }

    private func isCopied(_ nominal: Nominal) -> Bool {
        switch nominal.kind {
        case .structure:
            if let known = copiedStructures[nominal.number] { return known }
            let isCopied = mayChange(nominal)
            copiedStructures[nominal.number] = isCopied
            return isCopied
        // Its values may be structures.
        case .protocolType: return true
        // A case is never changed: what changes a value puts another one in its place.
        case .enumeration, .classType: return false
        }
    }

    /// Whether anything changes a part of a structure where it is kept.
    private func mayChange(_ nominal: Nominal) -> Bool {
        if optionBits(nominal) != nil { return true }
        let members = lineage(of: nominal).map(\.members)
        return members.contains { members in
            members.functions.contains { $0.modifiers.has(.mutating) }
                || members.variables.contains { !$0.isStatic && ($0.isComputed ? $0.setter != nil : !$0.isConstant) }
        }
    }

    /// A value that is kept in a place of a type: converted, and a copy where something else may hold it.
    ///
    /// - Parameter isFixed: whether the place never changes; then a copy is made of what may change alone.
    func keep(
        _ value: Lowered, as type: SwiftType?, at node: some SyntaxProtocol, isFixed: Bool = false
    ) throws -> JavaScript {
        let converted = try type.map { try coerce(value, to: $0, at: node) } ?? value
        guard isCopied(converted.type), value.ownership == .borrowed || value.ownership == .shared && !isFixed else {
            return converted.js
        }
        // A structure as one of a protocol's is copied as what it is.
        if case .nominal = value.type { return isCopied(value.type) ? copied(converted.js, value.type) : converted.js }
        return copied(converted.js, converted.type)
    }

    /// A copy of a value, of a type whose values are copied.
    func copied(_ js: JavaScript, _ type: SwiftType) -> JavaScript {
        switch type {
        case .array(let element) where !isCopied(element): js.method("slice")
        case .slice(let element) where !isCopied(element): .runtime("copySlice", js)
        case .named("Data"): js.method("slice")
        case .set: js.method("copy")
        case .dictionary(_, let value) where !isCopied(value): js.method("copy")
        default: copier(type).called([js])
        }
    }

    /// The function that copies values of a type.
    private func copier(_ type: SwiftType) -> JavaScript {
        if let known = copiers[type] { return known }
        switch type {
        case .nominal(let number) where declarations.nominals[number].kind == .structure: break
        case .nominal, .named, .iterator: return .name("$").field("copy")
        default: break
        }
        let name = fresh("copy")
        copiers[type] = .name(name)
        // Behind the types that it asks for, which may hold values of this one.
        later { [self] in emit(.function(name, [.name("v")], [.give(copy(.name("v"), type))])) }
        return .name(name)
    }

    private func copy(_ value: JavaScript, _ type: SwiftType) -> JavaScript {
        let item = { [self] (element: SwiftType) in JavaScript.function(of: "x") { copyOf($0, element) } }
        return switch type {
        case .optional(let inner):
            .conditional(value.isNil, value, copied(value, inner))
        case .array(let element): .runtime("copyItems", value, item(element))
        case .slice(let element): .runtime("copySlice", value, item(element))
        case .dictionary(_, let element): value.method("copy", item(element))
        case .tuple(let elements): .array(elements.enumerated().map { copyOf(value[$0], $1.type) })
        case .nominal(let number): structureCopy(value, declarations.nominals[number])
        default: copied(value, type)
        }
    }

    private func copyOf(_ js: JavaScript, _ type: SwiftType) -> JavaScript { isCopied(type) ? copied(js, type) : js }

    private func structureCopy(_ value: JavaScript, _ nominal: Nominal) -> JavaScript {
        object(
            nominal,
            storedProperties(of: nominal).map { field in
                let name = fieldName(of: field)
                return JavaScript.Field(name: name, value: copyOf(value.field(name), held(field, of: nominal)))
            })
    }

    /// A value of a structure or a class with its fields.
    func object(_ nominal: Nominal, _ fields: [JavaScript.Field]) -> JavaScript {
        .object([JavaScript.Field(name: "$t", value: descriptor(.nominal(nominal.number)))] + fields)
    }

    /// Whether what a function of the library gives may be a part of the value that it is called of.
    func mayHoldPart(of base: SwiftType, _ result: SwiftType) -> Bool {
        guard isCopied(result) else { return false }
        var parts: Set<SwiftType> = []
        addParts(of: base, to: &parts)
        return !parts.isEmpty && isAny(of: parts, in: result)
    }

    private func addParts(of type: SwiftType, to parts: inout Set<SwiftType>) {
        for part in inner(type) where isCopied(part) {
            parts.insert(part)
            addParts(of: part, to: &parts)
        }
    }

    private func isAny(of parts: Set<SwiftType>, in type: SwiftType) -> Bool {
        parts.contains(type) || inner(type).contains { isAny(of: parts, in: $0) }
    }

    private func inner(_ type: SwiftType) -> [SwiftType] {
        switch type {
        case .optional(let type), .array(let type), .slice(let type), .set(let type): [type]
        case .dictionary(let key, let value): [key, value]
        case .tuple(let elements): elements.map(\.type)
        default: []
        }
    }

    /// A value as one of the type `Any` has it: with its type, where that is not to be seen.
    func boxed(_ value: Lowered) -> JavaScript {
        let js = value.ownership == .borrowed && isCopied(value.type) ? copied(value.js, value.type) : value.js
        describes(value.type)
        switch value.type {
        case .any, .error, .string, .bool, .object, .model, .stub, .never, .variable, .undetermined:
            return value.js
        case .nominal: return js
        case .named("Date"), .named("UUID"), .named("Data"), .named("ObjectId"), .named("Decimal128"),
            .named("Decimal"), .named("NSDecimalNumber"), .named("URL"),
            .named("NSNumber"), .named("NSNull"), .named("AnyRealmValue"), .named("LocalizedError"):
            return js
        case .list, .realmSet, .realmMap: return value.js
        case .optional(.undetermined): return value.js
        case .optional(.variable): return .null
        default: return .runtime("box", js, descriptor(value.type))
        }
    }
}
