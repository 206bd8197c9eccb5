import SwiftWire

/// A place in a Swift file.
typealias SourcePlace = LoweredScript.Place

/// An expression of JavaScript: what `ScriptPrinter` writes, with the parentheses that it needs.
indirect enum JavaScript: Sendable {
    case name(String)
    /// Characters that are written as they are: `null`, `true`, a number.
    case constant(String)
    /// A literal of these characters.
    case text(String)
    case member(JavaScript, String)
    case element(JavaScript, JavaScript)
    case call(JavaScript, [JavaScript])
    case array([JavaScript])
    case object([Field])
    /// An object whose property `v` is read by one expression, and set by another one, which gives the name `value` to what it is given.
    case cell(read: JavaScript, write: JavaScript)
    /// A function that gives the value of an expression; the parameters are names, or take an array apart.
    case arrow([JavaScript], JavaScript)
    /// A function with a body.
    case closure([JavaScript], [Statement])
    case assignment(JavaScript, JavaScript)
    case sequence([JavaScript])
    case conditional(JavaScript, JavaScript, JavaScript)
    case unary(String, JavaScript)
    /// Several expressions with an operator between them: as many as there are, without a level of the tree for each.
    case infix(Operator, [JavaScript])
    case spread(JavaScript)
    /// A line of the library's tables with its values.
    case template(Template, [JavaScript])
    /// An expression with its place in the source, where an error that it throws is told.
    case marked(SourcePlace, JavaScript)

    /// A property of a literal object.
    struct Field: Sendable {
        var name: String
        var value: JavaScript
    }

    /// An operator between two expressions, all of which are taken from the left.
    enum Operator: String, Sendable {
        case orElse = "??"
        case or = "||"
        case and = "&&"
        case bitOr = "|"
        case isLike = "=="
        case isUnlike = "!="
        case equal = "==="
        case unequal = "!=="
        case less = "<"
        case greater = ">"
        case atMost = "<="
        case atLeast = ">="
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
    }
}

extension JavaScript {
    static let null = JavaScript.constant("null")
    static let undefined = JavaScript.constant("undefined")
    /// The `self` of the app's code.
    static let this = JavaScript.name("self")

    static func bool(_ value: Bool) -> JavaScript { .constant(value ? "true" : "false") }

    static func number(_ value: Double) -> JavaScript {
        value.sign == .minus ? .unary("-", .constant("\(-value)")) : .constant("\(value)")
    }

    /// A whole number, as one of JavaScript's where that holds it.
    static func integer(_ value: Int64) -> JavaScript {
        let digits = JavaScript.constant(
            value.magnitude <= 9_007_199_254_740_991 ? "\(value.magnitude)" : "\(value.magnitude)n")
        return value < 0 ? .unary("-", digits) : digits
    }

    /// A call of a function of the runtime.
    static func runtime(_ name: String, _ arguments: [JavaScript]) -> JavaScript {
        .call(.member(.name("$"), name), arguments)
    }

    static func runtime(_ name: String, _ arguments: JavaScript...) -> JavaScript { .runtime(name, arguments) }

    /// The descriptor of a type that the runtime has.
    static func runtimeType(_ name: String) -> JavaScript { .member(.member(.name("$"), "T"), name) }

    /// A function that gives a value of its parameter.
    static func function(of parameter: String, _ value: (JavaScript) -> JavaScript) -> JavaScript {
        .arrow([.name(parameter)], value(.name(parameter)))
    }

    subscript(index: Int) -> JavaScript { .element(self, .constant("\(index)")) }
    subscript(index: JavaScript) -> JavaScript { .element(self, index) }

    /// A field of it.
    func field(_ name: String) -> JavaScript { .member(self, name) }

    func called(_ arguments: [JavaScript]) -> JavaScript { .call(self, arguments) }

    /// A call of a method of it.
    func method(_ name: String, _ arguments: JavaScript...) -> JavaScript { .call(.member(self, name), arguments) }

    func marked(_ place: SourcePlace) -> JavaScript { .marked(place, self) }

    var isNil: JavaScript { .binary(.isLike, self, .null) }
    var isThere: JavaScript { .binary(.isUnlike, self, .null) }
    var negated: JavaScript { .unary("!", self) }

    /// The value where each of some others is there, which are asked for one after the other; else `null`.
    func unlessNil(_ others: [JavaScript]) -> JavaScript {
        others.reversed().reduce(self) { value, other in .conditional(other.isNil, .null, value) }
    }

    /// Gives a place the value.
    func assigned(_ value: JavaScript) -> JavaScript { .assignment(self, value) }

    static func binary(_ symbol: Operator, _ left: JavaScript, _ right: JavaScript) -> JavaScript {
        .infix(symbol, [left, right])
    }

    /// Expressions with an operator between them, where there are several; nil of none.
    static func joined(_ parts: [JavaScript], _ symbol: Operator) -> JavaScript? {
        parts.count > 1 ? .infix(symbol, parts) : parts.first
    }

    /// The name that it is; nil of what is more.
    var identifier: String? { if case .name(let name) = self { name } else { nil } }

    /// Whether it gives the same wherever it is worked out.
    var isInert: Bool {
        switch self {
        case .constant, .text, .arrow, .closure, .cell: true
        case .unary("-", let value): value.isInert
        default: false
        }
    }

    /// Whether it may be written in a function that is called several times: a variable, or a function itself.
    var isReusable: Bool {
        if case .marked(_, let value) = self { value.isReusable } else { isInert || isConstant }
    }

    /// Whether it may be written twice, and gives the same each time unless a variable is given another value.
    var isConstant: Bool {
        switch self {
        case .name, .constant, .text: true
        case .unary("-", let value): value.isConstant
        default: false
        }
    }
}

/// A statement of JavaScript.
indirect enum Statement: Sendable {
    case expression(JavaScript)
    /// Variables that have no value yet.
    case variables([String])
    case variable(String, JavaScript)
    case constant(String, JavaScript)
    case function(String, [JavaScript], [Statement])
    case give(JavaScript?)
    case fail(JavaScript)
    case conditional(JavaScript, [Statement], [Statement] = [])
    case block([Statement])
    case labelled(String, Statement)
    /// A loop with what is done first, the condition that is asked before each turn, and what is done behind it.
    case loop(first: Statement? = nil, JavaScript?, next: JavaScript? = nil, [Statement])
    case repeated([Statement], JavaScript)
    /// A loop over what a sequence gives, under a name.
    case each(String, JavaScript, [Statement])
    /// Leaves the statement of a label.
    case leave(String)
    /// Goes on with the next turn of the loop of a label.
    case next(String)
    case attempt([Statement], caught: String, [Statement])
    case finally([Statement], [Statement])
    /// A statement with its place in the source.
    case marked(SourcePlace, Statement)
}
