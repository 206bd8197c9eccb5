/// An expression as JavaScript.
struct Lowered {
    var js: JavaScript
    var type: SwiftType
    /// Whether it reads a place that may change, and has to be copied where it is kept.
    var isStored = false
    /// Whether nothing else holds the value: it was made here.
    var isFresh = false
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
    /// For a property of an object: the realm's value, with the object and the name of the property.
    var raw: Raw?

    struct Raw {
        var js: JavaScript
        var object: JavaScript
        var key: JavaScript
    }

    init(
        _ js: JavaScript, _ type: SwiftType, isStored: Bool = false, isFresh: Bool = false, isSimple: Bool = false,
        isSelf: Bool = false
    ) {
        (self.js, self.type, self.isStored, self.isFresh) = (js, type, isStored, isFresh)
        (self.isSimple, self.isSelf) = (isSimple || js.isConstant, isSelf)
    }
}

extension Lowered {
    /// The `self` of code that may change it, or share it.
    static func this(_ type: SwiftType) -> Lowered { Lowered(.this, type, isStored: true, isSelf: true) }

    /// The same, as a value of another type.
    func retyped(_ type: SwiftType) -> Lowered {
        var value = self
        (value.type, value.isConverted, value.raw, value.place) = (type, false, nil, nil)
        if type != self.type { value.isView = false }
        return value
    }

    /// A value made of this one, which others hold as they hold this one.
    func made(_ js: JavaScript, _ type: SwiftType) -> Lowered {
        Lowered(js, type, isStored: isStored, isFresh: isFresh)
    }

    /// The value converted, which holds the same parts.
    func converted(_ js: JavaScript, _ type: SwiftType) -> Lowered {
        var value = made(js, type)
        value.isConverted = true
        return value
    }
}
