import HTTPServer

/// The media types that a client accepts (RFC 9110, section 12.5.1).
struct Accept: Hashable, Sendable {
    private struct Range: Hashable {
        var type: String
        /// 0…1000.
        var weight: Int
    }

    private let ranges: [Range]

    /// Reads a field; nil and an empty one accept everything.
    init(_ field: String?) {
        ranges = (field ?? "").split(separator: ",").compactMap { element in
            let type = MediaType.parse(String(element))
            return type.isEmpty ? nil : Range(type: type, weight: Self.weight(of: element))
        }
    }

    /// The offered type that is liked best, the first of those that are liked alike; nil where none is accepted.
    func best(of offered: [String]) -> String? {
        var best: (type: String, weight: Int)?
        for type in offered {
            let weight = weight(of: type)
            if weight > 0, weight > best?.weight ?? 0 { best = (type, weight) }
        }
        return best?.type
    }

    /// The weight of the most specific range that a type is in.
    private func weight(of type: String) -> Int {
        guard !ranges.isEmpty else { return 1000 }
        let main = type.prefix { $0 != "/" }
        for candidate in [type, "\(main)/*", "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.weight }
        }
        return 0
    }

    private static func weight(of element: Substring) -> Int {
        for parameter in element.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=").map { $0.filter { $0 != " " } }
            guard parts.count == 2, parts[0].isToken("q"), let weight = Double(parts[1]) else { continue }
            return Int((min(max(weight, 0), 1) * 1000).rounded())
        }
        return 1000
    }
}
