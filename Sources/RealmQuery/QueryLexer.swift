import RealmModel

/// Takes the text of a query apart; of several ways to read a place the longest counts, as in Realm.
struct QueryLexer {
    private let query: [UInt8]
    private var place = 0

    init(_ query: String) { self.query = Array(query.utf8) }

    /// The tokens of a whole query, the end last.
    ///
    /// - Throws: `QueryError`, its offset in bytes.
    static func tokens(of query: String) throws(QueryError) -> [QueryToken] {
        var lexer = QueryLexer(query)
        var tokens: [QueryToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens[tokens.count - 1].kind != .end
        return tokens
    }

    private mutating func next() throws(QueryError) -> QueryToken {
        while place < query.count, [0x20, 0x09, 0x0d, 0x0a].contains(query[place]) { place += 1 }
        guard place < query.count else { return QueryToken(kind: .end, text: "", offset: place) }
        let candidates: [(length: Int, kind: QueryToken.Kind)] = [
            number(), sign(), word(), special(), quoted(), metaWord(),
        ].compactMap { $0 }
        // Among readings of the same length the first counts: a date before a name, a key word before a name.
        guard let longest = candidates.map(\.length).max(),
            let reading = candidates.first(where: { $0.length == longest })
        else {
            let character = String(decoding: query[place...], as: UTF8.self).first.map(String.init) ?? ""
            throw QueryError("invalid character: \(character)", at: place)
        }
        defer { place += longest }
        return QueryToken(kind: reading.kind, text: text(place, place + longest), offset: place)
    }

    private func text(_ start: Int, _ end: Int) -> String { String(decoding: query[start..<end], as: UTF8.self) }

    private func byte(_ index: Int) -> UInt8 { index < query.count ? query[index] : 0 }

    private func digits(_ start: Int) -> Int {
        var end = start
        while byte(end).isDigit { end += 1 }
        return end
    }

    /// A sign that may be there, and digits that have to be; nil where they are not.
    private func signedDigits(_ start: Int) -> Int? {
        let first = byte(start).isSign ? start + 1 : start
        let end = digits(first)
        return end > first ? end : nil
    }

    // MARK: Numbers and dates

    private func number() -> (length: Int, kind: QueryToken.Kind)? {
        let start = byte(place).isSign ? place + 1 : place
        let whole = digits(start)
        var best: (end: Int, literal: QueryToken.Literal)?
        if whole > start { best = (whole, start == place ? .natural : .integer) }
        if let end = fraction(start, whole) { best = (end, .float) }
        if start == place, byte(start) == UInt8(ascii: "0"), byte(start + 1) | 0x20 == UInt8(ascii: "x") {
            var end = start + 2
            while byte(end).isHexDigit { end += 1 }
            if end > start + 2 { best = (end, .integer) }
        }
        if start == place, let end = date(whole) { best = (end, .date) }
        return best.map { ($0.end - place, .literal($0.literal)) }
    }

    /// The end of a number with a point or an exponent.
    private func fraction(_ start: Int, _ whole: Int) -> Int? {
        var end = whole
        var isFraction = false
        if byte(end) == UInt8(ascii: ".") {
            end = digits(end + 1)
            guard whole > start || end > whole + 1 else { return nil }
            isFraction = true
        }
        guard end > start else { return nil }
        if byte(end) | 0x20 == UInt8(ascii: "e"), let exponent = signedDigits(end + 1) {
            end = exponent
            isFraction = true
        }
        guard isFraction else { return nil }
        return byte(end) == UInt8(ascii: "f") ? end + 1 : end
    }

    /// The end of a date `2020-01-31@10:00:00`, with nanoseconds behind another colon; its year ends at a place.
    private func date(_ year: Int) -> Int? {
        guard year > place else { return nil }
        var end = year
        for separators in ["-", "-", "@T", ":", ":"] {
            guard separators.utf8.contains(byte(end)), digits(end + 1) > end + 1 else { return nil }
            end = digits(end + 1)
        }
        if byte(end) == UInt8(ascii: ":"), digits(end + 1) > end + 1 { end = digits(end + 1) }
        return end
    }

    // MARK: Words

    private func word() -> (length: Int, kind: QueryToken.Kind)? {
        guard byte(place).isNameStart else { return nil }
        var end = place + 1
        while true {
            if byte(end).isNameStart || byte(end).isDigit || byte(end) == UInt8(ascii: "-") {
                end += 1
            } else if byte(end) == UInt8(ascii: "\\"), " nrt".utf8.contains(byte(end + 1)) {
                end += 2
            } else {
                break
            }
        }
        return (end - place, Self.kind(of: text(place, end)))
    }

    private static func kind(of word: String) -> QueryToken.Kind {
        if let kind = exact[word] ?? anyCase[word.lowercased()] { return kind }
        if word.hasPrefix("$K"), word.dropFirst(2).isDigits { return .pathArgument }
        if word.hasPrefix("$"), word.dropFirst().isDigits { return .argument }
        if word.hasPrefix("O"), word.dropFirst().isDigits { return .literal(.link) }
        return .identifier
    }

    private static let exact: [String: QueryToken.Kind] = [
        "in": .name(.in), "IN": .name(.in), "not": .symbol(.not), "NOT": .symbol(.not),
        "any": .keyword(.any), "ANY": .keyword(.any), "some": .keyword(.any), "SOME": .keyword(.any),
        "all": .keyword(.all), "ALL": .keyword(.all), "none": .keyword(.none), "NONE": .keyword(.none),
        "first": .name(.first), "FIRST": .name(.first), "last": .name(.last), "LAST": .name(.last),
        "size": .name(.size), "SIZE": .name(.size), "true": .literal(.true), "TRUE": .literal(.true),
        "false": .literal(.false), "FALSE": .literal(.false),
    ]

    private static let anyCase: [String: QueryToken.Kind] = [
        "and": .symbol(.and), "or": .symbol(.or), "beginswith": .name(.beginsWith), "endswith": .name(.endsWith),
        "contains": .name(.contains), "text": .name(.text), "like": .name(.like), "between": .name(.between),
        "geowithin": .keyword(.geoWithin), "truepredicate": .keyword(.truePredicate),
        "falsepredicate": .keyword(.falsePredicate), "sort": .name(.sort), "distinct": .name(.distinct),
        "limit": .name(.limit), "bin": .name(.binary), "binary": .name(.binary), "obj": .keyword(.object),
        "ascending": .name(.ascending), "asc": .name(.ascending), "descending": .name(.descending),
        "desc": .name(.descending), "subquery": .keyword(.subquery), "geobox": .keyword(.geoShape),
        "geopolygon": .keyword(.geoShape), "geocircle": .keyword(.geoShape), "inf": .literal(.infinity),
        "infinity": .literal(.infinity), "nan": .literal(.notANumber), "null": .literal(.null),
        "nil": .literal(.null),
    ]

    /// A token that begins as a word or a sign and goes on with other signs.
    private func special() -> (length: Int, kind: QueryToken.Kind)? {
        switch byte(place) {
        case UInt8(ascii: "T"):
            guard let seconds = signedDigits(place + 1), byte(seconds) == UInt8(ascii: ":"),
                let end = signedDigits(seconds + 1)
            else { return nil }
            return (end - place, .literal(.date))
        case UInt8(ascii: "L"):
            let table = digits(place + 1)
            guard table > place + 1, byte(table) == UInt8(ascii: ":"), digits(table + 1) > table + 1 else { return nil }
            return (digits(table + 1) - place, .literal(.typedLink))
        case UInt8(ascii: "u"): return identifier("uuid(", groups: [8, 4, 4, 4, 12]).map { ($0, .literal(.uuid)) }
        case UInt8(ascii: "o"): return identifier("oid(", groups: [24]).map { ($0, .literal(.objectId)) }
        case UInt8(ascii: "B"):
            guard byte(place + 1) == UInt8(ascii: "6"), byte(place + 2) == UInt8(ascii: "4"),
                byte(place + 3) == UInt8(ascii: "\"")
            else { return nil }
            var end = place + 4
            while byte(end).isBase64 { end += 1 }
            return byte(end) == UInt8(ascii: "\"") ? (end + 1 - place, .literal(.base64)) : nil
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            for (word, literal) in [
                ("infinity", QueryToken.Literal.infinity), ("inf", .infinity), ("nan", .notANumber),
            ]
            where query[(place + 1)...].prefix(word.utf8.count).elementsEqual(word.utf8, by: { $0 | 0x20 == $1 }) {
                return (word.utf8.count + 1, .literal(literal))
            }
            return nil
        default: return nil
        }
    }

    /// Hexadecimal digits in groups with hyphens between, in parentheses.
    private func identifier(_ head: String, groups: [Int]) -> Int? {
        guard query[place...].starts(with: head.utf8) else { return nil }
        var end = place + head.utf8.count
        for (number, length) in groups.enumerated() {
            if number > 0 {
                guard byte(end) == UInt8(ascii: "-") else { return nil }
                end += 1
            }
            for index in end..<end + length where !byte(index).isHexDigit { return nil }
            end += length
        }
        return byte(end) == UInt8(ascii: ")") ? end + 1 - place : nil
    }

    private func metaWord() -> (length: Int, kind: QueryToken.Kind)? {
        guard byte(place) == UInt8(ascii: "@") else { return nil }
        let words: [(String, QueryToken.Kind)] = [
            ("@size", .keyword(.count)), ("@count", .keyword(.count)), ("@max", .keyword(.maximum)),
            ("@min", .keyword(.minimum)), ("@sum", .keyword(.sum)), ("@avg", .keyword(.average)),
            ("@links", .name(.links)), ("@type", .keyword(.type)), ("@keys", .name(.keysOrValues)),
            ("@values", .name(.keysOrValues)),
        ]
        return words.first { query[place...].starts(with: $0.0.utf8) }.map { ($0.0.utf8.count, $0.1) }
    }

    // MARK: Strings and signs

    private func quoted() -> (length: Int, kind: QueryToken.Kind)? {
        let quote = byte(place)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var end = place + 1
        while end < query.count {
            switch query[end] {
            case quote: return (end + 1 - place, .literal(.string))
            case UInt8(ascii: "\\"):
                if byte(end + 1) == UInt8(ascii: "u"), (2..<6).allSatisfy({ byte(end + $0).isHexDigit }) {
                    end += 6
                } else if "\"'/bfnrt0\\".utf8.contains(byte(end + 1)) {
                    end += 2
                } else {
                    return nil
                }
            default: end += 1
            }
        }
        return nil
    }

    private func sign() -> (length: Int, kind: QueryToken.Kind)? {
        let signs: [(String, QueryToken.Symbol)] = [
            ("[c]", .ignoringCase), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
            ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("&&", .and), ("||", .or),
            ("=", .equal), ("<", .less), (">", .greater), ("!", .not), ("+", .plus), ("-", .minus), ("*", .times),
            ("/", .divide), ("[", .leftBracket), ("]", .rightBracket), ("(", .leftParenthesis),
            (")", .rightParenthesis), ("{", .leftBrace), ("}", .rightBrace), (",", .comma), (".", .dot),
        ]
        return signs.first { query[place...].starts(with: $0.0.utf8) }.map { ($0.0.utf8.count, .symbol($0.1)) }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }
    fileprivate var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
    fileprivate var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }
    fileprivate var isNameStart: Bool {
        isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self > 0x7f
    }
    fileprivate var isBase64: Bool { isDigit || isLetter || "/+=".utf8.contains(self) }
}

extension Substring {
    fileprivate var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
}
