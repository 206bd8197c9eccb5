import SwiftSyntax

/// Types of the library that an extension has conform to a protocol of the app: `extension Int: Describable`.
extension Lowering {
    /// Those of a protocol's that have no parameters.
    func libraryTypes(of nominal: Nominal) -> [SwiftType] {
        guard nominal.kind == .protocolType else { return [] }
        return declarations.libraryConformances.keys.sorted().compactMap { name in
            guard let type = SwiftType.scalar(name), conforms(type, to: nominal) else { return nil }
            return type
        }
    }

    private func conforms(_ type: SwiftType, to nominal: Nominal) -> Bool {
        let protocols = declarations.protocols(ofLibrary: spelled(type))
        if !nominal.composed.isEmpty {
            return nominal.composed.allSatisfy { part in protocols.contains { $0 === part } }
        }
        return protocols.contains { $0 === nominal }
    }

    /// A value of the library where one of a protocol of the app is wanted, which says at run time which functions are its own; nil of
    /// any other.
    func witness(_ value: Lowered, as type: SwiftType) -> Lowered? {
        guard let nominal = appType(type), nominal.kind == .protocolType,
            SwiftType.scalar(spelled(value.type)) == value.type,
            conforms(value.type, to: nominal)
        else { return nil }
        describes(value.type)
        return value.converted(.runtime("witness", value.js, descriptor(value.type)), type)
    }

    /// Has a type of the library say which function a method of a protocol is.
    func addMethod(
        _ function: FunctionDeclSyntax, _ key: String, _ asked: Signature, toLibrary type: SwiftType
    ) throws {
        for name in extensionNames(type) {
            let candidates = declarations.extensions[name]?.methods(like: function)
            guard let found = candidates?.first(where: { $0.body != nil }) else { continue }
            let signature = try self.signature(of: found, in: .library(type, name), isStatic: false)
            guard signature.result == asked.result, signature.parameters.map(\.type) == asked.parameters.map(\.type),
                !signature.isMutating
            else { break }
            let values = JavaScript.spread(.name("values"))
            addMethod(
                key, .arrow([.this, values], signature.js.called([JavaScript.this.field("value"), values])),
                to: .runtime("witnessType", descriptor(type)))
            return
        }
        throw Refusal(
            "‘\(key)’ of ‘\(spelled(type))’ is not understood where a value of a protocol is asked for it.",
            at: function.name)
    }

    /// Has a type of the library say how a property of a protocol is read.
    func addGetter(of name: String, _ type: SwiftType, toLibrary library: SwiftType, at node: Syntax) throws {
        guard dispatched.insert("\(spelled(library)).get \(name)").inserted else { return }
        let steps = try inFunction(FunctionContext()) { () -> [Statement]? in
            let value = Lowered(JavaScript.this.field("value"), library, isSimple: true)
            guard let found = try memberOfValue(value, name, at: node), found.type == type else { return nil }
            return withTemporaries([.give(found.js)])
        }
        guard let steps else {
            throw Refusal(
                "‘\(name)’ of ‘\(spelled(library))’ is not understood where a value of a protocol is asked for it.",
                at: node)
        }
        addMethod("get " + name, .closure([.this], steps), to: .runtime("witnessType", descriptor(library)))
    }
}
