import SwiftSyntax

/// Types that `JSONDecoder` and `JSONEncoder` read and write: the ways that the compiler makes, not those of the app's own.
extension Lowering {
    /// Has the descriptors of a type, and of all that it holds, say how its values are written.
    ///
    /// - Throws: `Refusal` where a part of it is of a type that is not understood as JSON.
    func prepareCoding(of type: SwiftType, at node: some SyntaxProtocol) throws {
        nameDecodingErrors()
        switch type {
        case .int, .double, .float, .bool, .string: return
        case .named(let name) where ["Date", "Data", "URL", "UUID"].contains(name): return
        case .optional(let inner), .array(let inner), .set(let inner), .dictionary(.string, let inner):
            try prepareCoding(of: inner, at: node)
        case .nominal(let number):
            try prepareCoding(of: declarations.nominals[number], at: node)
        default:
            throw Refusal(
                "A value of the type ‘\(spelled(type))’ is not understood as JSON: use ‘JSONSerialization’.", at: node)
        }
    }

    private func prepareCoding(of nominal: Nominal, at node: some SyntaxProtocol) throws {
        let before = coded
        guard coded.insert(nominal.number).inserted else { return }
        do { try emitCoding(of: nominal, at: node) } catch {
            // An attempt that fails says nothing of the types for the next one.
            coded = before
            throw error
        }
    }

    private func emitCoding(of nominal: Nominal, at node: some SyntaxProtocol) throws {
        let names = nominal.inheritedNames
        guard names.contains(where: { ["Codable", "Decodable", "Encodable"].contains($0) }) else {
            throw Refusal("‘\(nominal.path)’ is not Codable.", at: node)
        }
        let ownWays =
            nominal.members.initializers.contains { $0.parameterLabels == ["from"] }
            || nominal.members.functions("encode", isStatic: false).contains { $0.labels == ["to"] }
        if ownWays { throw Refusal("‘init(from:)’ and ‘encode(to:)’ of the app are not understood.", at: node) }
        switch nominal.kind {
        case .enumeration:
            guard names.contains(where: { SwiftType.scalar($0) != nil }) else {
                throw Refusal(
                    "An enumeration without raw values is not understood as JSON: use ‘JSONSerialization’.", at: node)
            }
        case _ where nominal.kind == .structure || isAlone(nominal):
            let keys = try codingKeys(of: nominal, at: node)
            let fields = try storedProperties(of: nominal).map { field -> JavaScript in
                if field.isLazy || field.isConstant && field.binding.initializer != nil {
                    throw Refusal(
                        "‘\(field.name)’ is not understood as JSON: it is lazy, or a constant with a value. Use ‘JSONSerialization’.",
                        at: field.binding)
                }
                guard let key = keys.map({ $0[field.name] }) ?? field.name else {
                    throw Refusal("‘CodingKeys’ that leave a property out are not understood.", at: field.binding)
                }
                let type = try fieldType(field, of: nominal)
                try prepareCoding(of: type, at: field.binding)
                return .array([.text(field.name), descriptor(type), .text(key)])
            }
            let coding = descriptor(.nominal(nominal.number)).field("coding")
            emit(.expression(coding.assigned(.arrow([], .array(fields)))))
        case .structure, .classType, .protocolType:
            throw Refusal(
                "A value of the class or protocol ‘\(nominal.path)’ is not understood as JSON: use ‘JSONSerialization’.",
                at: node)
        }
    }

    /// Has the library make errors of the type that the script names.
    private func nameDecodingErrors() {
        guard let error = declarations.types["DecodingError"], let context = error.nested["Context"],
            let key = error.nested["Key"], error.isOfLibrary, dispatched.insert("DecodingError").inserted
        else { return }
        describes(.nominal(error.number))
        let types = [error, context, key].map { descriptor(.nominal($0.number)) }
        emit(.expression(.runtime("decodingErrors", types)))
    }

    /// Whether a class has no superclass of the app and no subclass, so that its own properties are all that is written.
    private func isAlone(_ nominal: Nominal) -> Bool {
        nominal.kind == .classType && declarations.superclass(of: nominal) == nil && subclasses(of: nominal).isEmpty
    }

    /// The keys that a type names for its properties; nil where these have their own names.
    private func codingKeys(of nominal: Nominal, at node: some SyntaxProtocol) throws -> [String: String]? {
        guard let keys = nominal.nested["CodingKeys"] else { return nil }
        guard keys.kind == .enumeration else { throw Refusal("These ‘CodingKeys’ are not understood.", at: node) }
        let values = EnumerationValues(keys).values
        return try Dictionary(
            keys.members.cases.map { element in
                let name = element.name.identifierText
                switch values[name] {
                case .string(let key)?: return (name, key)
                case nil: return (name, name)
                default: throw Refusal("‘CodingKeys’ of another type than String are not understood.", at: element)
                }
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension InitializerDeclSyntax {
    fileprivate var parameterLabels: [String] {
        signature.parameterClause.parameters.map { $0.firstName.identifierText }
    }
}
