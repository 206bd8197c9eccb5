import RealmJSON

import RealmJSON

/// What the API would say of an error, for programs that answer no request.
public struct ProblemDocument: Hashable, Sendable {
    private let problem: Problem
    /// The file that it is about, for programs that read files; the extension member `file`.
    public var file: String?

    /// The problem of an error as a response has it.
    public init(_ error: any Error) {
        problem = ErrorResponse.problem(for: error)
    }

    /// A problem that no response has: of a file, or of the program itself.
    ///
    /// - Parameters:
    ///   - code: in snake_case.
    ///   - detail: what happened, in one sentence.
    public init(code: String, detail: String) {
        problem = Problem(500, code, detail)
    }

    /// Whether nothing is known of the error but that it is the service's own.
    public var isInternal: Bool { problem == .internalError }

    /// The document (RFC 9457) in one line, without a line break.
    public var json: [UInt8] {
        guard let file, case .object(let members) = problem.json(instance: nil) else {
            return problem.json(instance: nil).encoded()
        }
        return JSONValue.object(members + [JSONMember("file", .string(file))]).encoded()
    }

    /// What happened, in sentences.
    public var detail: String { problem.detail }

    /// A line for each place that is known: class, property, key, line, column, pointer.
    public var places: [String] {
        problem.errors.compactMap { item in
            let parts = [
                item.className.map { name in item.property.map { "\(name).\($0)" } ?? name },
                item.key.map { "object \($0.value)" }, item.line.map { "line \($0)" },
                item.column.map { "column \($0)" }, item.pointer,
            ].compactMap { $0 }
            guard !parts.isEmpty else { return nil }
            return "at " + parts.joined(separator: ", ") + (item.message == detail ? "" : ": \(item.message)")
        }
    }
}
