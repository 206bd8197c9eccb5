import SwiftSyntax

extension Lowering {
    /// The descriptor of a type at run time.
    func descriptor(_ type: SwiftType) -> String {
        if let known = descriptors[type] { return known }
        let text: String
        switch type {
        case .int(let name): return "$.T.\(name)"
        case .double: return "$.T.Double"
        case .float: return "$.T.Float"
        case .bool: return "$.T.Bool"
        case .string: return "$.T.String"
        case .character: return "$.T.Character"
        case .void: return "$.T.Void"
        case .any, .never, .stub, .variable, .refused, .undetermined, .lazy, .iterator: return "$.T.Any"
        case .named(let name): return "$.type(\"\(name)\")"
        case .optional(let type): text = "$.optionalType(\(descriptor(type)))"
        case .array(let type): text = "$.arrayType(\(descriptor(type)))"
        case .slice(let type): text = "$.sliceType(\(descriptor(type)))"
        case .set(let type): text = "$.setType(\(descriptor(type)))"
        case .list(let type): text = "$.listType(\(descriptor(type)))"
        case .realmSet(let type): text = "$.realmSetType(\(descriptor(type)))"
        case .realmMap(let type): text = "$.realmMapType(\(descriptor(type)))"
        case .model(let number):
            let nominal = declarations.nominals[number]
            text = "$.modelType(\(quoted(nominal.realmName)), \(quoted(nominal.name)), true)"
        case .range(let type): text = "$.rangeType(\(descriptor(type)), \"..<\")"
        case .closedRange(let type): text = "$.rangeType(\(descriptor(type)), \"...\")"
        case .dictionary(let key, let value): text = "$.dictionaryType(\(descriptor(key)), \(descriptor(value)))"
        case .tuple(let elements):
            let labels = elements.map { $0.label.map { "\"\($0)\"" } ?? "null" }.joined(separator: ", ")
            text = "$.tupleType([\(labels)], [\(elements.map { descriptor($0.type) }.joined(separator: ", "))])"
        case .function: return "$.T.Function"
        case .metatype, .reference: return "$.T.Metatype"
        case .nominal(let number): return nominalDescriptor(declarations.nominals[number])
        }
        let name = fresh("T")
        emit("const \(name) = \(text);")
        descriptors[type] = name
        return name
    }

    private func nominalDescriptor(_ nominal: Nominal) -> String {
        let name = "N$\(nominal.number)"
        guard structures.insert(nominal.number).inserted else { return name }
        let path = quoted(nominal.path)
        addConformances(of: nominal)
        if nominal.kind != .protocolType, conforms(nominal, to: ["LocalizedError"]) {
            later { [self] in emit("\(name).isLocalized = true;") }
        }
        switch nominal.kind {
        case .enumeration:
            let place = reserve()
            let values = EnumerationValues(nominal)
            var cases: [String] = []
            for element in nominal.members.cases {
                let caseName = element.name.identifierText
                let raw =
                    values.large[caseName].map { "\($0)n" } ?? values.values[caseName].map { self.raw($0) }
                    ?? "undefined"
                let labels = (element.parameterClause?.parameters.map { $0.firstName?.identifierText ?? "" } ?? [])
                    .map { $0 == "_" || $0.isEmpty ? "null" : quoted($0) }
                let count = element.parameterClause == nil ? "null" : "[\(labels.joined(separator: ", "))]"
                let types = (try? caseTypes(element, of: nominal)) ?? []
                let lazily = types.isEmpty ? "null" : "() => [\(types.map { descriptor($0) }.joined(separator: ", "))]"
                cases.append("[\(quoted(caseName)), \(raw), \(count), \(lazily)]")
            }
            let rawType = nominal.inheritedNames.first.flatMap(SwiftType.scalar).map { descriptor($0) } ?? "null"
            fill(
                place,
                "const \(name) = $.enumType(\(path), [\(cases.joined(separator: ", "))], \(rawType), \(isErrorType(nominal)), \(conforms(nominal, to: ["Comparable"])));"
            )
        case .protocolType:
            emit("const \(name) = $.protocolType(\(path));")
            try? ofAllTypes { [self] in
                for type in concreteTypes(of: nominal) where dispatched.insert("\(type.number) is \(name)").inserted {
                    emit("\(name).conforming.add(\(descriptor(.nominal(type.number))));")
                }
            }
        case .structure, .classType:
            let parent = declarations.superclass(of: nominal).map { descriptor(.nominal($0.number)) } ?? "null"
            // The types of its fields may name the type itself, and come behind it.
            let place = reserve()
            let fields = storedProperties(of: nominal)
            let described = fields.map { field in
                let type = self.described(field, of: nominal)
                return "[\(quoted(Self.storageName(of: field))), () => \(descriptor(type))]"
            }
            fill(
                place,
                "const \(name) = $.\(nominal.kind == .structure ? "structType" : "classType")(\(path), [\(described.joined(separator: ", "))], \(isErrorType(nominal)), \(parent));"
            )
        }
        return name
    }

    /// The type that a property is shown as: what was refused of it is told.
    private func described(_ field: VariableDeclaration, of nominal: Nominal) -> SwiftType {
        do {
            let type = try fieldType(field, of: nominal)
            return field.isLazy ? .optional(type) : type
        } catch {
            // A lazy property that nothing reads never has a value, of whatever type.
            if !field.isLazy { tell(error, at: field.binding) }
            return field.isLazy ? .optional(.any) : .any
        }
    }

    func isErrorType(_ nominal: Nominal) -> Bool {
        lineage(of: nominal).contains { type in
            type.inheritedNames.contains { ["Error", "LocalizedError", "CustomNSError"].contains($0) }
        }
    }

    /// The stored properties of each value of a type, those of its superclasses first.
    func storedProperties(of nominal: Nominal) -> [VariableDeclaration] {
        let inherited = declarations.superclass(of: nominal).map { storedProperties(of: $0) } ?? []
        return inherited
            + nominal.members.variables.filter {
                !$0.isStatic && !$0.isComputed && !$0.declaration.modifiers.has(.override)
            }
    }

    func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x20...0x7E: quoted += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }
}
