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
    ) throws -> String {
        let converted = try type.map { try coerce(value, to: $0, at: node) } ?? value
        guard isCopied(converted.type), !value.isFresh, value.isStored || !isFixed else { return converted.js }
        // A structure as one of a protocol's is copied as what it is.
        if case .nominal = value.type { return isCopied(value.type) ? copied(converted.js, value.type) : converted.js }
        return copied(converted.js, converted.type)
    }

    /// A copy of a value, of a type whose values are copied.
    func copied(_ js: String, _ type: SwiftType) -> String {
        switch type {
        case .array(let element) where !isCopied(element): "(\(js)).slice()"
        case .named("Data"): "(\(js)).slice()"
        case .set: "(\(js)).copy()"
        case .dictionary(_, let value) where !isCopied(value): "(\(js)).copy()"
        default: "\(copier(type))(\(js))"
        }
    }

    /// The function that copies values of a type.
    private func copier(_ type: SwiftType) -> String {
        if let known = copiers[type] { return known }
        switch type {
        case .nominal(let number) where declarations.nominals[number].kind == .structure: break
        case .nominal, .named, .iterator: return "$.copy"
        default: break
        }
        let name = fresh("copy")
        copiers[type] = name
        // Behind the types that it asks for, which may hold values of this one.
        later { [self] in emit("function \(name)(v) { return \(copyText(type)); }") }
        return name
    }

    private func copyText(_ type: SwiftType) -> String {
        switch type {
        case .optional(let inner): "v === null || v === undefined ? v : \(copied("v", inner))"
        case .array(let element): "$.copyItems(v, x => \(copied("x", element)))"
        case .slice(let element): "$.copySlice(v, x => \(isCopied(element) ? copied("x", element) : "x"))"
        case .dictionary(_, let value): "v.copy(x => \(copied("x", value)))"
        case .tuple(let elements):
            "[\(elements.enumerated().map { copyOf("v[\($0)]", $1.type) }.joined(separator: ", "))]"
        case .nominal(let number): structureCopy(declarations.nominals[number])
        default: copied("v", type)
        }
    }

    private func copyOf(_ js: String, _ type: SwiftType) -> String { isCopied(type) ? copied(js, type) : js }

    private func structureCopy(_ nominal: Nominal) -> String {
        let fields = storedProperties(of: nominal).map { field -> String in
            let js = "v.\(fieldName(of: field))"
            let type = (try? fieldType(field, of: nominal)) ?? .any
            // A lazy property may have no value yet.
            return "\(fieldName(of: field)): \(copyOf(js, field.isLazy ? .optional(type) : type))"
        }
        return "{ $t: \(descriptor(.nominal(nominal.number))), \(fields.joined(separator: ", ")) }"
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
    func boxed(_ value: Lowered) -> String {
        let js = value.isStored && !value.isFresh && isCopied(value.type) ? copied(value.js, value.type) : value.js
        describes(value.type)
        switch value.type {
        case .any, .error, .string, .bool, .object, .model, .stub, .never, .variable, .refused, .undetermined:
            return value.js
        case .nominal: return js
        case .named("Date"), .named("UUID"), .named("Data"), .named("ObjectId"), .named("Decimal128"),
            .named("Decimal"), .named("URL"),
            .named("NSNumber"), .named("NSNull"), .named("AnyRealmValue"), .named("LocalizedError"):
            return js
        case .list, .realmSet, .realmMap: return value.js
        case .optional(.variable), .optional(.undetermined): return "null"
        default: return "$.box(\(js), \(descriptor(value.type)))"
        }
    }
}
