import SwiftSyntax

extension Lowering {
    /// The descriptor of a type at run time.
    func descriptor(_ type: SwiftType) -> JavaScript {
        if let known = descriptors[type] { return known }
        let made: JavaScript
        switch type {
        case .int(let name): return .runtimeType(name)
        case .double: return .runtimeType("Double")
        case .float: return .runtimeType("Float")
        case .bool: return .runtimeType("Bool")
        case .string: return .runtimeType("String")
        case .character: return .runtimeType("Character")
        case .void: return .runtimeType("Void")
        case .any, .never, .stub, .variable, .undetermined, .lazy, .iterator: return .runtimeType("Any")
        case .named(let name): return .runtime("type", .text(name))
        case .optional(let type): made = .runtime("optionalType", descriptor(type))
        case .array(let type): made = .runtime("arrayType", descriptor(type))
        case .slice(let type): made = .runtime("sliceType", descriptor(type))
        case .set(let type): made = .runtime("setType", descriptor(type))
        case .list(let type): made = .runtime("listType", descriptor(type))
        case .realmSet(let type): made = .runtime("realmSetType", descriptor(type))
        case .realmMap(let type): made = .runtime("realmMapType", descriptor(type))
        case .model(let number):
            let nominal = declarations.nominals[number]
            made = .runtime("modelType", .text(nominal.realmName), .text(nominal.name), .bool(true))
        case .range(let type): made = .runtime("rangeType", descriptor(type), .text("..<"))
        case .closedRange(let type): made = .runtime("rangeType", descriptor(type), .text("..."))
        case .dictionary(let key, let value): made = .runtime("dictionaryType", descriptor(key), descriptor(value))
        case .tuple(let elements):
            let labels = elements.map { $0.label.map { JavaScript.text($0) } ?? .null }
            made = .runtime("tupleType", .array(labels), .array(elements.map { descriptor($0.type) }))
        case .function: return .runtimeType("Function")
        case .metatype, .reference: return .runtimeType("Metatype")
        case .nominal(let number): return nominalDescriptor(declarations.nominals[number])
        }
        let name = fresh("T")
        emit(.constant(name, made))
        descriptors[type] = .name(name)
        return .name(name)
    }

    private func nominalDescriptor(_ nominal: Nominal) -> JavaScript {
        let (name, path) = ("N$\(nominal.number)", JavaScript.text(nominal.path))
        guard structures.insert(nominal.number).inserted else { return .name(name) }
        addConformances(of: nominal)
        if nominal.kind != .protocolType, conforms(nominal, to: ["LocalizedError"]) {
            later { [self] in
                emit(.expression(JavaScript.name(name).field("isLocalized").assigned(.bool(true))))
            }
        }
        switch nominal.kind {
        case .enumeration:
            let place = reserve()
            let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar).map { descriptor($0) } ?? .null
            let made = JavaScript.runtime(
                "enumType", path, .array(describedCases(of: nominal)), raw, .bool(isErrorType(nominal)),
                .bool(conforms(nominal, to: ["Comparable"])))
            fill(place, .constant(name, made))
        case .protocolType:
            emit(.constant(name, .runtime("protocolType", path)))
            ofAllTypes { [self] in
                for type in concreteTypes(of: nominal) where dispatched.insert("\(type.number) is \(name)").inserted {
                    let conforming = JavaScript.name(name).field("conforming")
                    emit(.expression(conforming.method("add", descriptor(.nominal(type.number)))))
                }
            }
        case .structure, .classType:
            let parent = declarations.superclass(of: nominal).map { descriptor(.nominal($0.number)) } ?? .null
            // The types of its fields may name the type itself, and come behind it.
            let place = reserve()
            let fields = storedProperties(of: nominal).map { field in
                JavaScript.array([
                    .text(Self.storageName(of: field)), .arrow([], descriptor(held(field, of: nominal))),
                ])
            }
            let made = JavaScript.runtime(
                nominal.kind == .structure ? "structType" : "classType", path, .array(fields),
                .bool(isErrorType(nominal)), parent)
            fill(place, .constant(name, made))
        }
        return .name(name)
    }

    /// The cases of an enumeration, each with its raw value, the labels of its values, and their types.
    private func describedCases(of nominal: Nominal) -> [JavaScript] {
        let values = EnumerationValues(nominal)
        return nominal.members.cases.map { element in
            let name = element.name.identifierText
            let raw =
                values.large[name].map { JavaScript.constant("\($0)n") } ?? values.values[name].map { self.raw($0) }
                ?? .undefined
            let labels = element.parameterClause.map { clause in
                JavaScript.array(
                    clause.parameters.map {
                        let label = $0.firstName?.identifierText ?? "_"
                        return label == "_" ? .null : .text(label)
                    })
            }
            // A type that is not understood is refused where the case is made or matched.
            let types = attempt { try caseTypes(element, of: nominal) }.success?.value.map { descriptor($0) } ?? []
            return .array([.text(name), raw, labels ?? .null, types.isEmpty ? .null : .arrow([], .array(types))])
        }
    }

    /// The type of what the field of a property holds, which is nothing yet where it is lazy: what was refused of it is told.
    func held(_ field: VariableDeclaration, of nominal: Nominal) -> SwiftType {
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
}
