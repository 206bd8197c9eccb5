import SwiftSyntax

/// The places of properties of a realm's objects.
extension Lowering {
    func propertyPlace(_ object: JavaScript, _ key: ExprSyntax, _ setup: [JavaScript], at node: some SyntaxProtocol)
        throws -> Place
    {
        let place = mark(node)
        guard let name = LiteralValue.string(key), Self.plainName(name) != nil else {
            var setup = setup
            let key = held(try coerce(expression(key, .string), to: .string, at: key), &setup)
            return Place(
                type: .optional(.any), read: .runtime("property", object, key).marked(place), setup: setup,
                write: { .runtime("setProperty", object, key, $0).marked(place) }, isDirect: false)
        }
        return propertyPlace(object, named: name, setup, at: node)
    }

    func propertyPlace(
        _ object: JavaScript, named name: String, _ setup: [JavaScript], at node: some SyntaxProtocol
    ) -> Place {
        let place = mark(node)
        let key = JavaScript.text(name)
        return Place(
            type: .optional(.any), read: .runtime("property", object, key).marked(place), setup: setup,
            write: { .runtime("setProperty", object, key, $0).marked(place) },
            writePlain: Self.plainName(name).map { plain in { object.field(plain).assigned($0).marked(place) } },
            isDirect: false,
            property: (object, key))
    }

    /// A name that may stand behind a dot, and that no object has of its own.
    static func plainName(_ name: String) -> String? {
        let reserved: Set<String> = [
            "_key", "isValid", "objectSchema", "keys", "entries", "isSame", "toJSON", "constructor", "toString",
            "valueOf",
            "toLocaleString", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "prototype",
        ]
        guard let first = name.utf8.first, !reserved.contains(name), !name.hasPrefix("__"), first > 0x39,
            name.utf8.allSatisfy({
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F
            })
        else { return nil }
        return name
    }
}
