/// A path with parameters, as OpenAPI writes it: `/v1/apps/{app}`.
struct PathTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case fixed(String)
        case parameter(String)
    }

    /// The template as it was written.
    let text: String
    private let parts: [Part]

    init(_ text: String) {
        self.text = text
        parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.first == "{" ? .parameter(String(part.dropFirst().dropLast())) : .fixed(String(part))
        }
    }

    /// A path of no route, cut off where an object's key would stand, which may be a value of the object.
    static func withoutObjectKey(_ path: String) -> String {
        guard let objects = path.firstRange(of: "/objects/") else { return path }
        return path[..<objects.upperBound] + "…"
    }

    /// The names of the parameters, in order.
    var parameterNames: [String] {
        parts.compactMap { part in
            if case .parameter(let name) = part { name } else { nil }
        }
    }

    /// The parameters of a path that fits, none of them empty; nil for any other.
    func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .fixed(let text): guard text == segment else { return nil }
            case .parameter(let name):
                guard !segment.isEmpty else { return nil }
                parameters[name] = segment
            }
        }
        return parameters
    }
}
