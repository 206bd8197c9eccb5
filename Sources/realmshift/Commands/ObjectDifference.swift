import RealmJSON

/// The objects that differ between two realms, written to standard output as they are found.
final class ObjectDifference {
    /// Bytes that are gathered before they are written.
    private static let bufferBytes = 1 << 16

    /// How much is shown of the objects that differ.
    enum Detail {
        /// How many of each class.
        case counts
        /// Each of them, with the names of the properties that differ.
        case names
        /// Each of them, with the values that differ.
        case values
    }

    private let comparison: ObjectComparison
    private let detail: Detail
    private var pending: [UInt8] = []
    /// Whether it is read on terminals, which values must not control.
    private var isText = false

    init(_ comparison: ObjectComparison, shows detail: Detail) {
        self.comparison = comparison
        self.detail = detail
    }

    /// Writes what differs in schema and counts, a line for every object that differs, and a line for every class.
    ///
    /// - Returns: whether nothing differs.
    func writeText(after difference: RealmDifference) throws -> Bool {
        isText = true
        for line in difference.lines { try write(line + "\n") }
        var isSame = difference.lines.isEmpty
        for name in comparison.classNames {
            let counts = try comparison.compare(name) { if detail != .counts { try write($0, of: name) } }
            guard counts.differ else { continue }
            isSame = false
            try write("\(name): \(counts.changed) differ, \(counts.removed) in A alone, \(counts.added) in B alone\n")
        }
        if isSame { try write("no difference\n") }
        try flush()
        return isSame
    }

    /// Writes the JSON document of schema and counts with two members more, a line each.
    ///
    /// `objects` has an object for every object that differs, where they are listed; `objectDifferences` the counts of
    /// every class.
    ///
    /// - Returns: whether nothing differs.
    func writeJSON(after difference: RealmDifference) throws -> Bool {
        var isSame = difference.lines.isEmpty
        try write("{\n")
        for member in difference.members {
            try write(member: member.name)
            try write(member.value.encoded() + Array(",\n".utf8))
        }
        if detail != .counts {
            try write(member: "objects")
            try write("[")
        }
        var isFirst = true
        var totals: [JSONMember] = []
        for name in comparison.classNames {
            let counts = try comparison.compare(name) { change in
                guard detail != .counts else { return }
                try write(isFirst ? "\n    " : ",\n    ")
                isFirst = false
                try write(json: change, of: name)
            }
            isSame = isSame && !counts.differ
            totals.append(JSONMember(name, Self.json(counts)))
        }
        if detail != .counts { try write(isFirst ? "],\n" : "\n  ],\n") }
        try write(member: "objectDifferences")
        try write(JSONValue.object(totals).encoded() + Array("\n}\n".utf8))
        try flush()
        return isSame
    }

    /// Writes the name of a member of the document.
    private func write(member name: String) throws { try write("  \"\(name)\": ") }

    private func write(_ change: ObjectChange, of name: String) throws {
        try write("\(name) ")
        try write(change.key)
        switch change.kind {
        case .removed: try write(": in A alone\n")
        case .added: try write(": in B alone\n")
        case .changed(let properties):
            guard detail == .values else { return try write(": \(properties.map(\.name).joined(separator: ", "))\n") }
            try write(":\n")
            for property in properties {
                try write("    \(property.name): ")
                try write(property.from)
                try write(" → ")
                try write(property.to)
                try write("\n")
            }
        }
    }

    private func write(json change: ObjectChange, of name: String) throws {
        try write("{\"class\":")
        try write(JSONValue.string(name).encoded())
        try write(",\"key\":")
        try write(change.key)
        switch change.kind {
        case .removed: try write(",\"change\":\"removed\"")
        case .added: try write(",\"change\":\"added\"")
        case .changed(let properties):
            try write(",\"change\":\"changed\",\"properties\":")
            try write(JSONValue.array(properties.map { .string($0.name) }).encoded())
            guard detail == .values else { break }
            try write(values: "from", properties.map { ($0.name, $0.from) })
            try write(values: "to", properties.map { ($0.name, $0.to) })
        }
        try write("}")
    }

    /// Writes a member that holds an object whose values are JSON already.
    private func write(values member: String, _ values: [(name: String, text: [UInt8])]) throws {
        try write(",\"\(member)\":{")
        for (index, value) in values.enumerated() {
            if index > 0 { try write(",") }
            try write(JSONValue.string(value.name).encoded())
            try write(":")
            try write(value.text)
        }
        try write("}")
    }

    private static func json(_ counts: ObjectChangeCounts) -> JSONValue {
        [
            "identity": .string(counts.identity.rawValue), "changed": .int(Int64(counts.changed)),
            "removed": .int(Int64(counts.removed)), "added": .int(Int64(counts.added)),
        ]
    }

    private func write(_ text: String) throws { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws {
        pending += isText ? Array(TerminalText.plain(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
        if pending.count >= Self.bufferBytes { try flush() }
    }

    private func flush() throws {
        try Console.output(pending)
        pending = []
    }
}
