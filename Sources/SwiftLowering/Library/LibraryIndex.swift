/// Where the tables of the library have what.
///
/// A file needs few of their lines: only those are read whole (`Library`), when they are first looked for.
struct LibraryIndex: Sendable {
    enum Group { case properties, methods, statics, functions, initializers }

    private struct Key: Hashable {
        var group: Group
        var name: String
    }

    private let lines: [Key: [Substring]]
    /// The types that have initializers, as the tables write them, in their order.
    let initializedTypes: [String]

    init(_ tables: [String]) {
        var lines: [Key: [Substring]] = [:]
        var types: [String] = []
        for table in tables {
            for line in table.utf8.split(separator: UInt8(ascii: "\n")) {
                guard let key = Self.key(of: line) else { continue }
                if key.group == .initializers, lines[key] == nil { types.append(key.name) }
                lines[key, default: []].append(Substring(line))
            }
        }
        self.lines = lines
        initializedTypes = types
    }

    /// The lines of a name, of which that of an initializer is its type's as the tables write it.
    func lines(_ group: Group, _ name: String) -> [Substring] { lines[Key(group: group, name: name)] ?? [] }

    private static func key(of line: Substring.UTF8View) -> Key? {
        guard let kind = line.first, let group = group(of: kind) else { return nil }
        let head = line.dropFirst(2)
        // The name ends at the first parenthesis or colon that belongs to no receiver, and begins behind the last dot before that.
        var depth = 0
        var start = head.startIndex
        for index in head.indices {
            switch head[index] {
            case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: ">"): depth -= 1
            case UInt8(ascii: ".") where depth == 0 && group != .initializers: start = head.index(after: index)
            case UInt8(ascii: "(") where depth == 0, UInt8(ascii: ":") where depth == 0:
                return Key(group: group, name: String(Substring(head[start..<index])))
            default: break
            }
        }
        return nil
    }

    private static func group(of kind: UInt8) -> Group? {
        switch kind {
        case UInt8(ascii: "P"), UInt8(ascii: "W"): .properties
        case UInt8(ascii: "M"), UInt8(ascii: "I"), UInt8(ascii: "A"), UInt8(ascii: "C"): .methods
        case UInt8(ascii: "S"): .statics
        case UInt8(ascii: "F"): .functions
        case UInt8(ascii: "N"): .initializers
        default: nil
        }
    }
}
