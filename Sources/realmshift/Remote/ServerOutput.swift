import RealmJSON

/// Prints for the commands that ask a service.
enum ServerOutput {
    /// A line of JSON.
    static func json(_ value: JSONValue) throws {
        try Console.output(TerminalText.json(value) + "\n")
    }

    /// Rows as columns that stand below each other, or each as a line of JSON.
    static func table(_ items: [JSONValue], asJSON: Bool, _ columns: (JSONValue) -> [String]) throws {
        guard !asJSON else {
            for item in items { try json(item) }
            return
        }
        let rows = items.map { columns($0).map(TerminalText.cell) }
        let widths = (rows.first ?? []).indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { index, cell in
                cell + String(repeating: " ", count: widths[index] - cell.count)
            }
            let line = cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()
            try Console.output(String(line) + "\n")
        }
    }
}

extension JSONValue {
    /// A member as a person reads it; a dash where there is none.
    func text(_ member: String) -> String {
        switch self[member] {
        case .string(let text)?: text
        case nil, .null?: "-"
        case .array(let elements)?: elements.compactMap(\.string).joined(separator: ",")
        case let other?: String(decoding: other.encoded(), as: UTF8.self)
        }
    }

    /// A member that is a number of things; 0 where there is none.
    func count(_ member: String) -> Int { self[member]?.int.map { Int($0) } ?? 0 }
}
