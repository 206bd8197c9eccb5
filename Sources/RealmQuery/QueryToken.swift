/// A word or sign of a query.
struct QueryToken: Hashable {
    enum Kind: Hashable {
        case identifier
        /// A word that has a meaning in some places and is a property's name in others.
        case name(NameWord)
        case keyword(Keyword)
        case symbol(Symbol)
        case literal(Literal)
        /// `$0`.
        case argument
        /// `$K0`.
        case pathArgument
        case end
    }

    /// Words that can also be names of properties.
    enum NameWord: Hashable {
        case beginsWith, endsWith, contains, like, between, `in`, text
        case sort, distinct, limit, ascending, descending
        case binary, first, last, size
        /// `@links`, `@keys`, `@values`.
        case links, keysOrValues
    }

    enum Keyword: Hashable {
        case truePredicate, falsePredicate, subquery, object, geoWithin, geoShape
        case any, all, none
        /// `@count`, `@size`.
        case count
        case type
        case maximum, minimum, sum, average
    }

    enum Symbol: Hashable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case and, or, not
        case plus, minus, times, divide
        case leftBracket, rightBracket, leftParenthesis, rightParenthesis, leftBrace, rightBrace, comma, dot
        /// `[c]`.
        case ignoringCase
    }

    enum Literal: Hashable {
        case `true`, `false`, null, infinity, notANumber
        /// Digits without a sign, which are an index too.
        case natural
        case integer, float, string, base64, date, uuid, objectId, link, typedLink
    }

    var kind: Kind
    var text: String
    /// Where it begins, in bytes of UTF-8.
    var offset: Int

    /// The token as messages name it.
    var described: String { kind == .end ? "end of query" : "'\(text)'" }

    /// Whether it can be a part of a path.
    var isName: Bool {
        switch kind {
        case .identifier, .name: true
        default: false
        }
    }
}
