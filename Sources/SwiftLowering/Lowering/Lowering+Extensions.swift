import SwiftSyntax

/// Members that extensions of protocols give to types.
extension Lowering {
    /// A static function that a protocol's extension gives to a type: lowered anew for each type, which is `Self` in it.
    func calledOfProtocols(_ nominal: Nominal, _ call: Call) throws -> Lowered? {
        guard nominal.kind != .protocolType else { return nil }
        let owners = lineage(of: nominal).filter { owner in
            owner.kind == .protocolType
                && owner.members.functions(call.name, isStatic: true).contains { $0.body != nil }
        }
        guard let owner = owners.first else { return nil }
        guard owners.count == 1 else {
            throw Refusal(
                "Several protocols give the type a ‘\(call.name)’: which one is called is not known here.",
                at: call.node)
        }
        return try overloaded(
            owner.members.functions(call.name, isStatic: true).filter { $0.body != nil }, call,
            .library(nominalType(nominal), owner.path), isStatic: true)
    }

    /// A static function that code of a protocol calls of the type that has it, without a name before it.
    func calledStatically(_ nominal: Nominal, _ call: Call) throws -> Lowered? {
        try mustNotHide(call.name, of: nominal, at: call.node)
        for owner in lineage(of: nominal) where owner.kind != .protocolType {
            let candidates = owner.members.functions(call.name, isStatic: true)
            if let found = try overloaded(candidates, call, .nominal(owner), isStatic: true) { return found }
        }
        return try calledOfProtocols(nominal, call)
    }

    /// The type that a member of another one belongs to where it is of a type: what a protocol's extension gives under a condition
    /// knows of its type what the condition says, and the names and the static members that the protocol leaves to it.
    func owner(of member: Syntax, in holder: Nominal, for nominal: Nominal) -> FunctionContext.Owner {
        let isOfEach =
            holder.kind == .protocolType
            && (Self.isConditional(member) || !holder.associatedTypes.isEmpty || asksOfTypes(holder)
                || Self.givesOwnType(member))
        return isOfEach ? .library(nominalType(nominal), holder.path) : .nominal(holder)
    }

    /// Whether the type of a member names the type that has it.
    private static func givesOwnType(_ member: Syntax) -> Bool {
        let types: [Syntax?] =
            if let function = member.as(FunctionDeclSyntax.self) {
                [Syntax(function.signature)]
            } else {
                [member.as(PatternBindingSyntax.self)?.typeAnnotation.map { Syntax($0) }]
            }
        return types.contains { $0?.holds { $0.as(IdentifierTypeSyntax.self)?.name.text == "Self" } ?? false }
    }

    /// Whether code of a protocol may ask the type that has it for a static member, or make a value of it.
    func asksOfTypes(_ nominal: Nominal) -> Bool {
        nominal.kind == .protocolType
            && lineage(of: nominal).contains { type in
                !type.members.initializers.isEmpty || type.members.variables.contains(where: \.isStatic)
                    || type.members.functions.contains { $0.modifiers.isStatic }
            }
    }

    /// Whether what a protocol's extension gives a value of the protocol is another one for each type of values.
    func isOfEachType(_ holder: Nominal, _ nominal: Nominal) -> Bool {
        nominal.kind == .protocolType && asksOfTypes(holder)
    }

    /// Refuses what a protocol's extension gives a subclass of a class that conforms: where an object of it is taken for one of the
    /// class first, the class is what the code knows.
    func mustBeOfOneClass(_ type: Nominal, _ holder: Nominal, at node: some SyntaxProtocol) throws {
        guard asksOfTypes(holder), let parent = declarations.superclass(of: type), isKind(parent, of: holder) else {
            return
        }
        throw Refusal(
            "Whether code of ‘\(holder.path)’ is meant for ‘\(parent.path)’ or for ‘\(type.path)’ is not known here: write it in "
                + "the classes.", at: node)
    }

    /// Refuses a static member that a protocol's extension has and the type, too, where code of the protocol names it.
    func mustNotHide(_ name: String, of nominal: Nominal, at node: some SyntaxProtocol) throws {
        var isOfProtocol = isInGeneric
        if case .library(.nominal, _)? = context.owner { isOfProtocol = true }
        guard isOfProtocol, nominal.kind != .protocolType else { return }
        let all = lineage(of: nominal)
        func has(_ type: Nominal, isAsked: Bool) -> Bool {
            type.members.functions(name, isStatic: true).contains { ($0.body == nil) == isAsked }
                || type.members.variables.contains {
                    $0.name == name && $0.isStatic && ($0.getter == nil && $0.isComputed) == isAsked
                }
        }
        let protocols = all.filter { $0.kind == .protocolType }
        guard protocols.contains(where: { has($0, isAsked: false) }),
            !protocols.contains(where: { has($0, isAsked: true) }),
            all.contains(where: { $0.kind != .protocolType && has($0, isAsked: false) })
        else { return }
        throw Refusal(
            "Which ‘\(name)’ code of a protocol reads is not known here: give one of them another name.", at: node)
    }

    /// The names by which extensions may extend a type.
    func extensionNames(_ type: SwiftType) -> [String] {
        guard !declarations.extensions.isEmpty else { return [] }
        let names = libraryNames(type)
        return names + names.flatMap { declarations.protocols(ofLibrary: $0).map(\.path) }
    }

    private static let sequences = [
        "RangeReplaceableCollection", "MutableCollection", "RandomAccessCollection", "BidirectionalCollection",
        "Collection",
        "Sequence",
    ]
    private static let values = [
        "Comparable", "Hashable", "Equatable", "LosslessStringConvertible", "CustomStringConvertible",
    ]
    private static let numbers = ["Numeric", "SignedNumeric", "AdditiveArithmetic", "Strideable"] + values

    private func libraryNames(_ type: SwiftType) -> [String] {
        switch type {
        case .slice: ["ArraySlice"] + Self.sequences
        case .array(let element): ["Array", "[\(spelled(element))]"] + Self.sequences
        case .set(let element): ["Set", "Set<\(spelled(element))>", "SetAlgebra", "Collection", "Sequence"]
        case .dictionary: ["Dictionary", spelled(type), "Collection", "Sequence"]
        case .range: ["Range", "Collection", "Sequence", "BidirectionalCollection", "RandomAccessCollection"]
        case .closedRange:
            ["ClosedRange", "Collection", "Sequence", "BidirectionalCollection", "RandomAccessCollection"]
        case .optional: ["Optional"]
        case .object: ["MigrationObject", "DynamicObject", "Object", "NSObject"]
        case .model: ["Object", "RealmSwiftObject", "ObjectBase", "NSObject"]
        case .list: ["List"]
        case .string, .substring:
            [spelled(type), "StringProtocol", "TextOutputStream"] + Self.values
                + Self.sequences.filter { $0 != "MutableCollection" && $0 != "RandomAccessCollection" }
        case .int(let name):
            [name, "BinaryInteger", "FixedWidthInteger", "SignedInteger", "UnsignedInteger"] + Self.numbers
        case .double, .float: [spelled(type), "BinaryFloatingPoint", "FloatingPoint"] + Self.numbers
        case .character, .named("Date"), .bool, .named("UUID"), .named("URL"), .named("Data"):
            [spelled(type)] + Self.values
        case .nominal(let number): libraryNames(ofNominal: declarations.nominals[number])
        default: [spelled(type)]
        }
    }

    /// The library's protocols that a type of the app conforms to, by what stands behind its colon.
    private func libraryNames(ofNominal nominal: Nominal) -> [String] {
        guard nominal.kind != .protocolType else { return [] }
        let written = lineage(of: nominal).flatMap(\.inheritedNames)
        var names = written.filter { declarations.extensions[$0] != nil && declarations.types[$0] == nil }
        if nominal.kind == .enumeration, nominal.inheritedNames.first.flatMap(SwiftType.scalar) != nil {
            names.append("RawRepresentable")
        }
        if isEquatable(nominal) { names += ["Hashable", "Equatable"] }
        if written.contains("Codable") { names += ["Decodable", "Encodable"] }
        if written.contains("LocalizedError") { names.append("Error") }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Refuses a member that several extensions give to a type of the library where it is not sure which one the compiler takes.
    ///
    /// Also one that extensions give to floating numbers alone: of integer literals the compiler would have made such.
    func mustBeOne(_ type: SwiftType, at node: some SyntaxProtocol, _ find: (Members) -> [Syntax]) throws {
        guard !declarations.extensions.isEmpty else { return }
        let all = extensionNames(type).map { key in declarations.extensions[key].map(find) ?? [] }
        if type.isOfWholeNumbers, all.contains(where: { !$0.isEmpty }), all.joined().allSatisfy(Self.needsFloating) {
            throw Refusal(
                "This member is for floating numbers: write the literals with a point, or the type behind ‘as’.",
                at: node)
        }
        let keys = all.map { $0.filter { mayHave($0, type) } }.filter { !$0.isEmpty }
        let members = keys.joined()
        guard keys.count > 1 else { return }
        var isUnsure = isInGeneric
        if case .library? = context.owner { isUnsure = true }
        guard isUnsure || members.contains(where: { Self.isConditional($0) }) else { return }
        throw Refusal(
            "Several extensions give ‘\(spelled(type))’ this member: which one is taken is not known here: give them other names.",
            at: node)
    }

    /// Whether a member is for collections of floating numbers alone.
    private static func needsFloating(_ node: Syntax) -> Bool {
        let clause = node.ancestors.lazy.compactMap { $0.as(ExtensionDeclSyntax.self) }.first?.genericWhereClause
        return !(clause?.floatingNames.isDisjoint(with: ["Element", "Self.Element"]) ?? true)
    }

    static func isConditional(_ node: Syntax) -> Bool {
        node.ancestors.lazy.compactMap { $0.as(ExtensionDeclSyntax.self) }.first?.genericWhereClause != nil
    }
}

extension SwiftType {
    /// Whether it is an array or a set of integers.
    fileprivate var isOfWholeNumbers: Bool {
        switch self {
        case .array(.int), .set(.int): true
        default: false
        }
    }
}
