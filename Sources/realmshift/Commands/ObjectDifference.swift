import RealmJSON

/// The objects that differ between two realms, written to standard output as they are found.
final class ObjectDifference {
    /// Bytes that are gathered before they are written.
    private static let bufferBytes = 1 << 16

    private let comparison: ObjectComparison
    private let showsValues: Bool
    private var pending: [UInt8] = []

    /// - Parameter showsValues: whether values of properties are shown beside their names.
    init(_ comparison: ObjectComparison, showsValues: Bool) {
        self.comparison = comparison
        self.showsValues = showsValues
    }

    /// Writes what differs in schema and counts, a line for every object that differs, and a line for every class.
    func writeText(after difference: RealmDifference) throws {
        for line in difference.lines { write(line + "\n") }
        var isSame = difference.lines.isEmpty
        for name in comparison.classNames {
            let counts = try comparison.compare(name) { write($0, of: name) }
            guard counts.changed + counts.removed + counts.added > 0 else { continue }
            isSame = false
            write("\(name): \(counts.changed) differ, \(counts.removed) in A alone, \(counts.added) in B alone\n")
        }
        if isSame { write("no difference\n") }
        flush()
    }

    /// Writes the JSON document of schema and counts with two members more.
    ///
    /// `objects` has an object for every object that differs, `objectDifferences` the counts of every class.
    func writeJSON(after difference: RealmDifference) throws {
        // The document is open at its end for two members more.
        let members = difference.json.split(separator: "\n", omittingEmptySubsequences: true).dropLast()
        write(members.joined(separator: "\n") + ",\n  \"objects\": [")
        var isFirst = true
        var totals: [JSONMember] = []
        for name in comparison.classNames {
            let counts = try comparison.compare(name) { change in
                write(isFirst ? "\n    " : ",\n    ")
                isFirst = false
                write(json: change, of: name)
            }
            totals.append(JSONMember(name, Self.json(counts)))
        }
        write(isFirst ? "],\n" : "\n  ],\n")
        write("  \"objectDifferences\": ")
        write(JSONValue.object(totals).encoded())
        write("\n}\n")
        flush()
    }

    private func write(_ change: ObjectChange, of name: String) {
        write("\(name) ")
        write(change.key)
        switch change.kind {
        case .removed: write(": in A alone\n")
        case .added: write(": in B alone\n")
        case .changed(let properties):
            guard showsValues else { return write(": \(properties.map(\.name).joined(separator: ", "))\n") }
            write(":\n")
            for property in properties {
                write("    \(property.name): ")
                write(property.from)
                write(" → ")
                write(property.to)
                write("\n")
            }
        }
    }

    private func write(json change: ObjectChange, of name: String) {
        write("{\"class\":")
        write(JSONValue.string(name).encoded())
        write(",\"key\":")
        write(change.key)
        switch change.kind {
        case .removed: write(",\"change\":\"removed\"")
        case .added: write(",\"change\":\"added\"")
        case .changed(let properties):
            write(",\"change\":\"changed\",\"properties\":")
            write(JSONValue.array(properties.map { .string($0.name) }).encoded())
            guard showsValues else { break }
            write(member: "from", properties.map { ($0.name, $0.from) })
            write(member: "to", properties.map { ($0.name, $0.to) })
        }
        write("}")
    }

    /// Writes a member that holds an object whose values are JSON already.
    private func write(member: String, _ values: [(name: String, text: [UInt8])]) {
        write(",\"\(member)\":{")
        for (index, value) in values.enumerated() {
            if index > 0 { write(",") }
            write(JSONValue.string(value.name).encoded())
            write(":")
            write(value.text)
        }
        write("}")
    }

    private static func json(_ counts: ObjectChangeCounts) -> JSONValue {
        [
            "identity": .string(counts.identity.rawValue), "changed": .int(Int64(counts.changed)),
            "removed": .int(Int64(counts.removed)), "added": .int(Int64(counts.added)),
        ]
    }

    private func write(_ text: String) { write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) {
        pending += bytes
        if pending.count >= Self.bufferBytes { flush() }
    }

    private func flush() {
        Console.output(pending)
        pending = []
    }
}
