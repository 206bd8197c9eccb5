import RealmModel

/// What a query asks of an object, as it is written.
indirect enum Predicate: Hashable {
    case constant(Bool)
    case and([Predicate])
    case or([Predicate])
    case not(Predicate)
    case comparison(Comparison)
}

/// Two operands and what is asked of them.
struct Comparison: Hashable {
    /// How many of the elements that a path leads to have to fit.
    enum Quantifier: Hashable {
        case any
        case all
        case none
    }

    enum Operator: String, Hashable {
        case equal = "=="
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
    }

    var quantifier = Quantifier.any
    var left: Operand
    var comparator: Operator
    /// Upper and lower case are alike: `[c]`.
    var ignoresCase = false
    var right: Operand
}

/// One side of a comparison.
enum Operand: Hashable {
    /// Names of properties, over links; the last may be `@count`.
    case path([String])
    case value(Value)
    case list([Value])
}
