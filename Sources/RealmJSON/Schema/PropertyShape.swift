import RealmModel

/// The parts of a property's `type` in Realm's JavaScript SDK: a base type, `?` and one of `[]`, `{}`, `<>`.
struct PropertyShape: Hashable {
    var type: PropertyType
    var objectType: String?
    var collection = CollectionKind.none
    /// Whether a `?` says so.
    var isOptional = false

    /// Whether Realm holds the property to be optional without being told.
    var isAlwaysOptional: Bool {
        switch type {
        case .mixed: true
        case .object: collection == .none || collection == .dictionary
        default: false
        }
    }

    private static let suffixes: [(text: String, kind: CollectionKind)] = [
        ("[]", .list), ("{}", .dictionary), ("<>", .set),
    ]

    /// Reads a shorthand such as `int?[]`, `Dog` or `{}`, which is a dictionary of mixed values; nil for anything else.
    init?(_ text: String) {
        var rest = Substring(text)
        for suffix in Self.suffixes where rest.hasSuffix(suffix.text) {
            collection = suffix.kind
            rest.removeLast(suffix.text.count)
            break
        }
        if collection == .dictionary, rest.isEmpty { rest = "mixed" }
        guard let element = Self.element(rest) else { return nil }
        (type, objectType, isOptional) = element
    }

    /// Reads the `type` and `objectType` of a property that says them apart.
    init?(_ text: String, objectType: String?) {
        guard let objectType else {
            guard let shape = PropertyShape(text == "dictionary" ? "{}" : text) else { return nil }
            self = shape
            return
        }
        switch text {
        case "object", "linkingObjects":
            guard !objectType.isEmpty else { return nil }
            type = text == "object" ? .object : .linkingObjects
            self.objectType = objectType
        case "object[]", "object{}", "object<>":
            // Says that the name is a class's, whatever it is called.
            guard !objectType.isEmpty, let kind = Self.suffixes.first(where: { text.hasSuffix($0.text) })?.kind else {
                return nil
            }
            (type, collection, self.objectType) = (.object, kind, objectType)
        default:
            let spelt = Self.suffixes.first { $0.text == text }?.kind
            guard let kind = spelt ?? CollectionKind(rawValue: text), kind != .none,
                let element = Self.element(Substring(objectType)) ?? Self.link(toClassNamed: objectType)
                    ?? Self.link(toPlainName: objectType)
            else { return nil }
            collection = kind
            (type, self.objectType, isOptional) = element
        }
    }

    /// The `type` and `objectType` of a collection of links.
    ///
    /// `list` and `Dog`, as Realm's JavaScript SDK has it; but where the class has the name of a type of
    /// values, or one that says more than a name, `object[]` and the name, which the SDK has no form for.
    static func spelling(_ collection: CollectionKind, of className: String) -> String {
        if let (type, name, isOptional) = element(Substring(className)) ?? link(toClassNamed: className),
            type == .object, !isOptional, name.hasSameBytes(as: className)
        {
            return collection.rawValue
        }
        return "object" + (suffixes.first { $0.kind == collection }?.text ?? "")
    }

    /// A link to a class that has the name of what can't be the type of an element, and so can't be meant.
    private static func link(toClassNamed name: String) -> (PropertyType, String?, Bool)? {
        switch name {
        case "object", "linkingObjects", "list", "set", "dictionary": (.object, name, false)
        default: nil
        }
    }

    /// A link to a class whose name has signs of shorthands and does not end as they do: it can be nothing else.
    private static func link(toPlainName name: String) -> (PropertyType, String?, Bool)? {
        let ends = suffixes.map(\.text) + ["?"]
        return name.isEmpty || ends.contains { name.hasSuffix($0) } ? nil : (.object, name, false)
    }

    private static func element(_ text: Substring) -> (PropertyType, String?, Bool)? {
        var name = text
        let isOptional = name.hasSuffix("?")
        if isOptional { name.removeLast() }
        switch name {
        case "", "object", "linkingObjects", "list", "set", "dictionary": return nil
        // A counter is an int that the SDK presents in its own way.
        case "counter": return (.int, nil, isOptional)
        default:
            let marks: [Character] = ["?", "[", "]", "{", "}", "<", ">"]
            guard !name.contains(where: { marks.contains($0) }) else { return nil }
            if let type = PropertyType(rawValue: String(name)) { return (type, nil, isOptional) }
            return (.object, String(name), isOptional)
        }
    }
}
