import SwiftSyntax

/// The library's `Result`: an enumeration of the library that is written in Swift, once for each two types.
extension Lowering {
    func result(_ success: SwiftType, _ failure: SwiftType, at node: some SyntaxProtocol) throws -> SwiftType {
        if let known = results[[success, failure]] { return .nominal(known.number) }
        guard max(success.depth, failure.depth) < Self.resultDepth else {
            throw Refusal("The types of this ‘Result’ nest too deep.", at: node)
        }
        guard let first = libraryPath(success), let second = libraryPath(failure) else {
            throw Refusal(
                "A ‘Result’ of ‘\(spelled(success))’ and ‘\(spelled(failure))’ is not understood here: write an enumeration of your own.",
                at: node)
        }
        let isEquatable = [success, failure].allSatisfy { type in
            type != .void && attempt { try mustBeEquatable(type, at: node) }.success != nil
        }
        let text =
            "enum Result\(isEquatable ? ": Equatable" : "") {\n\(Self.resultBody)\n"
            + (failure == .error ? Self.catchingInitializer : "") + "}\n"
        let nominal = declarations.library(
            text, name: "Result<\(spelled(success)), \(spelled(failure))>", path: "Swift.Result<\(first), \(second)>",
            ["Success": success, "Failure": failure], at: Syntax(node))
        guard let nominal else { throw Refusal("‘Result’ is not understood here.", at: node) }
        results[[success, failure]] = nominal
        return .nominal(nominal.number)
    }

    private static let resultDepth = 8

    private static let resultBody = """
        case success(Success)
        case failure(Failure)
        func get() throws -> Success {
            switch self {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }
        func map<NewSuccess>(_ transform: (Success) -> NewSuccess) -> Result<NewSuccess, Failure> {
            switch self {
            case .success(let value): return .success(transform(value))
            case .failure(let error): return .failure(error)
            }
        }
        func mapError<NewFailure>(_ transform: (Failure) -> NewFailure) -> Result<Success, NewFailure> {
            switch self {
            case .success(let value): return .success(value)
            case .failure(let error): return .failure(transform(error))
            }
        }
        func flatMap<NewResult>(_ transform: (Success) -> NewResult) -> NewResult {
            switch self {
            case .success(let value): return transform(value)
            case .failure(let error): return .failure(error)
            }
        }
        func flatMapError<NewResult>(_ transform: (Failure) -> NewResult) -> NewResult {
            switch self {
            case .success(let value): return .success(value)
            case .failure(let error): return transform(error)
            }
        }
        """

    private static let catchingInitializer = """
        init(catching body: () throws -> Success) {
            do { self = .success(try body()) } catch { self = .failure(error) }
        }

        """

    /// The name of a type inside of a shown collection; nil where it is not known.
    private func libraryPath(_ type: SwiftType) -> String? {
        switch type {
        case .int, .double, .float, .bool, .string, .character: "Swift.\(spelled(type))"
        case .void: "()"
        case .error: "Swift.Error"
        case .optional(let type): libraryPath(type).map { "Swift.Optional<\($0)>" }
        case .array(let type): libraryPath(type).map { "Swift.Array<\($0)>" }
        case .set(let type): libraryPath(type).map { "Swift.Set<\($0)>" }
        case .dictionary(let key, let value):
            libraryPath(key).flatMap { first in libraryPath(value).map { "Swift.Dictionary<\(first), \($0)>" } }
        case .named("Date"), .named("Data"), .named("UUID"), .named("URL"): "Foundation.\(spelled(type))"
        case .nominal(let number):
            declarations.nominals[number].kind == .protocolType ? nil : declarations.nominals[number].path
        default: nil
        }
    }

    /// The `Result` that is wanted where the name stands without types.
    func wantedResult(_ node: ExprSyntax, _ expected: SwiftType?) -> SwiftType? {
        wantedResult(node.as(DeclReferenceExprSyntax.self)?.baseName.identifierText, expected)
    }

    private func wantedResult(_ name: String?, _ expected: SwiftType?) -> SwiftType? {
        guard let name, name == "Result",
            nominal(named: name) == nil, lookUp(name) == nil, let wanted = expected?.unwrapped,
            results.values.contains(where: { .nominal($0.number) == wanted })
        else { return nil }
        return wanted
    }

    /// `Result { try … }`; nil of any other name.
    func madeResult(_ call: Call) throws -> Lowered? {
        guard call.name == "Result", nominal(named: call.name) == nil, let only = call.arguments.first,
            call.arguments.count == 1,
            only.isTrailing || only.label == "catching"
        else { return nil }
        if let wanted = wantedResult(call.name, call.expected) { return try made(wanted, call) }
        let wanted = SwiftType.function([], .variable("T"))
        let given = try typeAlone(of: only.node, wanted).get()
        guard case .function(_, let success) = given, !success.hasVariables else {
            throw Refusal("The type of this ‘Result’ can't be told here: write it behind the name.", at: call.node)
        }
        return try made(result(success, .error, at: call.node), call)
    }
}
