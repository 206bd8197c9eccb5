import RealmModel

/// Reads Realm's query language: comparisons, `AND`, `OR`, `NOT`, parentheses, arguments.
struct QueryParser {
    private var lexer: QueryLexer
    private let arguments: [Value]
    private var token = QueryLexer.Token.end
    private var depth = 0
    /// Parentheses and negations inside one another.
    private static let depthLimit = 100

    /// Reads a whole query.
    static func parse(_ query: String, arguments: [Value]) throws(QueryError) -> Predicate {
        var parser = QueryParser(lexer: QueryLexer(query), arguments: arguments)
        try parser.advance()
        let predicate = try parser.disjunction()
        guard parser.token == .end else { throw parser.unexpected() }
        return predicate
    }

    private init(lexer: QueryLexer, arguments: [Value]) {
        self.lexer = lexer
        self.arguments = arguments
    }

    // MARK: Tokens

    private mutating func advance() throws(QueryError) { token = try lexer.next() }

    private func unexpected() -> QueryError {
        switch token {
        case .end: lexer.failure("syntax error, unexpected end of query")
        case .word(let word): lexer.failure("syntax error, unexpected '\(word)'")
        case .symbol(let symbol): lexer.failure("syntax error, unexpected '\(symbol)'")
        case .argument(let index): lexer.failure("syntax error, unexpected '$\(index)'")
        case .string, .value: lexer.failure("syntax error, unexpected value")
        }
    }

    private mutating func take(_ words: String...) throws(QueryError) -> Bool {
        let isThere =
            switch token {
            case .word(let word): words.contains(word.lowercased())
            case .symbol(let symbol): words.contains(symbol)
            default: false
            }
        if isThere { try advance() }
        return isThere
    }

    private mutating func expect(_ symbol: String) throws(QueryError) {
        guard try take(symbol) else { throw unexpected() }
    }

    // MARK: Predicates

    private mutating func disjunction() throws(QueryError) -> Predicate {
        var parts = [try conjunction()]
        while try take("or", "||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(QueryError) -> Predicate {
        var parts = [try negation()]
        while try take("and", "&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(QueryError) -> Predicate {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw lexer.failure("it nests deeper than \(Self.depthLimit) levels") }
        if try take("not", "!") { return .not(try negation()) }
        if try take("(") {
            let predicate = try disjunction()
            try expect(")")
            return predicate
        }
        if try take("truepredicate") { return .constant(true) }
        if try take("falsepredicate") { return .constant(false) }
        return try comparison()
    }

    private mutating func comparison() throws(QueryError) -> Predicate {
        var quantifier = Comparison.Quantifier.any
        if try take("all") {
            quantifier = .all
        } else if try take("none") {
            quantifier = .none
        } else {
            _ = try take("any", "some")
        }
        let left = try operand()
        if try take("between") {
            guard case .list(let bounds) = try operand(), bounds.count == 2 else {
                throw lexer.failure("BETWEEN takes two values, {a, b}")
            }
            return .and([
                .comparison(
                    Comparison(
                        quantifier: quantifier, left: left, comparator: .greaterOrEqual, right: .value(bounds[0]))),
                .comparison(
                    Comparison(quantifier: quantifier, left: left, comparator: .lessOrEqual, right: .value(bounds[1]))),
            ])
        }
        let comparator = try comparator()
        var ignoresCase = false
        if try take("[") {
            guard try take("c") else { throw unexpected() }
            try expect("]")
            ignoresCase = true
        }
        return .comparison(
            Comparison(
                quantifier: quantifier, left: left, comparator: comparator, ignoresCase: ignoresCase,
                right: try operand()))
    }

    private mutating func comparator() throws(QueryError) -> Comparison.Operator {
        let spelling: String
        switch token {
        case .symbol(let symbol): spelling = symbol
        case .word(let word): spelling = word.lowercased()
        default: throw unexpected()
        }
        let others: [String: Comparison.Operator] = [
            "=": .equal, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
        ]
        guard let comparator = Comparison.Operator(rawValue: spelling) ?? others[spelling] else { throw unexpected() }
        try advance()
        return comparator
    }

    // MARK: Operands

    private mutating func operand() throws(QueryError) -> Operand {
        if try take("{") { return .list(try elements()) }
        if case .word(let word) = token, constant(word) == nil { return .path(try path()) }
        let value = try value()
        if case .list(let elements) = value { return .list(elements) }
        return .value(value)
    }

    private mutating func elements() throws(QueryError) -> [Value] {
        var elements: [Value] = []
        if try take("}") { return elements }
        repeat { elements.append(try value()) } while try take(",")
        try expect("}")
        return elements
    }

    private func constant(_ word: String) -> Value? {
        switch word.lowercased() {
        case "true", "yes": .bool(true)
        case "false", "no": .bool(false)
        case "null", "nil": .null
        case "nan": .double(.nan)
        case "infinity": .double(.infinity)
        default: nil
        }
    }

    private mutating func value() throws(QueryError) -> Value {
        let value: Value
        switch token {
        case .string(let text): value = .string(text)
        case .value(let known): value = known
        case .argument(let index):
            guard arguments.indices.contains(index) else {
                throw QueryError(
                    "Request for argument at index \(index) but only \(arguments.count) \(arguments.count == 1 ? "argument is" : "arguments are") provided"
                )
            }
            value = arguments[index]
        case .word(let word):
            guard let known = constant(word) else { throw unexpected() }
            value = known
        default: throw unexpected()
        }
        try advance()
        return value
    }

    private mutating func path() throws(QueryError) -> [String] {
        var names: [String] = []
        repeat {
            guard case .word(let name) = token else { throw unexpected() }
            names.append(name)
            try advance()
        } while try take(".")
        return names
    }
}
