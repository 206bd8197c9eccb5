/// Who holds a value, which says what becomes of it where it is kept.
enum Ownership: Comparable {
    /// Nobody does, as it was made here: it is moved.
    case moved
    /// A place that never changes may: a constant shares it, and a variable has a copy.
    case shared
    /// A place that may change does: it is copied.
    case borrowed

    /// That of a part of a value of this ownership.
    var ofPart: Ownership { max(self, .shared) }
}

/// An expression as JavaScript.
struct Lowered {
    var js: JavaScript
    var type: SwiftType
    var ownership = Ownership.shared
    /// Whether it may be written twice: a name or a constant.
    var isSimple = false
    /// Whether it is the `self` of the code.
    var isSelf = false
    /// Whether it is written otherwise than the value that it was made of.
    var isConverted = false
    /// Whether it is a view of a collection, as `reversed()` and `zip` give it: an array but where it is shown.
    var isView = false
    /// Where it is kept, for a method that may change it.
    var place: Place?
    /// For a computed global or static property: what declares it, and its type.
    var computed: (variable: VariableDeclaration, owner: FunctionContext.Owner?)?
    /// For a property of an object: the realm's value, with the object and the name of the property.
    var raw: Raw?

    struct Raw {
        var js: JavaScript
        var object: JavaScript
        var key: JavaScript
    }

    init(
        _ js: JavaScript, _ type: SwiftType, ownership: Ownership = .shared, isSimple: Bool = false,
        isSelf: Bool = false
    ) {
        (self.js, self.type, self.ownership) = (js, type, ownership)
        (self.isSimple, self.isSelf) = (isSimple || js.isConstant, isSelf)
    }
}

extension Lowered {
    /// The `self` of code that may change it, or share it.
    static func this(_ type: SwiftType) -> Lowered { Lowered(.this, type, ownership: .borrowed, isSelf: true) }

    /// The same, as a value of another type.
    func retyped(_ type: SwiftType) -> Lowered {
        var value = self
        (value.type, value.isConverted, value.raw, value.place, value.computed) = (type, false, nil, nil, nil)
        if type != self.type { value.isView = false }
        return value
    }

    /// A value made of this one, which others hold as they hold this one.
    func made(_ js: JavaScript, _ type: SwiftType) -> Lowered {
        Lowered(js, type, ownership: ownership)
    }

    /// The value converted, which holds the same parts.
    func converted(_ js: JavaScript, _ type: SwiftType) -> Lowered {
        var value = made(js, type)
        value.isConverted = true
        return value
    }
}
