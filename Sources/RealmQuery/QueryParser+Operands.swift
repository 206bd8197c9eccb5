import RealmModel

/// Values, paths, and what follows a condition.
extension QueryParser {
    mutating func value() throws(QueryError) -> OperandSyntax {
        let start = token.offset
        switch token.kind {
        case .symbol(.leftBrace): return .list(try list())
        case .keyword(.any), .keyword(.all), .keyword(.none):
            if tokens[place + 1].kind == .symbol(.leftBrace) { return .list(try list()) }
            if tokens[place + 1].kind == .argument { return .literal(try literal()) }
            let quantifier = quantifier()
            return try path(quantifier, from: start)
        case .keyword(.subquery): return .subquery(try subquery())
        case .name(.binary) where tokens[place + 1].kind == .symbol(.leftParenthesis): return .literal(try literal())
        case .identifier, .name, .pathArgument: return try path(nil, from: start)
        default: return .literal(try literal())
        }
    }

    private mutating func quantifier() -> Quantifier? {
        if take(.keyword(.any)) { return .any }
        if take(.keyword(.all)) { return .all }
        return take(.keyword(.none)) ? Quantifier.none : nil
    }

    // MARK: Constants

    mutating func list() throws(QueryError) -> ListSyntax {
        let start = token.offset
        let quantifier = quantifier()
        try expect(.leftBrace)
        var elements: [LiteralSyntax] = []
        if token.kind != .symbol(.rightBrace), token.kind != .symbol(.comma) { elements.append(try literal()) }
        while take(.comma) { elements.append(try literal()) }
        try expect(.rightBrace)
        return ListSyntax(quantifier: quantifier, elements: elements, span: start..<end)
    }

    private mutating func literal() throws(QueryError) -> LiteralSyntax {
        let start = token.offset
        let quantifier = quantifier()
        let kind: LiteralSyntax.Kind
        switch token.kind {
        case .argument:
            kind = .argument(try argument(token.text.dropFirst()), quantifier)
            advance()
        case .literal(let literal) where quantifier == nil:
            kind = try QueryLiteral.read(literal, token)
            advance()
        case .name(.binary) where quantifier == nil:
            advance()
            try expect(.leftParenthesis)
            kind = .value(.data(try bytes()))
            try expect(.rightParenthesis)
        case .keyword(.object):
            throw invalid("obj(…) is not here: compare the primary key, owner._id == …", at: start)
        default: throw unexpected()
        }
        return LiteralSyntax(kind: kind, span: start..<end)
    }

    private mutating func bytes() throws(QueryError) -> [UInt8] {
        defer { advance() }
        switch token.kind {
        case .literal(.string): return Array(QueryLiteral.inside(token.text).utf8)
        case .literal(.base64): return try QueryLiteral.base64(token)
        default: throw unexpected()
        }
    }

    private func argument(_ digits: Substring) throws(QueryError) -> Int {
        let index = Int(digits) ?? Int.max
        guard arguments.indices.contains(index) else {
            let are = arguments.count == 1 ? "argument is" : "arguments are"
            throw QueryError(
                "Request for argument at index \(digits) but only \(arguments.count) \(are) provided", at: token.offset)
        }
        return index
    }

    // MARK: Paths

    private mutating func path(_ quantifier: Quantifier?, from start: Int) throws(QueryError) -> OperandSyntax {
        let path = try path()
        var suffix: PropertySyntax.Suffix?
        if token.kind == .symbol(.dot) {
            advance()
            switch token.kind {
            case .keyword(.count): suffix = .count(token.text)
            case .keyword(.type): suffix = .type(token.text)
            default:
                guard quantifier == nil, let aggregation = aggregation() else { throw unexpected() }
                return .aggregate(try aggregate(path, aggregation, from: start))
            }
            advance()
        } else if token.kind == .symbol(.leftBracket), tokens[place + 1].kind == .name(.size) {
            advance()
            suffix = .count(token.text)
            advance()
            try expect(.rightBracket)
        }
        return .property(PropertySyntax(quantifier: quantifier, path: path, suffix: suffix, span: start..<end))
    }

    private func aggregation() -> Aggregation? {
        switch token.kind {
        case .keyword(.maximum): .maximum
        case .keyword(.minimum): .minimum
        case .keyword(.sum): .sum
        case .keyword(.average): .average
        default: nil
        }
    }

    private mutating func aggregate(
        _ path: PathSyntax, _ aggregation: Aggregation, from start: Int
    ) throws(QueryError) -> AggregateSyntax {
        advance()
        var property: String?
        if take(.dot) {
            guard token.isName else { throw unexpected() }
            property = name()
            advance()
        }
        return AggregateSyntax(path: path, aggregation: aggregation, property: property, span: start..<end)
    }

    /// Names with dots between, and indexes; stops before `.@count` and its like.
    mutating func path() throws(QueryError) -> PathSyntax {
        let start = token.offset
        var elements: [PathSyntax.Element] = []
        if token.kind == .pathArgument {
            elements = try pathArgument()
            advance()
        } else {
            try appendName(to: &elements)
        }
        while true {
            if token.kind == .symbol(.dot), tokens[place + 1].isName {
                advance()
                try appendName(to: &elements)
            } else if token.kind == .symbol(.leftBracket), tokens[place + 1].kind != .name(.size) {
                advance()
                elements.append(try index())
                try expect(.rightBracket)
            } else {
                break
            }
            guard elements.count <= QueryLimits.pathLength else {
                throw invalid("a path has at most \(QueryLimits.pathLength) links", at: start)
            }
        }
        return PathSyntax(elements: elements, span: start..<end)
    }

    /// The name that the token stands for: `\ ` in it is a space.
    private func name() -> String {
        guard token.text.contains("\\") else { return token.text }
        var name = ""
        var isEscaped = false
        for character in token.text {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (true, "t"): name.append("\t")
            case (true, "r"): name.append("\r")
            case (true, "n"): name.append("\n")
            default: name.append(character)
            }
            if character != "\\" { isEscaped = false }
        }
        return name
    }

    private mutating func appendName(to elements: inout [PathSyntax.Element]) throws(QueryError) {
        guard token.isName else { throw unexpected() }
        guard token.kind == .name(.links) else {
            elements.append(.key(name()))
            return advance()
        }
        advance()
        var names: [String] = []
        while names.count < 2, token.kind == .symbol(.dot), tokens[place + 1].isName {
            advance()
            names.append(name())
            advance()
        }
        if case .symbol(.leftBracket) = token.kind, names.count < 2 {
            throw invalid("An ID must follow @links", at: token.offset)
        }
        elements.append(.links(className: names.first, property: names.count > 1 ? names[1] : nil))
    }

    private mutating func index() throws(QueryError) -> PathSyntax.Element {
        defer { advance() }
        switch token.kind {
        case .literal(.natural): return .index(Int(clamping: QueryLiteral.integer(token.text)))
        case .literal(.string): return .key(QueryLiteral.inside(token.text))
        case .name(.first): return .index(0)
        case .name(.last): return .index(-1)
        case .symbol(.times): return .all
        case .argument:
            switch arguments[try argument(token.text.dropFirst())] {
            case .int(let index): return .index(Int(clamping: index))
            case .double(let index): if let index = Int(exactly: index) { return .index(index) }
            case .string(let key): return .key(key)
            case .null, .list: throw QueryError("Invalid index parameter", at: token.offset)
            default: break
            }
            throw QueryError("Invalid index type", at: token.offset)
        default: throw unexpected()
        }
    }

    private func pathArgument() throws(QueryError) -> [PathSyntax.Element] {
        switch arguments[try argument(token.text.dropFirst(2))] {
        case .string(let path):
            let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard names.count <= QueryLimits.pathLength else {
                throw invalid("a path has at most \(QueryLimits.pathLength) links", at: token.offset)
            }
            return names.map { .key($0) }
        case .null, .list:
            throw QueryError("Null or list cannot be used for parameter '\(token.text)'", at: token.offset)
        default: throw QueryError("Invalid index type for '\(token.text)'. Expected a string", at: token.offset)
        }
    }

    private mutating func subquery() throws(QueryError) -> SubquerySyntax {
        let start = token.offset
        try enter()
        defer { leave() }
        advance()
        try expect(.leftParenthesis)
        let path = try path()
        try expect(.comma)
        guard token.isName else { throw unexpected() }
        let variable = name()
        guard variable.hasPrefix("$"), variable.utf8.count > 1 else {
            throw QueryError(
                "The subquery variable '\(variable)' is invalid. The variable must start with '$' and cannot be empty; for example '$x'.",
                at: token.offset)
        }
        advance()
        try expect(.comma)
        let predicate = try predicate(try disjunction())
        try expect(.rightParenthesis)
        try expect(.dot)
        guard take(.keyword(.count)) else { throw unexpected() }
        return SubquerySyntax(path: path, variable: variable, predicate: predicate, span: start..<end)
    }

    // MARK: The order of what is found

    mutating func ordering() throws(QueryError) -> [OrderingSyntax] {
        var ordering: [OrderingSyntax] = []
        while true {
            if take(.name(.sort)) {
                ordering.append(.sort(try parenthesized { parser throws(QueryError) in try parser.sortKey() }))
            } else if take(.name(.distinct)) {
                ordering.append(.distinct(try parenthesized { parser throws(QueryError) in try parser.path() }))
            } else if take(.name(.limit)) {
                try expect(.leftParenthesis)
                guard token.kind == .literal(.natural) else { throw unexpected() }
                ordering.append(.limit(Int(clamping: QueryLiteral.integer(token.text))))
                advance()
                try expect(.rightParenthesis)
            } else {
                return ordering
            }
        }
    }

    private mutating func parenthesized<Element>(
        _ element: (inout QueryParser) throws(QueryError) -> Element
    ) throws(QueryError) -> [Element] {
        try expect(.leftParenthesis)
        var elements: [Element] = []
        repeat { elements.append(try element(&self)) } while take(.comma)
        try expect(.rightParenthesis)
        return elements
    }

    private mutating func sortKey() throws(QueryError) -> (path: PathSyntax, isReversed: Bool) {
        let path = try path()
        if take(.name(.ascending)) { return (path, false) }
        guard take(.name(.descending)) else { throw unexpected() }
        return (path, true)
    }
}
