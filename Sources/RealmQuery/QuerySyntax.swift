import RealmModel

/// A query as it is written: what it asks, and the order of what it finds.
struct QuerySyntax {
    var predicate: PredicateSyntax
    var ordering: [OrderingSyntax]
}

indirect enum PredicateSyntax: Hashable {
    case constant(Bool)
    case and([PredicateSyntax])
    case or([PredicateSyntax])
    case not(PredicateSyntax)
    case comparison(ComparisonSyntax)
}

/// Two operands and what is asked of them.
struct ComparisonSyntax: Hashable {
    var left: OperandSyntax
    var comparator: Comparator
    /// Upper and lower case are alike: `[c]`.
    var ignoresCase = false
    var right: OperandSyntax
    /// Where the operator is, in bytes of UTF-8.
    var offset: Int
}

/// A comparison of two operands.
enum Comparator: String, Hashable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "beginswith"
    case endsWith = "endswith"
    case contains = "contains"
    case like = "like"
    case `in` = "in"
    case between = "between"

    /// Whether it is about the characters of strings, or the bytes of data.
    var isOfText: Bool { [.beginsWith, .endsWith, .contains, .like].contains(self) }
    /// Whether it is about an order.
    var isOfOrder: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
}

/// How many of the elements that a path leads to have to fit.
enum Quantifier: String, Hashable, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
}

/// One side of a comparison.
indirect enum OperandSyntax: Hashable {
    case literal(LiteralSyntax)
    case list(ListSyntax)
    case property(PropertySyntax)
    case aggregate(AggregateSyntax)
    case subquery(SubquerySyntax)
    case arithmetic(OperandSyntax, Arithmetic, OperandSyntax, Span)

    /// Where it is.
    var span: Span {
        switch self {
        case .literal(let literal): literal.span
        case .list(let list): list.span
        case .property(let property): property.span
        case .aggregate(let aggregate): aggregate.span
        case .subquery(let subquery): subquery.span
        case .arithmetic(_, _, _, let span): span
        }
    }

    /// Whether it has one value, whatever the object.
    var isConstant: Bool {
        switch self {
        case .literal, .list: true
        case .property, .aggregate, .subquery: false
        case .arithmetic(let left, _, let right, _): left.isConstant && right.isConstant
        }
    }

    var isList: Bool {
        switch self {
        case .list: true
        case .arithmetic(let left, _, let right, _): left.isList || right.isList
        default: false
        }
    }
}

/// A part of a query, in bytes of UTF-8.
typealias Span = Range<Int>

/// A value that is written in a query; the text stays, for a decimal has more digits than a double.
struct LiteralSyntax: Hashable {
    enum Kind: Hashable {
        case value(Value)
        /// A number with a point or an exponent, an infinity or NaN, whose text a decimal reads itself.
        case number(Double, text: String)
        /// The argument of a number, with a quantifier where it is a list.
        case argument(Int, Quantifier?)
    }

    var kind: Kind
    var span: Span
}

struct ListSyntax: Hashable {
    var quantifier: Quantifier?
    var elements: [LiteralSyntax]
    var span: Span
}

struct PathSyntax: Hashable {
    /// One step of a path.
    enum Element: Hashable, Sendable {
        /// A name, or a key of a dictionary.
        case key(String)
        /// An element of a list; -1 is the last.
        case index(Int)
        /// `[*]`.
        case all
        /// `@links.Class.property`, or no more than `@links`, which has no names.
        case links(className: String?, property: String?)
    }

    var elements: [Element]
    var span: Span
}

struct PropertySyntax: Hashable {
    /// A question about the values that a path leads to, in the words of the query.
    enum Suffix: Hashable {
        case count(String)
        case type(String)
    }

    var quantifier: Quantifier?
    var path: PathSyntax
    var suffix: Suffix?
    var span: Span
}

/// A function of several values.
enum Aggregation: String, Hashable, Sendable {
    case maximum = ".@max"
    case minimum = ".@min"
    case sum = ".@sum"
    case average = ".@avg"
}

struct AggregateSyntax: Hashable {
    var path: PathSyntax
    var aggregation: Aggregation
    /// The property of linked objects; nil for the values of a collection.
    var property: String?
    var span: Span
}

struct SubquerySyntax: Hashable {
    var path: PathSyntax
    var variable: String
    var predicate: PredicateSyntax
    var span: Span
}

enum Arithmetic: String, Hashable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
}

/// A clause that sorts the found objects, or leaves some away.
enum OrderingSyntax {
    case sort([(path: PathSyntax, isReversed: Bool)])
    case distinct([PathSyntax])
    case limit(Int)
}
