/// A line of the library's tables: JavaScript with places for the value that it is of, for arguments, and for types.
struct Template: Sendable {
    enum Place: Hashable, Sendable {
        /// `@`.
        case value
        /// `#1`, counted from 0 here.
        case argument(Int)
        /// `%T`: what stands for a variable at run time.
        case type(String)
    }

    struct Part: Sendable {
        /// The characters before the place.
        var text: String
        /// Nil at the end of the line.
        var place: Place?
        /// Whether the place is one between parentheses, brackets and commas, where any value may stand.
        var isOpen: Bool
    }

    let parts: [Part]
    /// Whether it may be a part of an expression as it is: a call, a member, a name.
    let isClosed: Bool

    init(_ line: String) {
        var (parts, text, depth, isClosed) = ([Part](), "", 0, !line.hasPrefix("!") && !line.hasPrefix("-"))
        var rest = line[...]
        while let next = rest.popFirst() {
            switch next {
            case "@", "#", "%":
                let name = next == "@" ? "" : next == "%" ? rest.prefix(1) : rest.prefix(while: \.isNumber)
                rest = rest.dropFirst(name.count)
                let opens =
                    text.isEmpty ? parts.isEmpty : text.hasSuffix("(") || text.hasSuffix("[") || text.hasSuffix(", ")
                let closes = rest.first.map { ")],".contains($0) } ?? true
                let place: Place =
                    next == "@" ? .value : next == "%" ? .type(String(name)) : .argument((Int(name) ?? 1) - 1)
                parts.append(Part(text: text, place: place, isOpen: opens && closes))
                text = ""
            default:
                if "([{".contains(next) { depth += 1 }
                if ")]}".contains(next) { depth -= 1 }
                if next == " ", depth == 0 { isClosed = false }
                text.append(next)
            }
        }
        self.parts = parts + [Part(text: text, place: nil, isOpen: false)]
        self.isClosed = isClosed
        var (isInFunction, repeated, deferred, seen) = (false, Set<Place>(), Set<Place>(), Set<Place>())
        for part in parts {
            guard let place = part.place else { continue }
            if part.text.hasSuffix("() => ") {
                deferred.insert(place)
                continue
            }
            isInFunction = isInFunction || part.text.replacing("() =>", with: "").contains("=>")
            if isInFunction || !seen.insert(place).inserted { repeated.insert(place) }
        }
        (self.repeated, self.deferred) = (repeated, deferred)
    }

    /// The places that are worked out several times where they stand as they are: in a function, or more than once.
    let repeated: Set<Place>
    /// The arguments that are worked out where they are asked for, if ever.
    let deferred: Set<Place>

    /// Whether it is the value itself.
    var isValue: Bool { parts.count == 2 && parts[0].place == .value && parts.allSatisfy(\.text.isEmpty) }

    /// Whether no argument stands before the value, so that it is read before what an argument calls.
    var takesValueFirst: Bool {
        let places = parts.compactMap(\.place)
        guard let value = places.firstIndex(of: .value) else { return true }
        return places[..<value].allSatisfy { if case .argument = $0 { false } else { true } }
    }

    /// The line with what stands in its places.
    func filled(_ value: (Place) -> JavaScript) -> JavaScript {
        let values = parts.compactMap { $0.place.map(value) }
        return parts.count == 2 && parts.allSatisfy(\.text.isEmpty) ? values[0] : .template(self, values)
    }
}
