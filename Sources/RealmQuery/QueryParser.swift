import RealmModel

/// Reads Realm's query language into its syntax; knows no schema.
struct QueryParser {
    /// A part between operators: a condition, or an operand of one.
    enum Part {
        case predicate(PredicateSyntax)
        /// In parentheses it can be compared and calculated with, and nothing else.
        case operand(OperandSyntax, isEnclosed: Bool)
    }

    private let query: String
    let tokens: [QueryToken]
    let arguments: [Value]
    var place = 0
    private var depth = 0

    /// Reads a whole query.
    ///
    /// - Throws: `QueryError`, its offset in bytes, with Realm's head in front of what is wrong.
    static func parse(_ query: String, arguments: [Value]) throws(QueryError) -> QuerySyntax {
        guard query.utf8.count <= QueryLimits.bytes else {
            throw QueryError("A query has at most \(QueryLimits.bytes) bytes, not \(query.utf8.count)")
        }
        let tokens: [QueryToken]
        do throws(QueryError) { tokens = try QueryLexer.tokens(of: query) } catch {
            throw invalid(query, error.description, at: error.offset)
        }
        var parser = QueryParser(query: query, tokens: tokens, arguments: arguments)
        let predicate = try parser.disjunction()
        let ordering = try parser.ordering()
        guard parser.token.kind == .end else { throw parser.unexpected() }
        return QuerySyntax(predicate: try parser.predicate(predicate), ordering: ordering)
    }

    private init(query: String, tokens: [QueryToken], arguments: [Value]) {
        self.query = query
        self.tokens = tokens
        self.arguments = arguments
    }

    // MARK: Tokens

    var token: QueryToken { tokens[place] }

    /// The end of the token before this one, in bytes.
    var end: Int { place == 0 ? 0 : tokens[place - 1].offset + tokens[place - 1].text.utf8.count }

    mutating func advance() { place = min(place + 1, tokens.count - 1) }

    /// Quotes no more of a query than leaves room for the problem where the error is cut.
    private static func invalid(_ query: String, _ problem: String, at offset: Int?) -> QueryError {
        QueryError("Invalid predicate: '\(query.bounded(toBytes: String.messageBytes / 2))': \(problem)", at: offset)
    }

    /// An error of the text itself, whatever the schema.
    func invalid(_ problem: String, at offset: Int) -> QueryError { Self.invalid(query, problem, at: offset) }

    func unexpected() -> QueryError { invalid("syntax error, unexpected \(token.described)", at: token.offset) }

    mutating func take(_ kind: QueryToken.Kind) -> Bool {
        guard token.kind == kind else { return false }
        advance()
        return true
    }

    mutating func take(_ symbol: QueryToken.Symbol) -> Bool { take(.symbol(symbol)) }

    mutating func expect(_ symbol: QueryToken.Symbol) throws(QueryError) {
        guard take(symbol) else { throw unexpected() }
    }

    mutating func enter() throws(QueryError) {
        depth += 1
        guard depth <= QueryLimits.depth else {
            throw invalid("it nests deeper than \(QueryLimits.depth) levels", at: token.offset)
        }
    }

    mutating func leave() { depth -= 1 }

    // MARK: Conditions

    mutating func disjunction() throws(QueryError) -> Part {
        let first = try conjunction()
        guard token.kind == .symbol(.or) else { return first }
        var parts = [try predicate(first)]
        while take(.or) { parts.append(try predicate(try conjunction())) }
        return .predicate(.or(parts))
    }

    private mutating func conjunction() throws(QueryError) -> Part {
        let first = try negation()
        guard token.kind == .symbol(.and) else { return first }
        var parts = [try predicate(first)]
        while take(.and) { parts.append(try predicate(try negation())) }
        return .predicate(.and(parts))
    }

    private mutating func negation() throws(QueryError) -> Part {
        guard take(.not) else { return try comparison() }
        try enter()
        defer { leave() }
        return .predicate(.not(try predicate(try negation())))
    }

    /// A part that has to be a condition; what follows an operand that is none is what was not expected.
    func predicate(_ part: Part) throws(QueryError) -> PredicateSyntax {
        guard case .predicate(let predicate) = part else { throw unexpected() }
        return predicate
    }

    private mutating func comparison() throws(QueryError) -> Part {
        let part = try sum()
        guard case .operand(let left, let isEnclosed) = part, let comparator = comparator() else { return part }
        // Operators on strings take what stands for itself, and no calculation.
        if comparator.isOfText || comparator == .between {
            guard !isEnclosed, !left.isArithmetic else { throw unexpected() }
        }
        let offset = token.offset
        advance()
        let ignoresCase = comparator.takesCase && take(.ignoringCase)
        let right: OperandSyntax
        if comparator == .between {
            right = .list(try list())
        } else if comparator.isOfText {
            right = try value()
        } else {
            right = try operand(try sum())
        }
        return .predicate(
            .comparison(
                ComparisonSyntax(
                    left: left, comparator: comparator, ignoresCase: ignoresCase, right: right, offset: offset)))
    }

    private func comparator() -> Comparator? {
        switch token.kind {
        case .symbol(.equal): .equal
        case .symbol(.notEqual): .notEqual
        case .symbol(.less): .less
        case .symbol(.lessOrEqual): .lessOrEqual
        case .symbol(.greater): .greater
        case .symbol(.greaterOrEqual): .greaterOrEqual
        case .name(.in): .in
        case .name(.beginsWith): .beginsWith
        case .name(.endsWith): .endsWith
        case .name(.contains): .contains
        case .name(.like): .like
        case .name(.between): .between
        default: nil
        }
    }

    // MARK: Calculations

    func operand(_ part: Part) throws(QueryError) -> OperandSyntax {
        guard case .operand(let operand, _) = part else { throw unexpected() }
        return operand
    }

    private mutating func sum() throws(QueryError) -> Part {
        var part = try product()
        while let arithmetic = arithmetic([.plus: .plus, .minus: .minus]) {
            part = try calculation(part, arithmetic) { parser throws(QueryError) in try parser.product() }
        }
        return part
    }

    private mutating func product() throws(QueryError) -> Part {
        var part = try primary()
        while let arithmetic = arithmetic([.times: .times, .divide: .divide]) {
            part = try calculation(part, arithmetic) { parser throws(QueryError) in try parser.primary() }
        }
        return part
    }

    private func arithmetic(_ signs: [QueryToken.Symbol: Arithmetic]) -> Arithmetic? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        return signs[symbol]
    }

    private mutating func calculation(
        _ left: Part, _ arithmetic: Arithmetic, _ right: (inout QueryParser) throws(QueryError) -> Part
    ) throws(QueryError) -> Part {
        let left = try operand(left)
        guard left.arithmeticDepth < QueryLimits.depth else {
            throw invalid("it nests deeper than \(QueryLimits.depth) levels", at: token.offset)
        }
        advance()
        let right = try operand(try right(&self))
        let span = left.span.lowerBound..<max(left.span.upperBound, right.span.upperBound)
        return .operand(.arithmetic(left, arithmetic, right, span), isEnclosed: false)
    }

    private mutating func primary() throws(QueryError) -> Part {
        if take(.keyword(.truePredicate)) { return .predicate(.constant(true)) }
        if take(.keyword(.falsePredicate)) { return .predicate(.constant(false)) }
        guard take(.leftParenthesis) else { return .operand(try value(), isEnclosed: false) }
        try enter()
        defer { leave() }
        let part = try disjunction()
        try expect(.rightParenthesis)
        guard case .operand(let operand, _) = part else { return part }
        return .operand(operand, isEnclosed: true)
    }
}

extension Comparator {
    fileprivate var takesCase: Bool { !isOfOrder && self != .between }
}

extension OperandSyntax {
    fileprivate var isArithmetic: Bool {
        if case .arithmetic = self { true } else { false }
    }

    /// Operations on the left of one another.
    fileprivate var arithmeticDepth: Int {
        var (depth, operand) = (0, self)
        while case .arithmetic(let left, _, _, _) = operand { (depth, operand) = (depth + 1, left) }
        return depth
    }
}
