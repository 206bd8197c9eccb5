import SwiftSyntax

/// A place that holds a value: a variable, a property, an element of a collection, and any of these in another one.
struct Place {
    var type: SwiftType
    /// The value that is there.
    ///
    /// It may be written several times: what is worked out once stands in `setup`.
    var read: JavaScript
    /// The same for the parts of the value: what `read` gave before.
    var held: JavaScript?
    /// The steps that are done first, once: they find the objects and work out the indices that lead to the place.
    var setup: [JavaScript] = []
    /// The steps that begin the access, behind arguments and right sides: they take out what has to be put back.
    var begin: [JavaScript] = []
    /// Puts a value there; nil of a value that is in no place.
    var write: ((JavaScript) -> JavaScript)?
    /// The same for texts, where they need no look.
    var writePlain: ((JavaScript) -> JavaScript)?
    /// The steps that put a changed value back where it was taken from, in this order.
    var finish: [Finish] = []
    /// The step behind a change of a part that is made in the place itself: of a property with a plain `didSet`.
    var observed: Finish?
    /// Whether a part of the value is changed where `read` finds it; else the whole value has to be put back.
    var isDirect = true
    /// Whether `read` is a name, or a field of one.
    var isSimple = false
    /// Whether it is `self`.
    var isSelf = false
    /// Whether nothing puts another value there: a constant, or a value in no place.
    var isFixed = false
    /// Whether it is a constant's value, or a part of one: no setter can be called of it.
    var isConstant = false
    /// Whether it is read also where it is given a whole value: what may be missing there is worked out.
    var isReadFirst = false
    /// The object that stands for the place already: a parameter that is `inout`.
    var cell: JavaScript?
    /// Where the place is a property of an object of a realm: the object, and the property's name.
    var property: (object: JavaScript, key: JavaScript)?
}

/// A step behind a change.
struct Finish {
    var js: JavaScript
    /// Whether it is done also where the change ended in an error.
    var isAlways = true
}

extension Lowering {
    /// Whether a method that changes a value of the type does it in the value's own object; else it is given the place.
    func isInPlace(_ type: SwiftType) -> Bool {
        switch type {
        case .array, .set, .dictionary, .iterator: true
        case .nominal(let number): declarations.nominals[number].kind != .enumeration
        default: false
        }
    }

    /// A place whose parts can be changed: where the value has to be put back, one that holds it meanwhile.
    func opened(_ place: Place, at node: some SyntaxProtocol) throws -> Place {
        if place.isDirect {
            var open = place
            // A value that is put back whole is read where it is, which `held` does not see.
            if let held = place.held, isInPlace(place.type) { (open.read, open.isSimple) = (held, true) }
            return open
        }
        guard let write = place.write else { throw Self.keptNowhere(node) }
        if let observed = place.observed {
            let read = place.read
            var open = place
            (open.observed, open.isDirect, open.finish) = (nil, true, [observed] + place.finish)
            open.write = { read.assigned($0) }
            return open
        }
        let holder = temporary()
        let value = isCopied(place.type) ? copied(place.read, place.type) : place.read
        return Place(
            type: place.type, read: holder, setup: place.setup, begin: place.begin + [holder.assigned(value)],
            write: { holder.assigned($0) }, finish: [Finish(js: write(holder))] + place.finish,
            isSimple: true)
    }

    static func keptNowhere(_ node: some SyntaxProtocol) -> Refusal {
        Refusal("A value that is kept nowhere can't be changed: keep it in a variable first.", at: node)
    }

    /// The object that stands for a place in a call: it reads the place, and puts a value there.
    func cell(_ place: Place, at node: some SyntaxProtocol) throws -> JavaScript {
        if let cell = place.cell { return cell }
        guard let write = place.write else { throw Self.keptNowhere(node) }
        return .cell(read: place.read, write: write(.name("value")))
    }

    /// The value that a method which changes it takes for `self`.
    func receiver(_ place: Place, at node: some SyntaxProtocol) throws -> JavaScript {
        isInPlace(place.type) ? place.read : try cell(place, at: node)
    }

    /// Values that are worked out before an access begins, which are kept where they, or what begins it, may call code.
    func settled(
        _ values: [JavaScript], before begin: [JavaScript], isCalling: Bool, _ setup: inout [JavaScript]
    ) -> [JavaScript] {
        guard isCalling || !begin.isEmpty else { return values }
        return values.map { value in
            if value.isInert { return value }
            let holder = temporary()
            setup.append(holder.assigned(value))
            return holder
        }
    }

    /// Steps that are done one after the other, and the value of the last.
    func sequence(_ setup: [JavaScript], _ last: JavaScript) -> JavaScript {
        setup.isEmpty ? last : .sequence(setup + [last])
    }

    /// A value, behind which something is done: what it changed is put back, also where an error is thrown.
    func finished(_ js: JavaScript, _ finish: [Finish], mayThrow: Bool = true) -> JavaScript {
        guard !finish.isEmpty else { return js }
        if mayThrow {
            let steps = { (finish: [Finish]) in JavaScript.closure([], finish.map { .expression($0.js) }) }
            return .runtime("finishing", .arrow([], js), steps(finish), steps(finish.filter(\.isAlways)))
        }
        let holder = temporary()
        return .sequence([holder.assigned(js)] + finish.map(\.js) + [holder])
    }

    /// A value in no place: it can be read, and what an object holds can be changed.
    func valuePlace(_ value: Lowered) -> Place {
        if value.isSimple || value.type == .stub {
            return Place(
                type: value.type, read: value.js, isSimple: value.isSimple, isSelf: value.isSelf, isFixed: true)
        }
        var setup: [JavaScript] = []
        let holder = held(value, &setup)
        return Place(type: value.type, read: holder, setup: setup, isSimple: true, isFixed: true)
    }

    /// A value that is written several times.
    func held(_ value: Lowered, _ setup: inout [JavaScript]) -> JavaScript {
        if value.isSimple, value.ownership != .borrowed { return value.js }
        let holder = temporary()
        setup.append(holder.assigned(value.js))
        return holder
    }
}
