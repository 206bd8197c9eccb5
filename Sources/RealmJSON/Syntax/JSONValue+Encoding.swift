extension JSONValue {
    /// The JSON text in UTF-8; a number that is not finite, for which JSON has no form, becomes null.
    ///
    /// - Parameter pretty: two spaces a level and a line a member; otherwise no white space at all.
    public func encoded(pretty: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        append(to: &out, indentation: pretty ? 0 : nil)
        return out
    }

    /// Appends the JSON text.
    ///
    /// - Parameter indentation: the level of the line that the value stands in; nil for no white space.
    func append(to out: inout [UInt8], indentation: Int? = nil) {
        switch self {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let flag): out.append(contentsOf: (flag ? "true" : "false").utf8)
        case .int(let number): DecimalDigits.append(number, to: &out)
        case .unsigned(let number): out.append(contentsOf: String(number).utf8)
        case .double(let number) where !number.isFinite: out.append(contentsOf: "null".utf8)
        case .double(let number): JSONText.append(double: number, to: &out)
        case .string(let text): JSONText.append(string: text, to: &out)
        case .array(let elements):
            Self.append(elements, between: "[", "]", to: &out, indentation) { element, out, level in
                element.append(to: &out, indentation: level)
            }
        case .object(let members):
            Self.append(members, between: "{", "}", to: &out, indentation) { member, out, level in
                JSONText.append(string: member.name, to: &out)
                out.append(contentsOf: (level == nil ? ":" : ": ").utf8)
                member.value.append(to: &out, indentation: level)
            }
        }
    }

    private static func append<Item>(
        _ items: [Item], between open: Unicode.Scalar, _ close: Unicode.Scalar, to out: inout [UInt8],
        _ indentation: Int?, _ body: (Item, inout [UInt8], Int?) -> Void
    ) {
        let inner = indentation.map { $0 + 1 }
        out.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            appendLine(inner, to: &out)
            body(item, &out, inner)
        }
        if !items.isEmpty { appendLine(indentation, to: &out) }
        out.append(UInt8(ascii: close))
    }

    private static func appendLine(_ indentation: Int?, to out: inout [UInt8]) {
        guard let indentation else { return }
        out.append(UInt8(ascii: "\n"))
        out.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * 2))
    }
}
