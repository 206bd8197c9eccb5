import RealmModel

/// Takes the text of a query apart.
struct QueryLexer {
    enum Token: Hashable {
        /// A name or a key word; `@count` too.
        case word(String)
        case string(String)
        case value(Value)
        /// `$0`.
        case argument(Int)
        case symbol(String)
        case end
    }

    private let query: String
    private var rest: Substring

    init(_ query: String) {
        self.query = query
        rest = query[...]
    }

    func failure(_ what: String) -> QueryError {
        QueryError("Invalid predicate: '\(query)': \(what)")
    }

    /// The next token.
    mutating func next() throws(QueryError) -> Token {
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        guard let first = rest.first else { return .end }
        if first == "\"" || first == "'" { return .string(try string(first)) }
        if first == "$" {
            rest.removeFirst()
            guard let index = Int(take(while: \.isASCIIDigit)) else {
                throw failure("a number was expected behind '$'")
            }
            return .argument(index)
        }
        if first.isASCIIDigit || first == "-" || first == "+"
            || first == "." && rest.dropFirst().first?.isASCIIDigit == true
        {
            return .value(try number())
        }
        if first.isNameStart || first == "@" { return try word() }
        for symbol in ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"] where rest.hasPrefix(symbol) {
            rest.removeFirst(2)
            return .symbol(symbol)
        }
        guard "=<>!(){},.[]".contains(first) else { throw failure("unexpected '\(first)'") }
        rest.removeFirst()
        return .symbol(String(first))
    }

    private mutating func take(while isTaken: (Character) -> Bool) -> Substring {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    private mutating func word() throws(QueryError) -> Token {
        let first = rest.removeFirst()
        let name = String(first) + take { $0.isNameStart || $0.isASCIIDigit }
        // A date by its seconds and nanoseconds, T1577836800:0.
        if first == "T", rest.first == ":", let seconds = Int64(name.dropFirst()) {
            rest.removeFirst()
            return .value(try date(seconds: seconds, nanoseconds: take(while: \.isASCIIDigit)))
        }
        if first == "T", name == "T", rest.first == "-" {
            let seconds = take { $0 == "-" || $0.isASCIIDigit }
            guard let seconds = Int64(seconds), rest.first == ":" else { throw failure("a date was expected at 'T'") }
            rest.removeFirst()
            return .value(try date(seconds: seconds, nanoseconds: take { $0 == "-" || $0.isASCIIDigit }))
        }
        guard rest.first == "(", ["uuid", "oid", "obj"].contains(name.lowercased()) else { return .word(name) }
        let text = rest.dropFirst().prefix { $0 != ")" }
        rest = rest[text.endIndex...].dropFirst()
        if name.lowercased() == "uuid", let id = UUID(String(text)) { return .value(.uuid(id)) }
        if name.lowercased() == "oid", let id = ObjectId(String(text)) { return .value(.objectId(id)) }
        throw failure("'\(name)(…)' is no value")
    }

    private func date(seconds: Int64, nanoseconds: Substring) throws(QueryError) -> Value {
        guard let nanoseconds = Int32(nanoseconds), nanoseconds.magnitude < 1_000_000_000 else {
            throw failure("a date's nanoseconds are out of range")
        }
        return .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    private mutating func number() throws(QueryError) -> Value {
        let text = String(take { $0.isASCIIDigit || "+-.eE@:".contains($0) })
        // 2020-01-31@10:00:00, with nanoseconds behind another colon.
        if let place = text.firstIndex(of: "@") {
            let parts = text[text.index(after: place)...].split(separator: ":", omittingEmptySubsequences: false)
            let fraction =
                parts.count == 4 ? "." + String(repeating: "0", count: max(9 - parts[3].count, 0)) + parts[3] : ""
            let time = parts.prefix(3).joined(separator: ":")
            guard (3...4).contains(parts.count), let date = Timestamp("\(text[..<place])T\(time)\(fraction)Z") else {
                throw failure("'\(text)' is no date")
            }
            return .date(date)
        }
        if let integer = Int64(text) { return .int(integer) }
        guard let number = Double(text), number.isFinite else {
            throw failure("'\(text)' is no number")
        }
        return .double(number)
    }

    private mutating func string(_ quote: Character) throws(QueryError) -> String {
        rest.removeFirst()
        var text = ""
        while let next = rest.first {
            rest.removeFirst()
            if next == quote { return text }
            guard next == "\\" else {
                text.append(next)
                continue
            }
            guard let escaped = rest.first else { break }
            rest.removeFirst()
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "0": text.append("\0")
            default: text.append(escaped)
            }
        }
        throw failure("a string has no end")
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isNameStart: Bool { self == "_" || isLetter || isASCII == false && !isWhitespace }
}
