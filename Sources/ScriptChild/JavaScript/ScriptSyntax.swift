/// Facts that a script's text tells without being parsed.
enum ScriptSyntax {
    /// Whether a program may have object spread (`{...o}`) or rest (`const {a, ...rest} = o`); false is certain.
    ///
    /// Three dots right behind a parenthesis or a bracket spread an array or gather arguments. Dots behind a comma, or at
    /// the beginning of a line, may be of any kind, and are taken for an object's; so is text that is no code.
    static func maySpreadObjects(_ source: String) -> Bool {
        var previous: UInt8 = 0
        var dots = 0
        var source = source
        return source.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "."):
                    dots += 1
                    if dots == 3, previous != UInt8(ascii: "("), previous != UInt8(ascii: "[") { return true }
                case UInt8(ascii: " "), UInt8(ascii: "\t"): dots = 0
                default: (previous, dots) = (byte, 0)
                }
            }
            return false
        }
    }

    /// Whether a program may ask for the members of objects by functions of the language; false is certain, but for
    /// names that are put together while the program runs.
    static func mayReflect(_ source: String) -> Bool {
        names(source, ["Object", "Reflect", "hasOwnProperty", "propertyIsEnumerable"])
    }

    /// Whether a program may change what the language's own objects have in common; false is certain.
    ///
    /// Their common part is reached by its name, by a name that is put together, or by functions that take one.
    static func mayChangeLanguage(_ source: String) -> Bool {
        let reflection: [StaticString] = [
            "Symbol", "Object", "Reflect", "__lookupGetter__", "__lookupSetter__", "__defineGetter__",
            "__defineSetter__",
        ]
        return names(source, reflection) || ComputedNames.mayBeUsed(in: source)
    }

    /// Whether a program may write to the console; false is certain.
    static func mayUseConsole(_ source: String) -> Bool {
        names(source, ["console"])
    }

    /// Whether a program may make values of the realm's own types; false is certain.
    static func mayMakeValues(_ source: String) -> Bool {
        names(source, ["Decimal128", "ObjectId", "ObjectID", "UUID", "BSON", "Realm"])
    }

    /// Whether a program may ask for time or chance; false is certain.
    static func mayAskForTime(_ source: String) -> Bool {
        names(source, ["Date", "Math", "Intl"])
    }

    /// Whether a program may have a regular expression: a slash outside of texts and comments, or a name that leads to one;
    /// false is certain, but for names that are put together while the program runs.
    static func mayMatchExpressions(_ source: String) -> Bool {
        // Functions of texts make an expression of a text.
        ScriptText(source).hasSlash || names(source, ["RegExp", "match", "matchAll", "search"])
    }

    /// Whether a program has one of some names, or comes by what they name without them: by escapes, by the global
    /// object, or by what objects have of their classes.
    private static func names(_ source: String, _ names: [StaticString]) -> Bool {
        let detours: [StaticString] = [
            "globalThis", "this", "prototype", "constructor", "__proto__", "getPrototypeOf",
        ]
        return has(source, names + detours, asWords: true) || has(source, ["\\u"])
    }

    /// Whether a text has one of some parts of ASCII; as words: with nothing beside it that names may have.
    private static func has(_ source: String, _ parts: [StaticString], asWords: Bool = false) -> Bool {
        var source = source
        return source.withUTF8 { bytes in
            parts.contains { part in
                let (start, count) = (part.utf8Start, part.utf8CodeUnitCount)
                var place = 0
                while place + count <= bytes.count {
                    defer { place += 1 }
                    guard bytes[place] == start.pointee,
                        (1..<count).allSatisfy({ bytes[place + $0] == start[$0] })
                    else { continue }
                    let end = place + count
                    let goesOn = end < bytes.count && isInName(bytes[end])
                    let isInside = goesOn || place > 0 && isInName(bytes[place - 1])
                    if !asWords || !isInside { return true }
                }
                return false
            }
        }
    }

    /// Whether a byte may be of a name; whatever lies beyond ASCII is taken for that.
    static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    /// Whether a program may wait for what comes after its end; false is certain, but for names that are put together.
    static func mayWait(_ source: String) -> Bool { has(source, WaitingWords.all, asWords: true) }

    /// Whether a program may call `RegExp.prototype.exec` itself: by its name, or by way of what is behind symbols.
    static func mayCallExec(_ source: String) -> Bool {
        has(source, ["exec", "Symbol", "getOwnProperty"])
    }
}
